//! Filters as query parameters.

use std::str::FromStr;

use contract::{decision::DecisionFilter, time::Timestamp};
use serde::{Deserialize, Serialize};

use super::{messages, time, url};

// The messages of filters with an invalid value.
const NOT_AN_ID: &str =
    "Enter a valid decision ID, for example 8f1c2a4e-0b7d-4c3a-9e61-5d2f7a90b1c2.";
const BAD_VERDICT: &str = "Verdict: select a value from the list.";
const BAD_CHAIN: &str = "Chain: enter a valid chain ID of 36 characters.";
const BAD_POLICY: &str = "Policy: select a value from the list.";
const BAD_VERSION: &str = "Version: enter a whole number, for example 3.";
const VERSION_WITHOUT_POLICY: &str = "Version: also select a policy.";
const BAD_SEVERITY: &str = "Severity: select a value from the list.";
const BAD_OUTCOME: &str = "Outcome: select a value from the list.";
const BAD_SHADOW: &str = "Shadow mode: select a value from the list.";
pub(crate) const BAD_FROM: &str = "From: enter a date and time, for example 2026-11-20T23:04.";
pub(crate) const BAD_TO: &str = "To: enter a date and time, for example 2026-11-20T23:04.";

/// The filters of a list as query parameters. An empty value matches everything.
pub trait ListQuery {
    /// Returns the names and values of the filters.
    fn filters(&self) -> Vec<(&'static str, &str)>;

    /// Returns whether a filter is set.
    fn has_filters(&self) -> bool {
        self.filters().iter().any(|(_, value)| !value.is_empty())
    }

    /// Returns the address of the first page of `path` with these filters, of which `name` has the value
    /// `value`.
    fn filtered(&self, path: &str, name: &str, value: &str) -> String {
        url::with_other(path, &self.filters(), &[(name, value)])
    }

    /// Returns the address of `path` with these filters, starting at `cursor`.
    fn address(&self, path: &str, cursor: &str) -> String {
        self.filtered(path, "cursor", cursor)
    }
}

const HOUR_MS: i64 = 3_600_000;

/// The time ranges that end now, as in the address, and their length in hours.
pub const RANGES: [(&str, i64); 4] = [("1h", 1), ("24h", 24), ("7d", 168), ("30d", 720)];

/// The filters of the decision list. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecisionQuery {
    pub verdict: String,
    pub decision_type: String,
    /// The ID of an evaluated policy.
    pub policy: String,
    /// The number of an evaluated version of the policy.
    pub version: String,
    /// The code of a violated rule.
    pub rule: String,
    pub correlation_id: String,
    /// An actor's ID.
    pub actor: String,
    /// The ID of a chain. Its decisions are sorted by step.
    pub chain: String,
    pub idempotency_key: String,
    /// The highest severity of the violations.
    pub severity: String,
    /// The status of the outcome, or `none`.
    pub outcome: String,
    /// `true` for decisions that shadow mode changed, `false` for the others.
    pub shadow: String,
    /// A time range that ends now: `1h`, `24h`, `7d` or `30d`. On a page with a cursor, `from` is its start.
    pub range: String,
    /// The earliest time of recording.
    pub from: String,
    /// The latest time of recording.
    pub to: String,
    pub cursor: String,
    /// The ID of a decision to open. A value that remains here is not a valid ID.
    pub open: String,
}

