//! Checks a tenant's log against itself, from the stored bytes.

use contract::{
    audit::{AuditCheckpoint, AuditDivergence, AuditHead, AuditRange, AuditReport, AuditStatus},
    id::TenantId,
    json::Number,
};
use entity::audit_event::{Column, Entity};
use receipt::{
    audit::{
        self, Party,
        verify::{Divergence, End, Row, Step, Verifier},
    },
    log::EntryKind,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryResult, QuerySelect};

use crate::{
    cx::Cx,
    error::{Error, Refusal, Result, invalid_field, log::verification_running},
    permission,
    tenancy::TenantTx,
};

/// How many events are in memory at a time.
const PAGE: i64 = 512;

/// Checks the events of a range, and the end of the log.
///
/// Everything is read as it is at one moment, so acts that go on meanwhile raise no alarm. That takes a connection
/// until the end, so one verification of a tenant runs at a time, in all processes, and few in one process.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `CONFLICT` while another verification of the tenant runs, `SERVICE_UNAVAILABLE`
/// while too many of other tenants do; `VALIDATION_ERROR` for a range that reaches beyond the last
/// event, unless a checkpoint says that there was such an event.
pub async fn verify(cx: &Cx, range: AuditRange) -> Result<AuditReport> {
    let tenant = cx.tenant(permission::VERIFY_AUDIT)?;
    let _verification = cx.governance.long_reads().verification(tenant.id())?;
    let tx = tenant.begin_snapshot().await?;
    lock(&tx).await?;
    let log = Log::read(&tx).await?;
    let (checked, divergence) = match log.bounds(range) {
        Ok(bounds) => check(&tx, &log, bounds).await?,
        // Whoever asks for an event that was cut off is told so.
        Err(beyond) => (0, Some(log.end().check().err().ok_or(beyond)?)),
    };
    tx.end().await?;
    let log_index = log.index(cx, tenant.id()).await?;
    Ok(log.report(checked, divergence, log_index))
}

// SQL: an advisory lock.
// The lock is held until the transaction ends. It holds up nothing but other verifications.
const LOCK: &str = "SELECT pg_try_advisory_xact_lock(\
     hashtextextended('audit verification ' || $1::text, 0))";

/// Locks the verification of the tenant's log, so that no other process verifies it.
async fn lock(tx: &TenantTx) -> Result<()> {
    let row = tx.one(LOCK, []).await?;
    let row = row.ok_or_else(|| Error::bug("a function without its row"))?;
    if row.try_get_by_index(0)? { Ok(()) } else { Err(verification_running().into()) }
}

/// Where a log ends.
struct Log {
    head: AuditHead,
    last_event: i64,
    last_checkpoint: Option<(i64, String)>,
    salt: String,
}

// SQL: one row of three tables, two of which may have none.
const LOG: &str = "SELECT h.audit_seq, h.audit_hash, \
     (SELECT max(seq) FROM audit_events WHERE tenant_id = $1), c.seq, c.hash, \
     h.audit_salt FROM tenant_heads h LEFT JOIN LATERAL (SELECT seq, hash FROM audit_checkpoints \
     WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1) c ON true WHERE h.tenant_id = $1";

impl Log {
    async fn read(tx: &TenantTx) -> Result<Self> {
        let row = tx.one(LOG, []).await?;
        let row = row.ok_or_else(|| Error::bug("a tenant without its head row"))?;
        let checkpoint: (Option<i64>, Option<String>) =
            (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
        Ok(Self {
            head: AuditHead { seq: row.try_get_by_index(0)?, hash: row.try_get_by_index(1)? },
            last_event: row.try_get_by_index::<Option<i64>>(2)?.unwrap_or(0),
            last_checkpoint: checkpoint.0.zip(checkpoint.1),
            salt: row.try_get_by_index(5)?,
        })
    }

    fn end(&self) -> End<'_> {
        End {
            head_seq: self.head.seq,
            head_hash: &self.head.hash,
            last_event: self.last_event,
            last_checkpoint: self.last_checkpoint.as_ref().map(|(seq, hash)| (*seq, &**hash)),
        }
    }

    /// The first and the last event to check.
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

    /// The number of the last checkpoint in the transparency log; none while it waits, or when it is not
    /// the one that was logged.
    async fn index(&self, cx: &Cx, tenant: TenantId) -> Result<Option<i64>> {
        let Some((seq, hash)) = &self.last_checkpoint else { return Ok(None) };
        let (Ok(salt), Ok(hash)) = (hex::decode(&self.salt), hash.parse()) else { return Ok(None) };
        let Ok(seq) = Number::try_from(*seq) else { return Ok(None) };
        let tenant_tag = audit::tenant_tag(tenant, &salt);
        let checkpoint = audit::Checkpoint { tenant_tag, seq, hash, count: seq };
        let digest = audit::checkpoint(&checkpoint).digest;
        crate::log::index(&cx.governance, EntryKind::AuditCheckpoint, digest).await
    }

