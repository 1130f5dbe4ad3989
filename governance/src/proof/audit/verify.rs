//! Verification of a tenant's audit log from its stored bytes.

use std::collections::VecDeque;

use contract::{
    audit::{AuditCheckpoint, AuditDivergence, AuditHead, AuditRange, AuditReport, AuditStatus},
    json::Number,
};
use entity::audit_event::{Column, Entity};
use receipt::{
    audit::{
        self, EntityRef,
        verify::{Divergence, LogEnd, StepResult, StoredEvent, Verifier},
    },
    transparency_log::EntryKind,
};
use tokio::task::JoinHandle;

use crate::{
    access::permission,
    base::{error::log::verification_running, prelude::*},
    proof::transparency_log,
};

/// The number of events that are read at a time.
const PAGE_ROWS: i64 = 512;

/// The number of pages that are verified at a time, while the next one is read.
const PAGES_MAX: usize = 2;

/// Verifies the events of a range, and the end of the log.
///
/// Reads everything from one database snapshot, so concurrent changes cause no false alarm. This occupies a
/// connection until the end. Therefore one verification per tenant runs at a time across all processes, and
/// only a few per process.
///
/// # Errors
/// - `INSUFFICIENT_SCOPE`, `FORBIDDEN`
/// - `CONFLICT` while another verification of the tenant runs
/// - `SERVICE_UNAVAILABLE` while too many verifications of other tenants run
/// - `VALIDATION_ERROR` for a range beyond the last event, unless a checkpoint proves that such an event
///   existed
pub async fn verify(cx: &Cx, range: AuditRange) -> Result<AuditReport> {
    verify_log_of(cx.tenant(permission::VERIFY_AUDIT)?, range).await
}

/// Verifies the log of a tenant that the caller may access, as [`verify`] does.
pub(crate) async fn verify_log_of(tenant: Tenant<'_>, range: AuditRange) -> Result<AuditReport> {
    let cx = tenant.cx();
    let _verification = cx.governance.base().long_reads.verification(tenant.id())?;
    let tx = tenant.begin_snapshot().await?;
    lock(&tx).await?;
    let log = LogBounds::load(&tx).await?;
    let (checked, divergence) = match log.bounds(range) {
        Ok(bounds) => check(&tx, &log, bounds).await?,
        // The range starts beyond the last event. If events were cut off, that is reported instead.
        Err(refusal) => (0, Some(log.end().check().err().ok_or(refusal)?)),
    };
    tx.finish_read().await?;
    let log_index = log.index(cx, tenant.id()).await?;
    Ok(log.report(checked, divergence, log_index))
}

// SQL: an advisory lock. It is held until the transaction ends and blocks only other verifications.
const TRY_LOCK: &str = "SELECT pg_try_advisory_xact_lock(\
     hashtextextended('audit verification ' || $1::text, 0))";

/// Locks the verification of the tenant's log against other processes.
async fn lock(tx: &TenantTx) -> Result<()> {
    if tx.only(TRY_LOCK, []).await? { Ok(()) } else { Err(verification_running().into()) }
}

/// The end of a log.
struct LogBounds {
    head: AuditHead,
    last_event: i64,
    last_checkpoint: Option<(i64, String)>,
    salt: String,
}

// SQL: one row of three tables, two of which may be empty.
const SELECT_BOUNDS: &str = "SELECT h.audit_seq, encode(h.audit_hash, 'hex'), \
     (SELECT max(seq) FROM audit_events WHERE tenant_id = $1), c.seq, encode(c.hash, 'hex'), \
     h.audit_salt FROM tenant_heads h LEFT JOIN LATERAL (SELECT seq, hash FROM audit_checkpoints \
     WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1) c ON true WHERE h.tenant_id = $1";

impl LogBounds {
    async fn load(tx: &TenantTx) -> Result<Self> {
        let (seq, hash, last_event, checkpoint, checkpoint_hash, salt) =
            tx.only::<(_, _, Option<i64>, Option<_>, Option<_>, _)>(SELECT_BOUNDS, []).await?;
        Ok(Self {
            head: AuditHead { seq, hash },
            last_event: last_event.unwrap_or(0),
            last_checkpoint: checkpoint.zip(checkpoint_hash),
            salt,
        })
    }