impl DecisionQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        let mut query = Self {
            verdict: text("verdict"),
            decision_type: text("type"),
            policy: text("policy"),
            version: text("version"),
            rule: text("rule"),
            correlation_id: text("correlation"),
            actor: text("actor"),
            chain: text("chain"),
            idempotency_key: text("key"),
            severity: text("severity"),
            outcome: text("outcome"),
            shadow: text("shadow"),
            range: text("range"),
            from: text("from"),
            to: text("to"),
            cursor: text("cursor"),
            open: text("open"),
        };
        let has_ends = !(query.from.is_empty() && query.to.is_empty());
        if query.range_ms().is_none() || (query.cursor.is_empty() && has_ends) {
            query.range.clear();
        }
        query
    }

    /// Returns the filters with times in UTC. Fields of the page have times in the zone of the user.
    #[must_use]
    pub fn in_utc(mut self) -> Self {
        (self.from, self.to) = range_in_utc(&self.from, &self.to);
        self
    }

    /// Returns the length of the range in milliseconds.
    fn range_ms(&self) -> Option<i64> {
        let range = RANGES.iter().find(|(range, _)| *range == self.range);
        range.map(|(_, hours)| hours * HOUR_MS)
    }

    /// Returns the start of the range that ends `now`; without a range, 24 hours ago.
    pub fn range_start(&self, now: Timestamp) -> Timestamp {
        now.plus_millis(-self.range_ms().unwrap_or(24 * HOUR_MS))
    }

    /// Returns the filters with the start of the range as a time. On later pages of the list, the start remains
    /// the same.
    #[must_use]
    pub fn starting_from(mut self, now: Timestamp) -> Self {
        if !self.range.is_empty() && self.from.is_empty() {
            self.from = self.range_start(now).to_string();
        }
        self
    }

    /// Returns the filters other than the time range: the name of each parameter and its value.
    pub fn values(&self) -> [(&'static str, &str); 12] {
        [
            ("verdict", self.verdict.as_str()),
            ("severity", &self.severity),
            ("type", &self.decision_type),
            ("policy", &self.policy),
            ("version", &self.version),
            ("rule", &self.rule),
            ("outcome", &self.outcome),
            ("shadow", &self.shadow),
            ("correlation", &self.correlation_id),
            ("actor", &self.actor),
            ("chain", &self.chain),
            ("key", &self.idempotency_key),
        ]
    }

    /// Returns the filters without a time range.
    #[must_use]
    pub fn without_range(mut self) -> Self {
        for text in [&mut self.range, &mut self.from, &mut self.to] {
            text.clear();
        }
        self
    }

    /// Returns the filters as a query string.
    pub fn saved_filter(&self) -> String {
        let address = self.address("", "");
        address.strip_prefix('?').unwrap_or_default().to_owned()
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<DecisionFilter, &'static str> {
        if !self.open.is_empty() {
            return Err(NOT_AN_ID);
        }
        Ok(DecisionFilter {
            decision_type: non_empty(&self.decision_type),
            decision: parsed_or(&self.verdict, BAD_VERDICT)?,
            correlation_id: non_empty(&self.correlation_id),
            chain_id: parsed_or(&self.chain, BAD_CHAIN)?,
            idempotency_key: non_empty(&self.idempotency_key),
            policy_id: parsed_or(&self.policy, BAD_POLICY)?,
            version: self.version()?,
            rule_code: non_empty(&self.rule),
            actor_id: non_empty(&self.actor),
            severity: parsed_or(&self.severity, BAD_SEVERITY)?,
            outcome: parsed_or(&self.outcome, BAD_OUTCOME)?,
            shadow_converted: parsed_or(&self.shadow, BAD_SHADOW)?,
            recorded_from: instant(&self.from).map_err(|()| BAD_FROM)?,
            recorded_to: end_instant(&self.to).map_err(|()| BAD_TO)?,
        })
    }
}

impl ListQuery for DecisionQuery {
    /// The start of a range is not included, because the first page computes it again.
    fn filters(&self) -> Vec<(&'static str, &str)> {
        let from = if self.range.is_empty() { self.from.as_str() } else { "" };
        let times = [("range", self.range.as_str()), ("from", from), ("to", &self.to)];
        self.values().into_iter().chain(times).collect()
    }

    /// Later pages keep the start of the range.
    fn address(&self, path: &str, cursor: &str) -> String {
        let mut pairs = self.filters();
        if !(cursor.is_empty() || self.range.is_empty()) {
            pairs.push(("from", &self.from));
        }
        pairs.push(("cursor", cursor));
        url::with_query(path, &pairs)
    }
}

