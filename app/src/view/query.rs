//! Filters as they stand in the address.

use std::str::FromStr;

use contract::{decision::DecisionFilter, policy::PolicyFilter, time::Timestamp};
use serde::{Deserialize, Serialize};

use crate::text::{url, words};

/// The filters of the list of policies; empty means any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyQuery {
    /// Part of the code or the name.
    pub q: String,
    /// A decision type.
    pub decision_type: String,
    /// `active`, `inactive`, or `shadow`: active, and only watching.
    pub state: String,
    /// Where the page starts.
    pub cursor: String,
}

/// The state of policies that are active and only watch.
pub const SHADOW: &str = "shadow";

impl PolicyQuery {
    /// Reads the filters by name.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            q: text("q"),
            decision_type: text("type"),
            state: text("state"),
            cursor: text("cursor"),
        }
    }

    /// Whether anything is filtered.
    pub fn filters(&self) -> bool {
        !(self.q.is_empty() && self.decision_type.is_empty() && self.state.is_empty())
    }

    /// The address of `path` under these filters, from `cursor` on.
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
            q: given(&query.q),
            decision_type: given(&query.decision_type),
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

/// The filters of the log; empty means any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecisionQuery {
    /// A verdict.
    pub verdict: String,
    /// A decision type.
    pub decision_type: String,
    /// The id of a policy that was looked at.
    pub policy: String,
    /// The code of a violated rule.
    pub rule: String,
    /// A correlation id.
    pub correlation_id: String,
    /// An actor's id.
    pub actor: String,
    /// The id of a chain; its decisions are then in the order of its steps.
    pub chain: String,
    /// The caller's name for the request.
    pub idempotency_key: String,
    /// Recorded at or after, in UTC.
    pub from: String,
    /// Recorded at or before, in UTC.
    pub to: String,
    /// Where the page starts.
    pub cursor: String,
    /// An id to open at once; whatever stays here is none.
    pub open: String,
}

impl DecisionQuery {
    /// Reads the filters by name.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
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

    /// Whether anything is filtered.
    pub fn filters(&self) -> bool {
        let bare = Self { cursor: self.cursor.clone(), open: self.open.clone(), ..Self::default() };
        *self != bare
    }

    /// The address of `path` under these filters, from `cursor` on.
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

    /// The filters alone, as they stand in an address after the question mark.
    pub fn kept(&self) -> String {
        let address = self.address("", "");
        address.strip_prefix('?').unwrap_or_default().to_owned()
    }

    /// Whether a range of time is chosen.
    pub fn has_range(&self) -> bool {
        !self.from.is_empty() && !self.to.is_empty()
    }

    /// Whether one of the filters is set that stand under "More filters".
    pub fn has_rare(&self) -> bool {
        [&self.actor, &self.correlation_id, &self.chain, &self.idempotency_key]
            .iter()
            .any(|text| !text.is_empty())
    }

    /// The filter that the service understands.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the reader.
    pub fn filter(&self) -> Result<DecisionFilter, &'static str> {
        if !self.open.is_empty() {
            return Err(words::decisions::NOT_AN_ID);
        }
        Ok(DecisionFilter {
            decision_type: given(&self.decision_type),
            decision: given(&self.verdict)
                .map(|verdict| verdict.parse())
                .transpose()
                .map_err(|()| words::decisions::BAD_VERDICT)?,
            correlation_id: given(&self.correlation_id),
            chain_id: given(&self.chain)
                .map(|chain| chain.parse())
                .transpose()
                .map_err(|_| words::decisions::BAD_CHAIN)?,
            idempotency_key: given(&self.idempotency_key),
            policy_id: given(&self.policy)
                .map(|policy| policy.parse())
                .transpose()
                .map_err(|_| words::decisions::BAD_POLICY)?,
            rule_code: given(&self.rule),
            actor_id: given(&self.actor),
            recorded_from: instant(&self.from).map_err(|()| words::decisions::BAD_FROM)?,
            recorded_to: instant(&self.to).map_err(|()| words::decisions::BAD_TO)?,
        })
    }
}

pub(super) fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// What a filter names; nothing when it is empty.
pub(crate) fn parsed<T: FromStr>(text: &str) -> Result<Option<T>, &'static str> {
    let value = given(text).map(|text| text.parse()).transpose();
    value.map_err(|_| words::alerts::BAD_FILTER)
}

/// What a date-time field of the browser sends: `2026-11-20T23:04`, with or without seconds; a bare
/// day and a full instant are understood too.
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
    fn what_a_date_time_field_sends_is_utc() {
        for text in ["2026-11-20T23:04", "2026-11-20T23:04:00", "2026-11-20T23:04:00Z"] {
            assert_eq!(instant(text).unwrap().unwrap().to_string(), "2026-11-20T23:04:00.000Z");
        }
        assert_eq!(instant("2026-11-20").unwrap().unwrap().to_string(), "2026-11-20T00:00:00.000Z");
        assert_eq!(instant("yesterday"), Err(()));
    }

    #[test]
    fn filters_survive_the_way_through_the_address() {
        let query = DecisionQuery {
            verdict: "DENY".into(),
            rule: "PAY-004".into(),
            ..DecisionQuery::default()
        };
        assert_eq!(query.address("/d", "abc"), "/d?verdict=DENY&rule=PAY-004&cursor=abc");
        assert_eq!(query.kept(), "verdict=DENY&rule=PAY-004");
        assert_eq!(DecisionQuery::default().kept(), "");
        assert!(query.filters());
        assert!(!DecisionQuery { cursor: "abc".into(), ..DecisionQuery::default() }.filters());
    }
}
