//! Filters as query parameters.

use std::str::FromStr;

use contract::{decision::DecisionFilter, policy::PolicyFilter, time::Timestamp};
use serde::{Deserialize, Serialize};

use crate::text::{
    messages,
    url::{self, SHADOW},
};

/// The filters of the policy list. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyQuery {
    /// Part of the code or the name.
    pub q: String,
    pub decision_type: String,
    /// `active`, `inactive`, or `shadow` for active policies in shadow mode.
    pub state: String,
    pub cursor: String,
}

impl PolicyQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            q: text("q"),
            decision_type: text("type"),
            state: text("state"),
            cursor: text("cursor"),
        }
    }

    /// Returns whether a filter is set.
    pub fn has_filters(&self) -> bool {
        !(self.q.is_empty() && self.decision_type.is_empty() && self.state.is_empty())
    }

    /// Returns the address of `path` with these filters, starting at `cursor`.
    pub fn address(&self, path: &str, cursor: &str) -> String {
        let pairs = [
            ("q", self.q.as_str()),
            ("type", &self.decision_type),
            ("state", &self.state),
            ("cursor", cursor),
        ];
        url::with_query(path, &pairs)
    }
}

impl From<&PolicyQuery> for PolicyFilter {
    fn from(query: &PolicyQuery) -> Self {
        Self {
            q: non_empty(&query.q),
            decision_type: non_empty(&query.decision_type),
            policy_group_id: None,
            is_active: match query.state.as_str() {
                "active" | SHADOW => Some(true),
                "inactive" => Some(false),
                _ => None,
            },
            shadow_mode: (query.state == SHADOW).then_some(true),
        }
    }
}

/// The filters of the decision list. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecisionQuery {
    pub verdict: String,
    pub decision_type: String,
    /// The id of an evaluated policy.
    pub policy: String,
    /// The code of a violated rule.
    pub rule: String,
    pub correlation_id: String,
    /// An actor's id.
    pub actor: String,
    /// The id of a chain. Its decisions are sorted by step.
    pub chain: String,
    pub idempotency_key: String,
    /// The earliest time of recording, in UTC.
    pub from: String,
    /// The latest time of recording, in UTC.
    pub to: String,
    pub cursor: String,
    /// The id of a decision to open. A value that remains here is not a valid id.
    pub open: String,
}

impl DecisionQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            verdict: text("verdict"),
            decision_type: text("type"),
            policy: text("policy"),
            rule: text("rule"),
            correlation_id: text("correlation"),
            actor: text("actor"),
            chain: text("chain"),
            idempotency_key: text("key"),
            from: text("from"),
            to: text("to"),
            cursor: text("cursor"),
            open: text("open"),
        }
    }

    /// Returns whether a filter is set.
    pub fn has_filters(&self) -> bool {
        let empty =
            Self { cursor: self.cursor.clone(), open: self.open.clone(), ..Self::default() };
        *self != empty
    }

    /// Returns the address of `path` with these filters, starting at `cursor`.
    pub fn address(&self, path: &str, cursor: &str) -> String {
        let pairs = [
            ("verdict", self.verdict.as_str()),
            ("type", &self.decision_type),
            ("policy", &self.policy),
            ("rule", &self.rule),
            ("correlation", &self.correlation_id),
            ("actor", &self.actor),
            ("chain", &self.chain),
            ("key", &self.idempotency_key),
            ("from", &self.from),
            ("to", &self.to),
            ("cursor", cursor),
        ];
        url::with_query(path, &pairs)
    }

    /// Returns the filters as a query string.
    pub fn saved_filter(&self) -> String {
        let address = self.address("", "");
        address.strip_prefix('?').unwrap_or_default().to_owned()
    }

    /// Returns whether a time range is set.
    pub fn has_range(&self) -> bool {
        !self.from.is_empty() && !self.to.is_empty()
    }

    /// Returns whether one of the filters under "More filters" is set.
    pub fn has_advanced_filters(&self) -> bool {
        [&self.actor, &self.correlation_id, &self.chain, &self.idempotency_key]
            .iter()
            .any(|text| !text.is_empty())
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<DecisionFilter, &'static str> {
        if !self.open.is_empty() {
            return Err(messages::decisions::NOT_AN_ID);
        }
        Ok(DecisionFilter {
            decision_type: non_empty(&self.decision_type),
            decision: non_empty(&self.verdict)
                .map(|verdict| verdict.parse())
                .transpose()
                .map_err(|()| messages::decisions::BAD_VERDICT)?,
            correlation_id: non_empty(&self.correlation_id),
            chain_id: non_empty(&self.chain)
                .map(|chain| chain.parse())
                .transpose()
                .map_err(|_| messages::decisions::BAD_CHAIN)?,
            idempotency_key: non_empty(&self.idempotency_key),
            policy_id: non_empty(&self.policy)
                .map(|policy| policy.parse())
                .transpose()
                .map_err(|_| messages::decisions::BAD_POLICY)?,
            rule_code: non_empty(&self.rule),
            actor_id: non_empty(&self.actor),
            recorded_from: instant(&self.from).map_err(|()| messages::decisions::BAD_FROM)?,
            recorded_to: instant(&self.to).map_err(|()| messages::decisions::BAD_TO)?,
        })
    }
}

pub(super) fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses the value of a filter; an empty value is `None`.
pub(crate) fn parsed<T: FromStr>(text: &str) -> Result<Option<T>, &'static str> {
    let value = non_empty(text).map(|text| text.parse()).transpose();
    value.map_err(|_| messages::alerts::BAD_FILTER)
}

/// Parses the value of a date and time field, such as `2026-11-20T23:04`, with or without seconds. A date and
/// a full timestamp are also accepted.
pub(crate) fn instant(text: &str) -> Result<Option<Timestamp>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = |text: String| text.parse::<Timestamp>().ok();
    Timestamp::from_date(text)
        .or_else(|| read(text.to_owned()))
        .or_else(|| read(format!("{text}Z")))
        .or_else(|| read(format!("{text}:00Z")))
        .map(Some)
        .ok_or(())
}

#[cfg(test)]
mod tests {
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
}
