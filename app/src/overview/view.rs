//! The overview page.

use contract::{
    id::PolicyId,
    time::{DAY_MS, Timestamp},
};
use serde::{Deserialize, Serialize};

use crate::text::{query::ListQuery, time};

const HOUR_MS: i64 = 3_600_000;

const DEFAULT_RANGE: &str = "7d";

/// The unit of charts that show shares, in the address.
pub const SHARE: &str = "share";

/// The maximum range in days.
const DAYS_MAX: i64 = 3_660;

/// The range and the policy of the overview, as query parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OverviewQuery {
    /// `24h`, `7d`, `30d`, `90d` or `custom`; anything else means `7d`.
    pub range: String,
    /// The first day of a custom range, in the zone of the user.
    pub from: String,
    /// The last day of a custom range.
    pub to: String,
    /// The ID of a policy; anything else means all policies.
    pub policy: String,
    /// `share` for the share of each verdict instead of its number.
    pub unit: String,
}

impl ListQuery for OverviewQuery {
    fn filters(&self) -> Vec<(&'static str, &str)> {
        let range = if self.range == DEFAULT_RANGE { "" } else { self.range.as_str() };
        let mut filters = vec![("policy", self.policy.as_str()), ("range", range)];
        if self.range == "custom" {
            filters.extend([("from", self.from.as_str()), ("to", self.to.as_str())]);
        }
        filters.push(("unit", self.unit.as_str()));
        filters
    }
}

impl OverviewQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        let range = match text("range") {
            range if ["24h", "30d", "90d", "custom"].contains(&range.as_str()) => range,
            _ => DEFAULT_RANGE.to_owned(),
        };
        let policy = text("policy").parse::<PolicyId>().map(|id| id.to_string());
        let unit = Some(text("unit")).filter(|unit| unit == SHARE).unwrap_or_default();
        let (from, to) = (text("from"), text("to"));
        Self { range, from, to, policy: policy.unwrap_or_default(), unit }
    }

    /// Returns whether charts show the share of each verdict.
    pub fn is_share(&self) -> bool {
        self.unit == SHARE
    }

    pub fn policy(&self) -> Option<PolicyId> {
        self.policy.parse().ok()
    }

    /// Returns the start and the end of the range. A range up to now ends with the current part of the user's day.
    /// Returns `None` if the days of a custom range are invalid, out of order, or too far apart.
    pub fn ends(&self, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let (part, days) = match self.range.as_str() {
            "24h" => (HOUR_MS, 1),
            "30d" => (DAY_MS, 30),
            "90d" => (DAY_MS, 90),
            "custom" => return self.days(),
            _ => (6 * HOUR_MS, 7),
        };
        let local = time::digits(now).millis();
        let end = now.plus_millis(part - local.rem_euclid(part));
        Some((end.plus_millis(-days * DAY_MS), end))
    }

    fn days(&self) -> Option<(Timestamp, Timestamp)> {
        let from = Timestamp::from_date(&self.from)?;
        let to = Timestamp::from_date(&self.to)?.plus_millis(DAY_MS);
        let days = (to.millis() - from.millis()) / DAY_MS;
        let [from, to] = [from, to].map(|midnight| time::instants(midnight)[0]);
        (1..=DAYS_MAX).contains(&days).then_some((from, to))
    }
}

/// The overview page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OverviewPage {
    /// No decision has been recorded yet.
    New(GettingStarted),
    Drawn {
        /// The available ranges, as HTML.
        ranges: String,
        /// The key figures and the charts, as HTML.
        charts: String,
        /// The tenant's policies, by name.
        policies: Vec<(PolicyId, String)>,
    },
}

/// The steps up to the first decision, and whether the user's role permits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GettingStarted {
    /// Whether there is a policy, an active version and an API key.
    pub done: [bool; 3],
    pub may_create_policies: bool,
    pub may_create_api_keys: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(range: &str, from: &str, to: &str) -> Option<String> {
        let (range, from, to) = (range.into(), from.into(), to.into());
        let query = OverviewQuery { range, from, to, ..OverviewQuery::default() };
        let now = "2026-11-20T09:30:00Z".parse().unwrap();
        query.ends(now).map(|(from, to)| format!("{from} {to}"))
    }

    #[test]
    fn a_range_ends_with_the_current_part_of_the_day() {
        for (range, expected) in [
            ("24h", "2026-11-19T10:00:00.000Z 2026-11-20T10:00:00.000Z"),
            ("7d", "2026-11-13T12:00:00.000Z 2026-11-20T12:00:00.000Z"),
            ("30d", "2026-10-22T00:00:00.000Z 2026-11-21T00:00:00.000Z"),
            ("90d", "2026-08-23T00:00:00.000Z 2026-11-21T00:00:00.000Z"),
        ] {
            assert_eq!(ends(range, "", "").unwrap(), expected);
        }
    }

    #[test]
    fn a_custom_range_includes_its_last_day_and_must_be_valid() {
        let expected = "2026-11-01T00:00:00.000Z 2026-11-03T00:00:00.000Z";
        assert_eq!(ends("custom", "2026-11-01", "2026-11-02").unwrap(), expected);
        for (from, to) in
            [("2026-11-02", "2026-11-01"), ("", "2026-11-01"), ("2000-01-01", "2026-11-01")]
        {
            assert_eq!(ends("custom", from, to), None);
        }
    }

    #[test]
    fn an_unknown_range_defaults_to_a_week() {
        let query = OverviewQuery::read(&|name| (name == "range").then(|| "1y".to_owned()));
        assert_eq!(query.range, "7d");
    }

    #[test]
    fn an_address_contains_the_policy_and_the_range() {
        let policy = "0198a1b2-0000-7000-8000-000000000001";
        let read = |pairs: &[(&str, &str)]| {
            let value = |name: &str| pairs.iter().find(|(other, _)| *other == name);
            OverviewQuery::read(&|name| value(name).map(|(_, value)| (*value).to_owned()))
        };
        let query = read(&[("policy", policy), ("from", "2026-11-01")]);
        assert_eq!(query.filtered("/t", "range", "30d"), format!("/t?policy={policy}&range=30d"));
        let query = read(&[("range", "24h"), ("policy", "PAY")]);
        assert_eq!(
            (query.policy(), query.filtered("/t", "policy", "")),
            (None, "/t?range=24h".into())
        );
    }
}
