//! The audit log: its filters, its rows and the result of its verification.

mod sentence;

use contract::{
    audit::{AuditDivergence, AuditFilter, AuditItem, AuditRange, AuditReport, AuditStatus},
    json::{Number, Object, Value},
    pagination::Page,
    read,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub use self::sentence::Part;
use super::words;
use crate::{
    decision::list_words as decision_list_words,
    member::names::Names,
    text::{
        json::indented,
        number::whole,
        query::{ListQuery, end_instant, instant, non_empty, range_in_utc},
    },
};

/// The filters of the audit log and the range to verify, as query parameters. An empty value matches
/// everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditQuery {
    pub action: String,
    /// The email address of the actor.
    pub email: String,
    /// The ID of the actor.
    pub actor: String,
    /// The type of the object.
    pub kind: String,
    /// The ID of the object.
    pub object: String,
    /// The earliest time.
    pub from: String,
    /// The latest time.
    pub to: String,
    pub cursor: String,
    /// If not empty, the log is verified.
    pub check: String,
    /// The first event to verify.
    pub first: String,
    /// The last event to verify.
    pub last: String,
}

impl ListQuery for AuditQuery {
    fn filters(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("action", self.action.as_str()),
            ("email", &self.email),
            ("actor", &self.actor),
            ("kind", &self.kind),
            ("object", &self.object),
            ("from", &self.from),
            ("to", &self.to),
        ]
    }
}

impl AuditQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            action: text("action"),
            email: text("email"),
            actor: text("actor"),
            kind: text("kind"),
            object: text("object"),
            from: text("from"),
            to: text("to"),
            cursor: text("cursor"),
            check: text("check"),
            first: text("first"),
            last: text("last"),
        }
    }

    /// Returns the filters with times in UTC. Fields of the page have times in the zone of the user.
    #[must_use]
    pub fn in_utc(mut self) -> Self {
        (self.from, self.to) = range_in_utc(&self.from, &self.to);
        self
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<AuditFilter, &'static str> {
        Ok(AuditFilter {
            action: non_empty(&self.action),
            actor_id: non_empty(&self.actor),
            actor_email: non_empty(&self.email),
            object_type: non_empty(&self.kind),
            object_id: non_empty(&self.object),
            from: instant(&self.from).map_err(|()| decision_list_words::BAD_FROM)?,
            to: end_instant(&self.to).map_err(|()| decision_list_words::BAD_TO)?,
        })
    }

    /// Returns the range to verify.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn range(&self) -> Result<AuditRange, &'static str> {
        let mut body = Object::new();
        for (name, text) in [("from_seq", &self.first), ("to_seq", &self.last)] {
            if text.is_empty() {
                continue;
            }
            let number = text.parse::<i64>().ok().and_then(|number| Number::try_from(number).ok());
            body.insert(name, number.ok_or(words::BAD_RANGE)?);
        }
        read::body(&body.into()).map_err(|_| words::BAD_RANGE)
    }
}

/// Returns the message for a range that the service rejects.
pub const fn beyond() -> &'static str {
    words::RANGE_TOO_LONG
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditPage {
    /// One page of events, newest first.
    pub rows: Page<AuditRow>,
    /// The error in the filters, as a sentence.
    pub error: Option<String>,
    /// The result of the verification, or the message why it was not possible.
    pub check: Option<Result<Checked, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    pub seq: i64,
    pub at: Timestamp,
    /// The event as a sentence.
    pub sentence: Vec<Part>,
    pub action: String,
    /// The type of the actor, as on the wire.
    pub actor_kind: String,
    /// The actor: a user's email address, a key's name, or an ID.
    pub actor: String,
    pub object_kind: String,
    /// The ID of the object.
    pub object: String,
    /// The ID of the request; absent if it was not recorded or was erased.
    pub correlation_id: Option<String>,
    /// The facts of the change with their values.
    pub facts: Vec<(String, String)>,
    /// The hashed event, as indented JSON.
    pub event: String,
    pub hash: String,
    /// The hash of the event before it; absent for the first event.
    pub prev_hash: Option<String>,
}

