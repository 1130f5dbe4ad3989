//! The rule type `temporal`: compares a date with the evaluation time or a fixed date.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, FieldErrors, JsonPath, ObjectReader, schema},
    time::{DAY_MS, Timestamp},
};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    date_span::DateSpan,
    field::{Field, SlotTable},
    member, reason,
};

/// `{field, check | max_age_days | not_before | not_after}`
#[derive(Debug)]
pub(crate) struct Temporal {
    field: Field,
    test: DateCheck,
}

#[derive(Debug)]
enum DateCheck {
    NotExpired,
    NotFuture,
    MaxAgeDays(u32),
    NotBefore(DateLimit),
    NotAfter(DateLimit),
}

/// A fixed date, as parsed and as authored.
#[derive(Debug)]
struct DateLimit {
    span: DateSpan,
    text: String,
}

/// The reason why a date fails its check.
struct DateViolation {
    reason_code: ReasonCode,
    expected: String,
    /// The end of the reason, such as `before 2026-01-01`.
    problem: String,
    /// The evaluation time, if the check used it.
    as_of: Option<Timestamp>,
}

impl Temporal {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let tests = [
            members.optional("check", check),
            members.optional("max_age_days", read::integer(0, u32::MAX)).map(DateCheck::MaxAgeDays),
            members.optional("not_before", limit).map(DateCheck::NotBefore),
            members.optional("not_after", limit).map(DateCheck::NotAfter),
        ];
        members.exactly_one_of(&["check", "max_age_days", "not_before", "not_after"])?;
        Some(Self { field: field?, test: tests.into_iter().flatten().next()? })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Some(value) = context.value(&self.field) else {
            return collector.missing(&self.field.name);
        };
        let violation = match value.as_str().and_then(DateSpan::parse) {
            Some(span) => self.test.violation(span, context),
            None => Some(DateViolation {
                reason_code: ReasonCode::DateInvalid,
                expected: "date or date-time".to_owned(),
                problem: "not a date or date-time".to_owned(),
                as_of: None,
            }),
        };
        let Some(DateViolation { reason_code, expected, problem, as_of }) = violation else {
            return Ok(());
        };
        let reason = format!("{} is {}, {problem}", self.field.name, reason::display(value));
        let failure =
            FailedCheck::new(reason_code, expected, reason).field(&self.field).actual(value);
        collector.add(match as_of {
            Some(as_of) => failure.details([("as_of", as_of.to_string().into())]),
            None => failure,
        })
    }
}

impl DateCheck {
    fn violation(&self, value: DateSpan, context: &ContextValues<'_>) -> Option<DateViolation> {
        match self {
            Self::NotExpired => {
                let as_of = context.as_of();
                (value.end < as_of).then(|| DateViolation {
                    reason_code: ReasonCode::DateExpired,
                    expected: format!(">= {as_of}"),
                    problem: format!("before the evaluation time {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::NotFuture => {
                let as_of = context.as_of();
                (value.start > as_of).then(|| DateViolation {
                    reason_code: ReasonCode::DateNotYetValid,
                    expected: format!("<= {as_of}"),
                    problem: format!("after the evaluation time {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::MaxAgeDays(days) => {
                let as_of = context.as_of();
                let oldest = days_before(as_of, *days);
                (value.start < oldest).then(|| DateViolation {
                    reason_code: ReasonCode::DateExpired,
                    expected: format!(">= {oldest}"),
                    problem: format!("more than {days} days before the evaluation time {as_of}"),
                    as_of: Some(as_of),
                })
            }
            Self::NotBefore(limit) => (value.start < limit.span.start).then(|| DateViolation {
                reason_code: ReasonCode::DateNotYetValid,
                expected: format!(">= {}", limit.text),
                problem: format!("before {}", limit.text),
                as_of: None,
            }),
            Self::NotAfter(limit) => (value.end > limit.span.end).then(|| DateViolation {
                reason_code: ReasonCode::DateExpired,
                expected: format!("<= {}", limit.text),
                problem: format!("after {}", limit.text),
                as_of: None,
            }),
        }
    }
}

/// Returns the time `days` × 24 h before `time`. Saturates at the start of the year 0000, the earliest
/// possible date.
fn days_before(time: Timestamp, days: u32) -> Timestamp {
    time.plus_millis(i64::from(days).saturating_mul(DAY_MS).saturating_neg())
}

fn check(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<DateCheck> {
    if errors.describes(|| schema::string_enum(["not_expired", "not_future"])) {
        return None;
    }
    match value.as_str() {
        Some("not_expired") => Some(DateCheck::NotExpired),
        Some("not_future") => Some(DateCheck::NotFuture),
        _ => {
            errors.push(at, "enum", "must be one of not_expired, not_future");
            None
        }
    }
}

fn limit(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<DateLimit> {
    if errors.describes(schema::date_or_date_time) {
        return None;
    }
    let limit = value
        .as_str()
        .and_then(|text| Some(DateLimit { span: DateSpan::parse(text)?, text: text.to_owned() }));
    if limit.is_none() {
        errors.push(at, "format", "must be a date (`YYYY-MM-DD`) or an RFC 3339 date-time");
    }
    limit
}