    fn report(
        self,
        checked: i64,
        divergence: Option<Divergence>,
        log_index: Option<i64>,
    ) -> AuditReport {
        let anchored = self.last_checkpoint.as_ref().map_or(0, |(seq, _)| *seq);
        let (status, first_divergence) = match divergence {
            None => (AuditStatus::Intact, None),
            Some(found) => (
                found.status,
                Some(AuditDivergence {
                    seq: found.seq,
                    kind: found.kind.to_owned(),
                    expected: found.expected,
                    actual: found.actual,
                }),
            ),
        };
        AuditReport {
            status,
            checked,
            first_divergence,
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

/// How many of these events were checked, and the first difference among them or at the end of the
/// log.
async fn check(
    tx: &TenantTx,
    log: &Log,
    (from, to): (i64, i64),
) -> Result<(i64, Option<Divergence>)> {
    let mut verifier = start(tx, from).await?;
    let walked = walk(tx, &mut verifier, to).await?;
    let found = match walked.and_then(|()| verifier.finish(to, &log.end())) {
        Ok(()) => None,
        Err(found) => Some(whole(tx, found).await?),
    };
    Ok((verifier.checked(), found))
}

/// A check that goes on after the event before `from`. When that event is missing, the check starts
/// at the first one: so it finds where the gap begins.
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
        Some(event) => Verifier::after(tx.tenant_id(), before, &event),
        None => Verifier::new(tx.tenant_id()),
    })
}

// SQL: two left joins, and the instant as text, to the microsecond.
const EVENTS: &str = "SELECT e.seq, e.event_id::text, \
     coalesce(to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), ''), \
     e.action, e.actor_type, e.actor_id, e.object_type, e.object_id, e.event, e.hash, e.prev, \
     p.personal, c.hash FROM audit_events e \
     LEFT JOIN audit_personal p ON p.tenant_id = e.tenant_id AND p.seq = e.seq \
     LEFT JOIN audit_checkpoints c ON c.tenant_id = e.tenant_id AND c.seq = e.seq \
     WHERE e.tenant_id = $1 AND e.seq BETWEEN $2 AND $3 ORDER BY e.seq LIMIT $4";

/// Checks the events up to `to`, page by page, until one differs or is missing.
async fn walk(tx: &TenantTx, verifier: &mut Verifier, to: i64) -> Result<Step> {
    while verifier.next() <= to {
        let first = verifier.next();
        let last = first.saturating_add(PAGE - 1).min(to);
        // One row more than there are numbers: so an event whose number is taken twice is seen,
        // wherever the page ends.
        let page = [first.into(), last.into(), (PAGE + 1).into()];
        let rows = tx.all(EVENTS, page).await?;
        let rows = rows.iter().map(Stored::read).collect::<Result<Vec<_>>>()?;
        let walked = verifier.run(rows.iter().map(Stored::row));
        if walked.is_err() || verifier.next() <= last {
            return Ok(walked);
        }
    }
    Ok(Ok(()))
}

/// A row as it came from the store.
struct Stored {
    seq: i64,
    /// From `event_id` to `prev`, in the order of the query.
    texts: [String; 10],
    personal: Option<String>,
    checkpoint: Option<String>,
}

impl Stored {
    fn read(row: &QueryResult) -> Result<Self> {
        let mut texts = <[String; 10]>::default();
        for (index, text) in texts.iter_mut().enumerate() {
            *text = row.try_get_by_index(index + 1)?;
        }
        // The text of the event has milliseconds; a column with more says something else.
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

    fn row(&self) -> Row<'_> {
        let [event_id, occurred_at, action, actor_type, actor_id, rest @ ..] = &self.texts;
        let [object_type, object_id, event, hash, prev] = rest;
        Row {
            seq: self.seq,
            event_id,
            occurred_at,
            action,
            actor: Party { kind: actor_type, id: actor_id },
            object: Party { kind: object_type, id: object_id },
            event,
            hash,
            prev,
            personal: self.personal.as_deref(),
            checkpoint: self.checkpoint.as_deref(),
        }
    }
}

/// The difference, in the light of the whole log: an event after a wrong predecessor makes a fork
/// when another event stands there too.
async fn whole(tx: &TenantTx, found: Divergence) -> Result<Divergence> {
    let Some(prev) = found.shared_predecessor() else { return Ok(found) };
    let sibling = tx
        .find::<Entity>()
        .filter(Column::Prev.eq(prev))
        .filter(Column::Seq.ne(found.seq))
        .select_only()
        .column(Column::Seq)
        .into_tuple::<i64>()
        .one(tx.connection())
        .await?;
    Ok(if sibling.is_some() { found.forked() } else { found })
}