impl AuditRow {
    /// Creates the row of an event. The sentence has the names that the tenant has now. The actor of the
    /// details is the email address or key name of the event, else the name that the tenant has for the ID,
    /// else the ID.
    pub fn new(item: AuditItem, names: &Names) -> Self {
        let sentence = sentence::sentence(&item, Part::Name(actor_name(&item, names)), names);
        let correlation_id = item.personal.as_ref().and_then(|personal| {
            Some(personal.get("data")?.get("correlation_id")?.as_str()?.to_owned())
        });
        let facts = item.details.as_object().into_iter().flat_map(Object::iter);
        let facts = facts.map(|(name, value)| (name.replace('_', " "), sentence::fact(value)));
        let facts = facts.collect();
        let actor = item.actor;
        let own_name = actor.email.or(actor.key_name);
        let who = own_name.or_else(|| names.get(&actor.id).cloned());
        let event = match &item.event {
            Value::String(text) => text.clone(),
            event => indented(event),
        };
        Self {
            seq: item.seq,
            at: item.occurred_at,
            sentence,
            action: item.action,
            actor_kind: actor.kind,
            actor: who.unwrap_or(actor.id),
            object_kind: item.object.kind,
            object: item.object.id,
            correlation_id,
            facts,
            event,
            hash: item.hash,
            prev_hash: item.prev_hash,
        }
    }
}

/// Returns the actor as the subject of a sentence.
pub(crate) fn actor_name(item: &AuditItem, names: &Names) -> String {
    let actor = &item.actor;
    let name = || names.get(&actor.id).cloned();
    let short_id = || actor.id.chars().take(8).collect::<String>();
    match actor.kind.as_str() {
        "human" => name().or_else(|| actor.email.clone()).unwrap_or_else(short_id),
        "api_key" => {
            let name = actor.key_name.clone().or_else(name).unwrap_or_else(short_id);
            format!("API key {name}")
        }
        "capability" => format!("Capability {}", short_id()),
        _ => words::system(&actor.id).to_owned(),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    pub status: AuditStatus,
    /// The numbers of the first and the last event of the range.
    pub range: (i64, i64),
    /// The first divergence.
    pub divergence: Option<AuditDivergence>,
    /// The number of events after the last checkpoint.
    pub tail: i64,
}

impl Checked {
    pub fn new(report: AuditReport, range: AuditRange) -> Self {
        let first = range.from_seq.unwrap_or(1);
        Self {
            status: report.status,
            range: (first, range.to_seq.unwrap_or(report.head.seq)),
            divergence: report.first_divergence,
            tail: report.unanchored_tail,
        }
    }

    /// Returns the result of a verification in one line.
    pub fn headline(&self) -> String {
        let (first, last) = self.range;
        let at = self.divergence.as_ref().map_or(first, |divergence| divergence.seq);
        let at = whole(at);
        match self.status {
            AuditStatus::Intact => format!("Intact, {} to {}", whole(first), whole(last)),
            AuditStatus::Tampered => format!("Tampering detected at event {at}"),
            AuditStatus::Truncated => format!("Log truncated at event {at}"),
            AuditStatus::Forked => format!("Log forked at event {at}"),
            AuditStatus::Unreadable => format!("Event {at} is unreadable"),
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::audit::AuditHead;

    use super::*;

    fn range(first: &str, last: &str) -> Result<AuditRange, &'static str> {
        AuditQuery { first: first.into(), last: last.into(), ..AuditQuery::default() }.range()
    }

    #[test]
    fn a_range_may_be_open_and_must_be_ascending() {
        assert_eq!(range("", ""), Ok(AuditRange::default()));
        assert_eq!(range("3", "9"), Ok(AuditRange { from_seq: Some(3), to_seq: Some(9) }));
        for (first, last) in [("9", "3"), ("0", ""), ("-1", ""), ("", "x"), ("", "1.5")] {
            assert_eq!(range(first, last), Err(words::BAD_RANGE), "{first} {last}");
        }
    }

    #[test]
    fn the_next_page_keeps_the_filters_and_does_not_verify() {
        let query = AuditQuery {
            action: "api_key.create".into(),
            check: "1".into(),
            first: "3".into(),
            ..AuditQuery::default()
        };
        assert!(query.has_filters());
        assert_eq!(query.address("/a", "abc"), "/a?action=api_key.create&cursor=abc");
        assert!(!AuditQuery { check: "1".into(), ..AuditQuery::default() }.has_filters());
    }

    #[test]
    fn the_headline_names_the_verified_range() {
        let report = AuditReport {
            status: AuditStatus::Intact,
            checked: 84_112,
            first_divergence: None,
            head: AuditHead { seq: 84_112, hash: String::new() },
            last_checkpoint: None,
            unanchored_tail: 0,
        };
        let all = Checked::new(report.clone(), AuditRange::default());
        assert_eq!(all.headline(), "Intact, 1 to 84,112");
        let part = Checked::new(report, AuditRange { from_seq: Some(7), to_seq: Some(9) });
        assert_eq!(part.headline(), "Intact, 7 to 9");
    }
}