impl DecisionQuery {
    /// Returns the number of the version. It belongs to a policy.
    fn version(&self) -> Result<Option<u32>, &'static str> {
        if self.policy.is_empty() && !self.version.is_empty() {
            return Err(VERSION_WITHOUT_POLICY);
        }
        parsed_or(&self.version, BAD_VERSION)
    }
}

pub(crate) fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses the value of a filter; an empty value is `None`.
pub(crate) fn parsed<T: FromStr>(text: &str) -> Result<Option<T>, &'static str> {
    parsed_or(text, messages::BAD_FILTER)
}

/// Parses the value of a filter; an empty value is `None`. An invalid value returns `error`.
fn parsed_or<T: FromStr>(text: &str, error: &'static str) -> Result<Option<T>, &'static str> {
    non_empty(text).map(|text| text.parse()).transpose().map_err(|_| error)
}

/// Returns both ends of a range in UTC, if they are fields with a time in the zone of the user. A start that clocks
/// show twice is the first such time, an end the last. Texts that are no times, and times with their own offset, are
/// unchanged.
pub(crate) fn range_in_utc(from: &str, to: &str) -> (String, String) {
    let read = |text: &str, is_end: bool| if is_end { end_instant(text) } else { instant(text) };
    let utc = |text: &str, is_end: bool| match read(text, is_end) {
        Ok(Some(digits)) if text.parse::<Timestamp>().is_err() => {
            let [first, last] = time::instants(digits);
            if is_end { last.to_string() } else { first.to_string() }
        }
        _ => text.to_owned(),
    };
    (utc(from, false), utc(to, true))
}

/// Parses the value of a date and time field in UTC, such as `2026-11-20T23:04`, with or without seconds. A date and
/// a full timestamp are also accepted.
pub(crate) fn instant(text: &str) -> Result<Option<Timestamp>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = |text: String| text.parse::<Timestamp>().ok();
    Timestamp::start_of_range(text)
        .or_else(|| read(format!("{text}Z")))
        .or_else(|| read(format!("{text}:00Z")))
        .map(Some)
        .ok_or(())
}

/// Parses the value of a date and time field as the inclusive end of a range or as a deadline, in UTC: a date means the
/// end of that day.
pub(crate) fn end_instant(text: &str) -> Result<Option<Timestamp>, ()> {
    Timestamp::end_of_range(text).map_or_else(|| instant(text), |end| Ok(Some(end)))
}

#[cfg(test)]
mod tests {
    use contract::{decision::OutcomeFilter, rule::Severity};

    use super::*;

    #[test]
    fn date_time_fields_are_parsed_as_utc() {
        for text in ["2026-11-20T23:04", "2026-11-20T23:04:00", "2026-11-20T23:04:00Z"] {
            assert_eq!(instant(text).unwrap().unwrap().to_string(), "2026-11-20T23:04:00.000Z");
        }
        assert_eq!(instant("2026-11-20").unwrap().unwrap().to_string(), "2026-11-20T00:00:00.000Z");
        assert_eq!(instant("yesterday"), Err(()));
    }

    #[test]
    fn a_day_as_an_end_means_its_end() {
        for (text, end) in [
            ("2026-11-20", "2026-11-20T23:59:59.999Z"),
            ("2026-11-20T23:04", "2026-11-20T23:04:00.000Z"),
            ("2026-11-20T23:04:11Z", "2026-11-20T23:04:11.000Z"),
        ] {
            assert_eq!(end_instant(text).unwrap().unwrap().to_string(), end, "{text}");
        }
        assert_eq!((end_instant(""), end_instant("yesterday")), (Ok(None), Err(())));
        let range = range_in_utc("2026-11-20", "2026-11-20");
        assert_eq!(range.0, "2026-11-20T00:00:00.000Z");
        assert_eq!(range.1, "2026-11-20T23:59:59.999Z");
    }