    fn end(&self) -> LogEnd<'_> {
        LogEnd {
            head_seq: self.head.seq,
            head_hash: &self.head.hash,
            last_event: self.last_event,
            last_checkpoint: self.last_checkpoint.as_ref().map(|(seq, hash)| (*seq, &**hash)),
        }
    }

    /// Returns the first and the last event to verify.
    fn bounds(&self, range: AuditRange) -> Result<(i64, i64), Refusal> {
        let last = self.head.seq;
        let from = range.from_seq.unwrap_or(1);
        let to = range.to_seq.unwrap_or(last);
        for (path, seq) in [("/from_seq", range.from_seq), ("/to_seq", range.to_seq)] {
            if seq.is_some_and(|seq| seq > last) {
                let message = format!("is beyond the last event, which is {last}");
                return Err(invalid_field(path, "range", &message));
            }
        }
        Ok((from, to))
    }

    /// Returns the index of the last checkpoint in the transparency log; `None` while it is pending, or if
    /// it differs from the logged one.
    async fn index(&self, cx: &Cx, tenant: TenantId) -> Result<Option<i64>> {
        let Some((seq, hash)) = &self.last_checkpoint else { return Ok(None) };
        let (Ok(salt), Ok(hash)) = (hex::decode(&self.salt), hash.parse()) else { return Ok(None) };
        let Ok(seq) = Number::try_from(*seq) else { return Ok(None) };
        let tenant_tag = audit::tenant_tag(tenant, &salt);
        let checkpoint = audit::Checkpoint { tenant_tag, seq, hash, count: seq };
        let digest = audit::checkpoint(&checkpoint).digest;
        transparency_log::index(&cx.governance, EntryKind::AuditCheckpoint, digest).await
    }

    fn report(
        self,
        checked: i64,
        divergence: Option<Divergence>,
        log_index: Option<i64>,
    ) -> AuditReport {
        let anchored = self.last_checkpoint.as_ref().map_or(0, |(seq, _)| *seq);
        AuditReport {
            status: divergence.as_ref().map_or(AuditStatus::Intact, |divergence| divergence.status),
            checked,
            first_divergence: divergence.map(|divergence| AuditDivergence {
                seq: divergence.seq,
                kind: divergence.kind.to_owned(),
                expected: divergence.expected,
                actual: divergence.actual,
            }),
            unanchored_tail: self.head.seq.saturating_sub(anchored).max(0),
            last_checkpoint: self.last_checkpoint.map(|(seq, hash)| AuditCheckpoint {
                seq,
                hash,
                log_index,
            }),
            head: self.head,
        }
    }
}

/// Returns the number of verified events, and the first divergence among them or at the end of the log.
async fn check(
    tx: &TenantTx,
    log: &LogBounds,
    (from, to): (i64, i64),
) -> Result<(i64, Option<Divergence>)> {
    let (verifier, checked, result) = verify_events(tx, start(tx, from).await?, to).await?;
    let divergence = match result.and_then(|()| verifier.finish(to, &log.end())) {
        Ok(()) => None,
        Err(divergence) => Some(classify_divergence(tx, divergence).await?),
    };
    Ok((checked, divergence))
}

/// Returns a verifier that resumes after the event before `from`. If that event is missing, the verifier
/// starts at the first event, so that it finds the start of the gap.
async fn start(tx: &TenantTx, from: i64) -> Result<Verifier> {
    let before = from.saturating_sub(1);
    let event = tx
        .find::<Entity>()
        .filter(Column::Seq.eq(before))
        .select_only()
        .column(Column::Event)
        .into_tuple::<String>()
        .one(tx.connection())
        .await?;
    Ok(match event {
        Some(event) => Verifier::resume_after(tx.tenant_id(), before, &event),
        None => Verifier::new(tx.tenant_id()),
    })
}

// SQL: two left joins, digests as text, and the timestamp as text with microseconds. The range is repeated for each
// table, so that its index is used.
const SELECT_EVENTS: &str = "SELECT e.seq, e.event_id::text, \
     coalesce(to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), ''), \
     e.action, e.actor_type, e.actor_id, e.object_type, e.object_id, e.event, encode(e.hash, 'hex'), \
     encode(e.prev, 'hex'), p.personal, encode(c.hash, 'hex') FROM audit_events e \
     LEFT JOIN audit_personal p ON p.tenant_id = $1 AND p.seq = e.seq AND p.seq BETWEEN $2 AND $3 \
     LEFT JOIN audit_checkpoints c ON c.tenant_id = $1 AND c.seq = e.seq AND c.seq BETWEEN $2 AND $3 \
     WHERE e.tenant_id = $1 AND e.seq BETWEEN $2 AND $3 ORDER BY e.seq LIMIT $4";

