//! Verifies a stored audit log event by event, in constant memory.
//!
//! The input is the stored rows, read from the database or from an export.

use std::fmt::Display;

use contract::{
    audit::AuditStatus,
    id::TenantId,
    json::{Limits, Number, Value},
};

use super::{CHECKPOINT_EVERY, EVENT, EntityRef, PERSONAL};
use crate::{canonical_json::CanonicalJson, digest::Digest};

/// One stored event: its bytes and the columns stored with them.
#[derive(Clone, Copy, Debug)]
pub struct StoredEvent<'a> {
    /// The sequence number column.
    pub seq: i64,
    /// The ID column.
    pub event_id: &'a str,
    /// The timestamp column, formatted as in the event.
    pub occurred_at: &'a str,
    /// The action column.
    pub action: &'a str,
    /// The actor columns.
    pub actor: EntityRef<'a>,
    /// The object columns.
    pub object: EntityRef<'a>,
    /// The stored bytes of the event.
    pub event: &'a str,
    /// The hash column.
    pub hash: &'a str,
    /// The column with the hash of the previous event; empty for the first event.
    pub prev: &'a str,
    /// The personal data row, unless it was erased.
    pub personal: Option<&'a str>,
    /// The hash of the checkpoint at this event, if there is one.
    pub checkpoint: Option<&'a str>,
}

/// The first difference between a stored log and the original.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The resulting status of the log.
    pub status: AuditStatus,
    /// The sequence number of the event, which may be missing from the log.
    pub seq: i64,
    /// The kind of difference (receipts, section 14).
    pub kind: &'static str,
    /// The expected value.
    pub expected: String,
    /// The stored value.
    pub actual: String,
}

/// The text for a missing value.
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

    /// Returns the hash of the predecessor that this event names, if another event may name it too.
    ///
    /// The caller searches the whole log for such an event. If there is one, the log is forked; see
    /// [`Self::forked`].
    pub fn shared_predecessor(&self) -> Option<&str> {
        (self.kind == "prev" && self.status == AuditStatus::Tampered).then_some(&*self.actual)
    }

    /// Returns this divergence with the status `Forked`. Call it when another event names
    /// [`Self::shared_predecessor`].
    #[must_use]
    pub fn forked(self) -> Self {
        Self { status: AuditStatus::Forked, ..self }
    }
}

/// An incremental verification of a log. Pass the events in order of their sequence numbers.
#[derive(Clone, Debug)]
pub struct Verifier {
    tenant_id: String,
    next: i64,
    /// The hash of the previous event.
    previous: Option<Digest>,
    checked: i64,
}

/// The result of checking one event or the end of the log.
pub type StepResult = Result<(), Divergence>;

impl Verifier {
    /// Creates a verifier that starts at the first event of a tenant.
    pub fn new(tenant_id: TenantId) -> Self {
        Self { tenant_id: tenant_id.to_string(), next: 1, previous: None, checked: 0 }
    }

    /// Creates a verifier that starts after event `seq`, whose stored bytes are `event`.
    pub fn resume_after(tenant_id: TenantId, seq: i64, event: &str) -> Self {
        let previous = Some(Digest::compute(event.as_bytes()));
        Self { next: seq.saturating_add(1), previous, ..Self::new(tenant_id) }
    }

    /// Returns the sequence number of the next event.
    pub fn next(&self) -> i64 {
        self.next
    }

    /// Returns the number of checked events, including one that differs.
    pub fn checked(&self) -> i64 {
        self.checked
    }

