//! Checks a stored audit log, event by event, in constant memory.
//!
//! Whoever holds the rows can run it: the service on its store, and a program on an export.

use std::fmt::Display;

use contract::{
    audit::AuditStatus,
    id::TenantId,
    json::{Limits, Number, Value},
};

use super::{CHECKPOINT_EVERY, EVENT, PERSONAL, Party};
use crate::{canon::Canonical, digest::Digest};

/// One stored event: its bytes, and what stands beside them.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The column of its number.
    pub seq: i64,
    /// The column of its id.
    pub event_id: &'a str,
    /// The column of its instant, in the text of the event.
    pub occurred_at: &'a str,
    /// The column of what was done.
    pub action: &'a str,
    /// The columns of who did it.
    pub actor: Party<'a>,
    /// The columns of what it was done to.
    pub object: Party<'a>,
    /// The stored bytes.
    pub event: &'a str,
    /// The column of their hash.
    pub hash: &'a str,
    /// The column of the hash before; empty at the first.
    pub prev: &'a str,
    /// The side row, unless it was erased.
    pub personal: Option<&'a str>,
    /// The hash of the checkpoint at this event, if there is one.
    pub checkpoint: Option<&'a str>,
}

/// Where a log first differs from what was written, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// What the difference makes of the log.
    pub status: AuditStatus,
    /// The event; one that is missing, too.
    pub seq: i64,
    /// What differs (receipts, section 14).
    pub kind: &'static str,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub actual: String,
}

/// What is said of a thing that is not there.
const ABSENT: &str = "absent";

impl Divergence {
    fn tampered(
        seq: i64,
        kind: &'static str,
        expected: &dyn Display,
        actual: &dyn Display,
    ) -> Self {
        let (expected, actual) = (expected.to_string(), actual.to_string());
        Self { status: AuditStatus::Tampered, seq, kind, expected, actual }
    }

    /// The hash after which this event and an earlier one may both stand. Only a look at the whole
    /// log tells: when another event names the same predecessor, the log is forked.
    pub fn shared_predecessor(&self) -> Option<&str> {
        (self.kind == "prev" && self.status == AuditStatus::Tampered).then_some(&*self.actual)
    }

    /// The same, after another event was found that names [`Self::shared_predecessor`].
    #[must_use]
    pub fn forked(self) -> Self {
        Self { status: AuditStatus::Forked, ..self }
    }
}

/// A check under way: give it the events in order of their numbers.
#[derive(Clone, Debug)]
pub struct Verifier {
    tenant_id: String,
    next: i64,
    /// The hash of the event before.
    before: Option<Digest>,
    checked: i64,
}

/// The outcome of a step.
pub type Step = Result<(), Divergence>;

impl Verifier {
    /// Starts at the first event of a tenant.
    pub fn new(tenant_id: TenantId) -> Self {
        Self { tenant_id: tenant_id.to_string(), next: 1, before: None, checked: 0 }
    }

    /// Starts after the event `seq`, whose stored bytes are `event`.
    pub fn after(tenant_id: TenantId, seq: i64, event: &str) -> Self {
        let before = Some(Digest::of(event.as_bytes()));
        Self { next: seq.saturating_add(1), before, ..Self::new(tenant_id) }
    }

    /// The number of the event that comes next.
    pub fn next(&self) -> i64 {
        self.next
    }

    /// How many events were checked, a differing one included.
    pub fn checked(&self) -> i64 {
        self.checked
    }

    /// Checks all of `rows`.
    ///
    /// # Errors
    /// The first difference.
    pub fn run<'r>(&mut self, rows: impl IntoIterator<Item = Row<'r>>) -> Step {
        rows.into_iter().try_for_each(|row| self.check(&row))
    }

    /// Checks the event that comes next.
    ///
    /// # Errors
    /// How it differs from what was written.
    pub fn check(&mut self, row: &Row<'_>) -> Step {
        self.number(row)?;
        self.checked = self.checked.saturating_add(1);
        let event = Value::parse(row.event.as_bytes(), &Limits::BUNDLE_MEMBER)
            .map_err(|fault| unreadable(row.seq, fault.code.as_str()))?;
        let digest = bytes(row, &event)?;
        self.columns(row, &event)?;
        self.predecessor(row, &event)?;
        personal(row, &event)?;
        checkpoint(row, digest)?;
        self.before = Some(digest);
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    fn number(&self, row: &Row<'_>) -> Step {
        if row.seq == self.next {
            return Ok(());
        }
        let is_twin = row.seq.saturating_add(1) == self.next && self.checked > 0;
        if is_twin {
            return Err(Divergence::tampered(row.seq, "seq", &self.next, &row.seq).forked());
        }
        Err(Divergence::tampered(self.next, "seq", &self.next, &ABSENT))
    }

    /// The columns say what the bytes say.
    fn columns(&self, row: &Row<'_>, event: &Value) -> Step {
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        let part = |name: &str, part: &str| event.get(name)?.get(part)?.as_str();
        let columns = [
            ("schema", text("schema"), EVENT),
            ("tenant_id", text("tenant_id"), &*self.tenant_id),
            ("event_id", text("event_id"), row.event_id),
            ("occurred_at", text("occurred_at"), row.occurred_at),
            ("action", text("action"), row.action),
            ("actor.type", part("actor", "type"), row.actor.kind),
            ("actor.id", part("actor", "id"), row.actor.id),
            ("object.type", part("object", "type"), row.object.kind),
            ("object.id", part("object", "id"), row.object.id),
            ("prev", Some(text("prev").unwrap_or_default()), row.prev),
        ];
        for (name, written, column) in columns {
            if written != Some(column) {
                return Err(differing(row.seq, name, written.unwrap_or(ABSENT), column));
            }
        }
        let written = event.get("seq").and_then(Value::as_f64).and_then(Number::new);
        let written = written.and_then(Number::as_i64);
        if written != Some(row.seq) {
            let written = written.map_or(ABSENT.to_owned(), |seq| seq.to_string());
            return Err(differing(row.seq, "seq", &written, &row.seq.to_string()));
        }
        Ok(())
    }

    /// The event names the one before it.
    fn predecessor(&self, row: &Row<'_>, event: &Value) -> Step {
        let named = event.get("prev").and_then(Value::as_str);
        let agrees = match (named, self.before) {
            (Some(named), Some(before)) => is(named, before),
            (None, None) => true,
            _ => false,
        };
        if agrees {
            return Ok(());
        }
        let before = self.before.map_or(ABSENT.to_owned(), |before| before.to_string());
        Err(Divergence::tampered(row.seq, "prev", &before, &named.unwrap_or(ABSENT)))
    }
}

