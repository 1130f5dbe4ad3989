//! `temporal`: a date held against the evaluation instant or a fixed day.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, At, Errors, Members, schema},
    time::{DAY_MS, Timestamp},
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member,
    moment::Moment,
    reason,
    report::{Failure, Report},
};

/// `{field, check | max_age_days | not_before | not_after}`
#[derive(Debug)]
pub(crate) struct Temporal {
    field: Field,
    test: Test,
}

#[derive(Debug)]
enum Test {
    NotExpired,
    NotFuture,
    MaxAgeDays(u32),
    NotBefore(Limit),
    NotAfter(Limit),
}

/// A fixed date, as read and as written.
#[derive(Debug)]
struct Limit {
    moment: Moment,
    written: String,
}

/// How a date fails.
struct Broken {
    reason_code: ReasonCode,
    expected: String,
    /// The end of the sentence: `before 2026-01-01`.
    told: String,
    /// The evaluation instant, where it was consulted.
    as_of: Option<Timestamp>,
}

impl Temporal {
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let tests = [
            members.optional("check", check),
            members.optional("max_age_days", read::whole(0, u32::MAX)).map(Test::MaxAgeDays),
            members.optional("not_before", limit).map(Test::NotBefore),
            members.optional("not_after", limit).map(Test::NotAfter),
        ];
        members.exactly_one_of(&["check", "max_age_days", "not_before", "not_after"])?;
        Some(Self { field: field?, test: tests.into_iter().flatten().next()? })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Some(value) = facts.value(&self.field) else {
            return report.missing(&self.field.name);
        };
        let broken = match value.as_str().and_then(Moment::parse) {
            Some(moment) => self.test.broken(moment, facts),
            None => Some(Broken {
                reason_code: ReasonCode::DateInvalid,
                expected: "date or date-time".to_owned(),
                told: "not a date or date-time".to_owned(),
                as_of: None,
            }),
        };
        let Some(Broken { reason_code, expected, told, as_of }) = broken else { return };
        let reason = format!("{} is {}, {told}", self.field.name, reason::shown(value));
        let failure = Failure::new(reason_code, expected, reason).field(&self.field).actual(value);
        report.add(match as_of {
            Some(as_of) => failure.details([("as_of", as_of.to_string().into())]),
            None => failure,
        });
    }
}

impl Test {
    fn broken(&self, value: Moment, facts: &Facts<'_>) -> Option<Broken> {
        match self {
            Self::NotExpired => {
                let as_of = facts.as_of();
                (value.end < as_of).then(|| Broken {
                    reason_code: ReasonCode::DateExpired,
                    expected: format!(">= {as_of}"),
                    told: format!("before the decision's instant {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::NotFuture => {
                let as_of = facts.as_of();
                (value.start > as_of).then(|| Broken {
                    reason_code: ReasonCode::DateNotYetValid,
                    expected: format!("<= {as_of}"),
                    told: format!("after the decision's instant {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::MaxAgeDays(days) => {
                let as_of = facts.as_of();
                let oldest = days_before(as_of, *days);
                (value.start < oldest).then(|| Broken {
                    reason_code: ReasonCode::DateExpired,
                    expected: format!(">= {oldest}"),
                    told: format!("more than {days} days before the decision's instant {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::NotBefore(limit) => (value.start < limit.moment.start).then(|| Broken {
                reason_code: ReasonCode::DateNotYetValid,
                expected: format!(">= {}", limit.written),
                told: format!("before {}", limit.written),
                as_of: None,
            }),
            Self::NotAfter(limit) => (value.end > limit.moment.end).then(|| Broken {
                reason_code: ReasonCode::DateExpired,
                expected: format!("<= {}", limit.written),
                told: format!("after {}", limit.written),
                as_of: None,
            }),
        }
    }
}

/// `days` × 24 h before `at`, but not before the year 0000, which no date can be.
fn days_before(at: Timestamp, days: u32) -> Timestamp {
    at.plus_millis(i64::from(days).saturating_mul(DAY_MS).saturating_neg())
}

fn check(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Test> {
    if errors.describes(|| schema::words(["not_expired", "not_future"])) {
        return None;
    }
    match value.as_str() {
        Some("not_expired") => Some(Test::NotExpired),
        Some("not_future") => Some(Test::NotFuture),
        _ => {
            errors.push(at, "enum", "must be one of not_expired, not_future");
            None
        }
    }
}

fn limit(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Limit> {
    if errors.describes(schema::moment) {
        return None;
    }
    let limit = value.as_str().and_then(|written| {
        Some(Limit { moment: Moment::parse(written)?, written: written.to_owned() })
    });
    if limit.is_none() {
        errors.push(at, "format", "must be a date (`YYYY-MM-DD`) or an RFC 3339 date-time");
    }
    limit
}