    /// Checks all `rows`.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn run<'r>(&mut self, rows: impl IntoIterator<Item = StoredEvent<'r>>) -> StepResult {
        rows.into_iter().try_for_each(|row| self.check(&row))
    }

    /// Checks the next event.
    ///
    /// # Errors
    /// Returns how the event differs from the original.
    pub fn check(&mut self, row: &StoredEvent<'_>) -> StepResult {
        self.check_seq(row)?;
        self.checked = self.checked.saturating_add(1);
        let event = Value::parse(row.event.as_bytes(), &Limits::BUNDLE_FILE)
            .map_err(|error| unreadable(row.seq, error.code.as_str()))?;
        let digest = check_bytes(row, &event)?;
        self.check_columns(row, &event)?;
        self.check_predecessor(row, &event)?;
        check_personal(row, &event)?;
        check_checkpoint(row, digest)?;
        self.previous = Some(digest);
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    fn check_seq(&self, row: &StoredEvent<'_>) -> StepResult {
        if row.seq == self.next {
            return Ok(());
        }
        let is_duplicate = row.seq.saturating_add(1) == self.next && self.checked > 0;
        if is_duplicate {
            return Err(Divergence::tampered(row.seq, "seq", &self.next, &row.seq).forked());
        }
        Err(Divergence::tampered(self.next, "seq", &self.next, &ABSENT))
    }

    /// Checks that the columns agree with the bytes.
    fn check_columns(&self, row: &StoredEvent<'_>, event: &Value) -> StepResult {
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
        for (name, value, column) in columns {
            if value != Some(column) {
                return Err(column_mismatch(row.seq, name, value.unwrap_or(ABSENT), column));
            }
        }
        let event_seq = event.get("seq").and_then(Value::as_f64).and_then(Number::new);
        let event_seq = event_seq.and_then(Number::as_i64);
        if event_seq != Some(row.seq) {
            let event_seq = event_seq.map_or(ABSENT.to_owned(), |seq| seq.to_string());
            return Err(column_mismatch(row.seq, "seq", &event_seq, &row.seq.to_string()));
        }
        Ok(())
    }

    /// Checks that the event names its predecessor.
    fn check_predecessor(&self, row: &StoredEvent<'_>, event: &Value) -> StepResult {
        let event_prev = event.get("prev").and_then(Value::as_str);
        let agrees = match (event_prev, self.previous) {
            (Some(event_prev), Some(previous)) => is_digest_text(event_prev, previous),
            (None, None) => true,
            _ => false,
        };
        if agrees {
            return Ok(());
        }
        let previous = self.previous.map_or(ABSENT.to_owned(), |previous| previous.to_string());
        Err(Divergence::tampered(row.seq, "prev", &previous, &event_prev.unwrap_or(ABSENT)))
    }
}

fn is_digest_text(text: &str, digest: Digest) -> bool {
    text.parse() == Ok(digest)
}

fn unreadable(seq: i64, kind: &'static str) -> Divergence {
    let (expected, actual) = ("JSON".to_owned(), "other bytes".to_owned());
    Divergence { status: AuditStatus::Unreadable, seq, kind, expected, actual }
}

fn column_mismatch(seq: i64, name: &str, event_value: &str, column: &str) -> Divergence {
    let with_name = |value: &str| format!("{name} {value}");
    Divergence::tampered(seq, "columns", &with_name(event_value), &with_name(column))
}

/// Checks that the stored bytes are canonical and match the hash column, and returns their digest.
fn check_bytes(row: &StoredEvent<'_>, event: &Value) -> Result<Digest, Divergence> {
    let canonical = CanonicalJson::from_value(event);
    let is_canonical = canonical.text == row.event;
    let digest =
        if is_canonical { canonical.digest } else { Digest::compute(row.event.as_bytes()) };
    // A re-encoding of the same content is reported as `canonical`, changed content as `hash`.
    if !is_canonical
        && (is_digest_text(row.hash, digest) || is_digest_text(row.hash, canonical.digest))
    {
        return Err(Divergence::tampered(row.seq, "canonical", &canonical.digest, &digest));
    }
    if !is_digest_text(row.hash, digest) {
        return Err(Divergence::tampered(row.seq, "hash", &row.hash, &digest));
    }
    Ok(digest)
}