/// Whether `text` is the text of `digest`.
fn is(text: &str, digest: Digest) -> bool {
    text.parse() == Ok(digest)
}

fn unreadable(seq: i64, kind: &'static str) -> Divergence {
    let (expected, actual) = ("JSON".to_owned(), "other bytes".to_owned());
    Divergence { status: AuditStatus::Unreadable, seq, kind, expected, actual }
}

fn differing(seq: i64, name: &str, written: &str, column: &str) -> Divergence {
    let said = |what: &str| format!("{name} {what}");
    Divergence::tampered(seq, "columns", &said(written), &said(column))
}

/// The digest of the stored bytes, which are canonical and have the hash that stands beside them.
fn bytes(row: &Row<'_>, event: &Value) -> Result<Digest, Divergence> {
    let canonical = Canonical::of(event);
    let is_canonical = canonical.text == row.event;
    let digest = if is_canonical { canonical.digest } else { Digest::of(row.event.as_bytes()) };
    // Bytes that say the same in another way are told apart from bytes that say something else.
    if !is_canonical && (is(row.hash, digest) || is(row.hash, canonical.digest)) {
        return Err(Divergence::tampered(row.seq, "canonical", &canonical.digest, &digest));
    }
    if !is(row.hash, digest) {
        return Err(Divergence::tampered(row.seq, "hash", &row.hash, &digest));
    }
    Ok(digest)
}

/// What stands beside the event is what its bytes bind. Nothing may stand there: it can be erased.
fn personal(row: &Row<'_>, event: &Value) -> Step {
    let Some(personal) = row.personal else { return Ok(()) };
    let bound = event.get("personal_digest").and_then(Value::as_str).unwrap_or(ABSENT);
    let Some(open) = personal.strip_suffix('}') else {
        return Err(differing(row.seq, "personal_digest", bound, "of other bytes"));
    };
    // The side row is canonical `{"data":…,"salt":…}`, and `schema` comes after both.
    let digest = Digest::of(format!("{open},\"schema\":\"{PERSONAL}\"}}").as_bytes());
    if is(bound, digest) {
        return Ok(());
    }
    Err(differing(row.seq, "personal_digest", bound, &digest.to_string()))
}

/// A checkpoint has the event's hash, and every full stretch of events has its checkpoint.
fn checkpoint(row: &Row<'_>, digest: Digest) -> Step {
    match row.checkpoint {
        Some(hash) if is(hash, digest) => Ok(()),
        Some(hash) => Err(Divergence::tampered(row.seq, "checkpoint", &hash, &digest)),
        None if row.seq.checked_rem(CHECKPOINT_EVERY) == Some(0) => {
            Err(Divergence::tampered(row.seq, "checkpoint", &digest, &ABSENT))
        }
        None => Ok(()),
    }
}

/// The end of a log, by everything that says where it is.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The number that the head row has.
    pub head_seq: i64,
    /// The hash that the head row has.
    pub head_hash: &'a str,
    /// The number of the last stored event; 0 when there is none.
    pub last_event: i64,
    /// Number and hash of the last checkpoint.
    pub last_checkpoint: Option<(i64, &'a str)>,
}

impl End<'_> {
    /// Checks that all of them name the same end.
    ///
    /// # Errors
    /// `truncated` when a checkpoint lies beyond the last event; else which event is missing, or is
    /// one too many.
    pub fn check(&self) -> Step {
        if let Some((seq, hash)) = self.last_checkpoint
            && seq > self.last_event
        {
            let divergence = Divergence::tampered(seq, "checkpoint", &hash, &ABSENT);
            return Err(Divergence { status: AuditStatus::Truncated, ..divergence });
        }
        let past = |seq: i64| seq.saturating_add(1);
        match self.last_event {
            last if last < self.head_seq => {
                Err(Divergence::tampered(past(last), "seq", &past(last), &ABSENT))
            }
            last if last > self.head_seq => {
                Err(Divergence::tampered(past(self.head_seq), "seq", &ABSENT, &last))
            }
            _ => Ok(()),
        }
    }
}

impl Verifier {
    /// Checks that the events that were seen reach up to `to`, and with the last one that it is the
    /// one of the head row.
    ///
    /// # Errors
    /// The first event that is missing, what is wrong with the end of the log, or how the head row
    /// differs.
    pub fn finish(&self, to: i64, end: &End<'_>) -> Step {
        if self.next <= to.min(end.last_event) {
            return Err(Divergence::tampered(self.next, "seq", &self.next, &ABSENT));
        }
        end.check()?;
        let Some(before) = self.before.filter(|_| self.next.saturating_sub(1) == end.head_seq)
        else {
            return Ok(());
        };
        if is(end.head_hash, before) {
            return Ok(());
        }
        Err(Divergence::tampered(end.head_seq, "hash", &end.head_hash, &before))
    }
}