/// Verifies the events from the start of `verifier` up to `to`, until one differs or is missing. Returns the verifier
/// after the last verified page, and the number of verified events.
///
/// A page is verified in its own task, beginning with the hash of the event before it. If that event or an earlier one
/// differs, the result of the page is not used.
async fn verify_events(
    tx: &TenantTx,
    mut verifier: Verifier,
    to: i64,
) -> Result<(Verifier, i64, StepResult)> {
    let mut pages = VecDeque::new();
    let (mut first, mut checked) = (verifier.next(), 0);
    loop {
        if first <= to {
            let last = first.saturating_add(PAGE_ROWS - 1).min(to);
            let rows = read_events(tx, first, last).await?;
            let before = rows.last().map_or("", StoredRow::event);
            let next = Verifier::resume_after(tx.tenant_id(), last, before);
            pages.push_back((last, verify_page(std::mem::replace(&mut verifier, next), rows)));
            first = last.saturating_add(1);
        }
        if first <= to && pages.len() < PAGES_MAX {
            continue;
        }
        let Some((last, page)) = pages.pop_front() else {
            return Ok((verifier, checked, Ok(())));
        };
        let (end, result) = page.await.map_err(Error::internal)?;
        checked += end.checked();
        if result.is_err() || end.next() <= last || last == to {
            return Ok((end, checked, result));
        }
    }
}

/// Reads the events from `first` to `last`. One row more than sequence numbers is read, so that a duplicate number is
/// detected at any page boundary.
async fn read_events(tx: &TenantTx, first: i64, last: i64) -> Result<Vec<StoredRow>> {
    let page = [first.into(), last.into(), (PAGE_ROWS + 1).into()];
    let rows = tx.all(SELECT_EVENTS, page).await?;
    rows.iter().map(StoredRow::from_row).collect()
}

/// Verifies the events of a page. Returns the verifier after them.
fn verify_page(mut verifier: Verifier, rows: Vec<StoredRow>) -> JoinHandle<(Verifier, StepResult)> {
    tokio::task::spawn_blocking(move || {
        let result = verifier.run(rows.iter().map(StoredRow::to_event));
        (verifier, result)
    })
}

/// An audit event as stored.
struct StoredRow {
    seq: i64,
    /// The columns from `event_id` to `prev`, in the order of the query.
    texts: [String; 10],
    personal: Option<String>,
    checkpoint: Option<String>,
}

impl StoredRow {
    fn from_row(row: &QueryResult) -> Result<Self> {
        let mut texts = <[String; 10]>::default();
        for (index, text) in texts.iter_mut().enumerate() {
            *text = row.try_get_by_index(index + 1)?;
        }
        // The text of the event has milliseconds. A column value with more digits differs from it.
        let [_, occurred_at, ..] = &mut texts;
        if let Some(millis) = occurred_at.strip_suffix("000") {
            *occurred_at = format!("{millis}Z");
        }
        Ok(Self {
            seq: row.try_get_by_index(0)?,
            texts,
            personal: row.try_get_by_index(11)?,
            checkpoint: row.try_get_by_index(12)?,
        })
    }

    /// Returns the stored bytes of the event.
    fn event(&self) -> &str {
        self.to_event().event
    }

    fn to_event(&self) -> StoredEvent<'_> {
        let [event_id, occurred_at, action, actor_type, actor_id, rest @ ..] = &self.texts;
        let [object_type, object_id, event, hash, prev] = rest;
        StoredEvent {
            seq: self.seq,
            event_id,
            occurred_at,
            action,
            actor: EntityRef { kind: actor_type, id: actor_id },
            object: EntityRef { kind: object_type, id: object_id },
            event,
            hash,
            prev,
            personal: self.personal.as_deref(),
            checkpoint: self.checkpoint.as_deref(),
        }
    }
}

/// Classifies a divergence with the whole log: an event with a wrong predecessor is a fork if another event
/// has the same predecessor.
async fn classify_divergence(tx: &TenantTx, divergence: Divergence) -> Result<Divergence> {
    let prev = divergence.shared_predecessor().and_then(|prev| hex::decode(prev).ok());
    let Some(prev) = prev else { return Ok(divergence) };
    let sibling = tx
        .find::<Entity>()
        .filter(Column::Prev.eq(prev))
        .filter(Column::Seq.ne(divergence.seq))
        .select_only()
        .column(Column::Seq)
        .into_tuple::<i64>()
        .one(tx.connection())
        .await?;
    Ok(if sibling.is_some() { divergence.forked() } else { divergence })
}
