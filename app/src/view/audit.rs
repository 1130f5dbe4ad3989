//! The audit log: its filters, its rows, and what a check of it found.

use contract::{
    audit::{AuditDivergence, AuditFilter, AuditItem, AuditRange, AuditReport, AuditStatus},
    json::{Number, Object, Value},
    page::Page,
    read,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    people::Names,
    query::{given, instant},
};
use crate::text::{json::indented, url, words};

/// The filters of the log as they stand in the address, and the range to check; empty means any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditQuery {
    /// What was done.
    pub action: String,
    /// The address of whoever did it.
    pub email: String,
    /// The id of whoever did it.
    pub actor: String,
    /// What kind of thing it was done to.
    pub kind: String,
    /// To which thing.
    pub object: String,
    /// At or after, in UTC.
    pub from: String,
    /// At or before, in UTC.
    pub to: String,
    /// Where the page starts.
    pub cursor: String,
    /// Anything: the log is to be checked.
    pub check: String,
    /// The first event to check.
    pub first: String,
    /// The last event to check.
    pub last: String,
}

impl AuditQuery {
    /// Reads the filters by name.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
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

    /// Whether anything is filtered.
    pub fn filters(&self) -> bool {
        self.pairs().iter().any(|(_, text)| !text.is_empty())
    }

    /// The address of `path` under these filters, from `cursor` on.
    pub fn address(&self, path: &str, cursor: &str) -> String {
        let pairs = [self.pairs().as_slice(), &[("cursor", cursor)]].concat();
        url::with_query(path, &pairs)
    }

    fn pairs(&self) -> [(&'static str, &str); 7] {
        [
            ("action", &self.action),
            ("email", &self.email),
            ("actor", &self.actor),
            ("kind", &self.kind),
            ("object", &self.object),
            ("from", &self.from),
            ("to", &self.to),
        ]
    }

    /// The filter that the service understands.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the reader.
    pub fn filter(&self) -> Result<AuditFilter, &'static str> {
        Ok(AuditFilter {
            action: given(&self.action),
            actor_id: given(&self.actor),
            actor_email: given(&self.email),
            object_type: given(&self.kind),
            object_id: given(&self.object),
            from: instant(&self.from).map_err(|()| words::decisions::BAD_FROM)?,
            to: instant(&self.to).map_err(|()| words::decisions::BAD_TO)?,
        })
    }

    /// The range to check.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the reader.
    pub fn range(&self) -> Result<AuditRange, &'static str> {
        let mut body = Object::new();
        for (name, text) in [("from_seq", &self.first), ("to_seq", &self.last)] {
            if text.is_empty() {
                continue;
            }
            let number = text.parse::<i64>().ok().and_then(|number| Number::try_from(number).ok());
            body.insert(name, number.ok_or(words::audit::BAD_RANGE)?);
        }
        read::body(&body.into()).map_err(|_| words::audit::BAD_RANGE)
    }
}

/// What is wrong with a range that the service refuses, in a sentence.
pub const fn beyond() -> &'static str {
    words::audit::BEYOND
}

/// The page of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditPage {
    /// One page of events, newest first.
    pub rows: Page<AuditRow>,
    /// What is wrong with the filters, in a sentence.
    pub fault: Option<String>,
    /// What a check found, or why there was none, in a sentence.
    pub check: Option<Result<Checked, String>>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Its number.
    pub seq: i64,
    /// When it happened.
    pub at: Timestamp,
    /// What was done.
    pub action: String,
    /// What kind of somebody did it, in the word of the wire.
    pub actor_kind: String,
    /// Who did it: a person's address, a key's name, or an id.
    pub actor: String,
    /// What kind of thing it was done to.
    pub object_kind: String,
    /// To which thing.
    pub object: String,
    /// The hashed object, indented.
    pub event: String,
    /// Its hash.
    pub hash: String,
}

impl AuditRow {
    /// The row of an event. Whoever has no address or name beside it is named as the tenant knows
    /// them, or stays an id.
    pub fn new(item: AuditItem, names: &Names) -> Self {
        let actor = item.actor;
        let beside = actor.email.or(actor.key_name);
        let who = beside.or_else(|| names.get(&actor.id).cloned());
        let event = match &item.event {
            Value::String(unreadable) => unreadable.clone(),
            event => indented(event),
        };
        Self {
            seq: item.seq,
            at: item.occurred_at,
            action: item.action,
            actor_kind: actor.kind,
            actor: who.unwrap_or(actor.id),
            object_kind: item.object.kind,
            object: item.object.id,
            event,
            hash: item.hash,
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// How the log is.
    pub status: AuditStatus,
    /// The first and the last event of the range.
    pub range: (i64, i64),
    /// Where it first differs.
    pub divergence: Option<AuditDivergence>,
    /// How many events came after the last checkpoint.
    pub tail: i64,
}

impl Checked {
    /// What `report` says about `range`.
    pub fn new(report: AuditReport, range: AuditRange) -> Self {
        let first = range.from_seq.unwrap_or(1);
        Self {
            status: report.status,
            range: (first, range.to_seq.unwrap_or(report.head.seq)),
            divergence: report.first_divergence,
            tail: report.unanchored_tail,
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
    fn a_range_may_be_open_and_must_go_forward() {
        assert_eq!(range("", ""), Ok(AuditRange::default()));
        assert_eq!(range("3", "9"), Ok(AuditRange { from_seq: Some(3), to_seq: Some(9) }));
        for (first, last) in [("9", "3"), ("0", ""), ("-1", ""), ("", "x"), ("", "1.5")] {
            assert_eq!(range(first, last), Err(words::audit::BAD_RANGE), "{first} {last}");
        }
    }

    #[test]
    fn the_next_page_keeps_the_filters_and_checks_nothing() {
        let query = AuditQuery {
            action: "api_key.create".into(),
            check: "1".into(),
            first: "3".into(),
            ..AuditQuery::default()
        };
        assert!(query.filters());
        assert_eq!(query.address("/a", "abc"), "/a?action=api_key.create&cursor=abc");
        assert!(!AuditQuery { check: "1".into(), ..AuditQuery::default() }.filters());
    }

    #[test]
    fn a_check_names_the_range_that_it_covered() {
        let report = AuditReport {
            status: AuditStatus::Intact,
            checked: 84_112,
            first_divergence: None,
            head: AuditHead { seq: 84_112, hash: String::new() },
            last_checkpoint: None,
            unanchored_tail: 0,
        };
        let all = Checked::new(report.clone(), AuditRange::default());
        assert_eq!(words::audit::headline(&all), "Intact, 1 to 84,112");
        let part = Checked::new(report, AuditRange { from_seq: Some(7), to_seq: Some(9) });
        assert_eq!(words::audit::headline(&part), "Intact, 7 to 9");
    }
}