    #[test]
    fn only_times_without_an_offset_are_converted_to_utc() {
        let range = range_in_utc("2026-11-20T23:04", "soon");
        assert_eq!(range, ("2026-11-20T23:04:00.000Z".to_owned(), "soon".to_owned()));
        let range = range_in_utc("", "2026-11-20T23:04:00Z");
        assert_eq!(range, (String::new(), "2026-11-20T23:04:00Z".to_owned()));
    }

    #[test]
    fn filters_are_formatted_as_query_parameters() {
        let query = DecisionQuery {
            verdict: "DENY".into(),
            rule: "PAY-004".into(),
            ..DecisionQuery::default()
        };
        assert_eq!(query.address("/d", "abc"), "/d?verdict=DENY&rule=PAY-004&cursor=abc");
        assert_eq!(query.saved_filter(), "verdict=DENY&rule=PAY-004");
        assert_eq!(DecisionQuery::default().saved_filter(), "");
        assert!(query.has_filters());
        assert!(!DecisionQuery { cursor: "abc".into(), ..DecisionQuery::default() }.has_filters());
    }

    fn read(pairs: &[(&str, &str)]) -> DecisionQuery {
        DecisionQuery::read(&|name| {
            pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_range_keeps_its_start_on_later_pages() {
        let now: Timestamp = "2026-11-22T10:00:00Z".parse().unwrap();
        let first = read(&[("range", "24h"), ("verdict", "DENY")]).starting_from(now);
        assert_eq!(first.address("/d", ""), "/d?verdict=DENY&range=24h");
        assert_eq!(first.from, "2026-11-21T10:00:00.000Z");
        let next = first.address("/d", "abc");
        assert_eq!(next, "/d?verdict=DENY&range=24h&from=2026-11-21T10%3A00%3A00.000Z&cursor=abc");
        let later = now.plus_millis(60_000);
        let page =
            read(&[("range", "24h"), ("from", "2026-11-21T10:00:00.000Z"), ("cursor", "abc")]);
        assert_eq!(page.starting_from(later).from, first.from);
    }

    #[test]
    fn an_entered_time_replaces_a_range() {
        let query = read(&[("range", "24h"), ("from", "2026-11-20")]);
        assert_eq!((&*query.range, &*query.from), ("", "2026-11-20"));
        assert_eq!(read(&[("range", "9y")]).range, "");
        assert_eq!(query.without_range().filtered("/d", "range", "7d"), "/d?range=7d");
    }

    #[test]
    fn severity_outcome_and_shadow_mode_are_parsed() {
        let pairs = [("severity", "high"), ("outcome", "none"), ("shadow", "true")];
        let filter = read(&pairs).filter().unwrap();
        assert_eq!(filter.severity, Some(Severity::High));
        assert_eq!(filter.outcome, Some(OutcomeFilter::None));
        assert_eq!(filter.shadow_converted, Some(true));
        assert_eq!(read(&pairs).saved_filter(), "severity=high&outcome=none&shadow=true");
        for (name, error) in
            [("severity", BAD_SEVERITY), ("outcome", BAD_OUTCOME), ("shadow", BAD_SHADOW)]
        {
            assert_eq!(read(&[(name, "x")]).filter(), Err(error));
        }
    }

    #[test]
    fn each_filter_has_one_parameter() {
        let names = DecisionQuery::default().values().map(|(name, _)| name);
        let query = DecisionQuery::read(&|name| Some(name.to_owned()));
        assert_eq!(query.values(), names.map(|name| (name, name)));
    }

    #[test]
    fn a_version_requires_a_policy() {
        let policy = "00000000-0000-4000-8000-000000000000";
        let filter = read(&[("version", "3"), ("policy", policy)]).filter().unwrap();
        assert_eq!(filter.version, Some(3));
        let alone = read(&[("version", "3")]).filter();
        assert_eq!(alone, Err(VERSION_WITHOUT_POLICY));
    }
}