/// Checks that stored personal data matches the digest in the event. Absent data is valid, because
/// it may have been erased.
fn check_personal(row: &StoredEvent<'_>, event: &Value) -> StepResult {
    let Some(personal) = row.personal else { return Ok(()) };
    let bound = event.get("personal_digest").and_then(Value::as_str).unwrap_or(ABSENT);
    let Some(without_brace) = personal.strip_suffix('}') else {
        return Err(column_mismatch(row.seq, "personal_digest", bound, "of other bytes"));
    };
    // The row is canonical `{"data":…,"salt":…}`. The hashed object adds `schema`, which sorts
    // last.
    let digest = Digest::compute(format!("{without_brace},\"schema\":\"{PERSONAL}\"}}").as_bytes());
    if is_digest_text(bound, digest) {
        return Ok(());
    }
    Err(column_mismatch(row.seq, "personal_digest", bound, &digest.to_string()))
}

/// Checks that a checkpoint has the hash of its event, and that every [`CHECKPOINT_EVERY`]th event
/// has a checkpoint.
fn check_checkpoint(row: &StoredEvent<'_>, digest: Digest) -> StepResult {
    match row.checkpoint {
        Some(hash) if is_digest_text(hash, digest) => Ok(()),
        Some(hash) => Err(Divergence::tampered(row.seq, "checkpoint", &hash, &digest)),
        None if row.seq.checked_rem(CHECKPOINT_EVERY) == Some(0) => {
            Err(Divergence::tampered(row.seq, "checkpoint", &digest, &ABSENT))
        }
        None => Ok(()),
    }
}

/// The end of a log according to its head row, its events and its checkpoints.
#[derive(Clone, Copy, Debug)]
pub struct LogEnd<'a> {
    /// The sequence number in the head row.
    pub head_seq: i64,
    /// The hash in the head row.
    pub head_hash: &'a str,
    /// The sequence number of the last stored event; 0 if there is none.
    pub last_event: i64,
    /// Sequence number and hash of the last checkpoint.
    pub last_checkpoint: Option<(i64, &'a str)>,
}

impl LogEnd<'_> {
    /// Checks that head row, events and checkpoints agree on the last event.
    ///
    /// # Errors
    /// Returns `Truncated` if a checkpoint is beyond the last event; otherwise the event that is
    /// missing or surplus.
    pub fn check(&self) -> StepResult {
        if let Some((seq, hash)) = self.last_checkpoint
            && seq > self.last_event
        {
            let divergence = Divergence::tampered(seq, "checkpoint", &hash, &ABSENT);
            return Err(Divergence { status: AuditStatus::Truncated, ..divergence });
        }
        let next = |seq: i64| seq.saturating_add(1);
        match self.last_event {
            last if last < self.head_seq => {
                Err(Divergence::tampered(next(last), "seq", &next(last), &ABSENT))
            }
            last if last > self.head_seq => {
                Err(Divergence::tampered(next(self.head_seq), "seq", &ABSENT, &last))
            }
            _ => Ok(()),
        }
    }
}

impl Verifier {
    /// Checks that the events up to `to` were checked, and compares the hash of the last event of
    /// the log with the head row if that event was checked.
    ///
    /// # Errors
    /// Returns the first missing event, an inconsistency at the end of the log, or the difference
    /// from the head row.
    pub fn finish(&self, to: i64, end: &LogEnd<'_>) -> StepResult {
        if self.next <= to.min(end.last_event) {
            return Err(Divergence::tampered(self.next, "seq", &self.next, &ABSENT));
        }
        end.check()?;
        let Some(previous) = self.previous.filter(|_| self.next.saturating_sub(1) == end.head_seq)
        else {
            return Ok(());
        };
        if is_digest_text(end.head_hash, previous) {
            return Ok(());
        }
        Err(Divergence::tampered(end.head_seq, "hash", &end.head_hash, &previous))
    }
}
