//! Writes a group, and handles its records that cannot be written at the first attempt.

use receipt::statement::ChainPosition;

use super::{
    Entry, Record, StoredRecord,
    queue::{Entries, Group},
    record_group::{GroupResult, LinkedBatch, NotWritten, call, call_with_head_locked},
};
use crate::{
    base::{audit_event::Head, prelude::*},
    deciding::recorder::TenantBatch,
};

/// The number of attempts to write a group as a whole: first with the cached heads, then with the heads
/// that the database returned. Tenants whose heads move again are then written one by one with their heads
/// locked, and so are all tenants of a group that repeats a known idempotency key.
const ROUNDS_MAX: u32 = 2;

struct GroupState {
    /// Whether to wait for heads that other transactions have locked.
    waits: bool,
    /// Batches with unwritten records.
    open: Vec<TenantBatch>,
    /// Batches of tenants whose head is locked by another transaction.
    locked: Vec<TenantBatch>,
}

/// Writes `group` and responds to all its callers, except those of tenants whose head is locked. Their
/// entries are returned, so that only they wait.
pub(super) async fn write(governance: Governance, group: Group<Entry>) -> Entries<Entry> {
    let Group { entries, waits } = group;
    let open = entries.into_iter().map(|(tenant, entries)| new_batch(&governance, tenant, entries));
    let mut state = GroupState { waits, open: open.collect(), locked: Vec::new() };
    if let Err(error) = write_until_done(&governance, &mut state).await {
        // If the database refused the group, the cause is one record, and the others are written without
        // it. If the database is unavailable, all records fail.
        if matches!(error, Error::Bug(_))
            && state.open.iter().map(TenantBatch::len).sum::<usize>() > 1
        {
            write_individually(&governance, state.open).await;
        } else {
            state.open.into_iter().for_each(|batch| batch.fail_all(&error));
        }
    }
    let requeued = |mut entry: Entry| {
        if let Some(trace) = &mut entry.trace {
            trace.requeue(governance.tracer());
        }
        entry
    };
    let entries = |batch: TenantBatch| (batch.tenant, batch.into_entries().map(requeued).collect());
    state.locked.into_iter().map(entries).collect()
}

fn new_batch(governance: &Governance, tenant: TenantId, entries: Vec<Entry>) -> TenantBatch {
    TenantBatch::new(tenant, entries, governance.deciding().recorder.heads.get(&tenant).as_deref())
}

async fn write_individually(governance: &Governance, batches: Vec<TenantBatch>) {
    for batch in batches {
        let tenant = batch.tenant;
        for entry in batch.into_entries() {
            let alone = vec![new_batch(governance, tenant, vec![entry])];
            let mut state = GroupState { waits: true, open: alone, locked: Vec::new() };
            if let Err(error) = write_until_done(governance, &mut state).await {
                state.open.into_iter().for_each(|batch| batch.fail_all(&error));
            }
        }
    }
}

/// Writes the open batches until only locked ones are left.
async fn write_until_done(governance: &Governance, state: &mut GroupState) -> Result<()> {
    for _ in 0..ROUNDS_MAX {
        let batches = state.open.iter().map(TenantBatch::link).collect::<Result<Vec<_>>>()?;
        let GroupResult::WrittenExcept(rest) =
            call(governance.database(), state.waits, &batches, None).await?
        else {
            break;
        };
        let heads = batches.into_iter().map(LinkedBatch::into_head).collect();
        apply_result(governance, state, rest, heads);
        if state.open.is_empty() {
            return Ok(());
        }
    }
    while let Some(batch) = state.open.last_mut() {
        write_with_head_locked(governance, batch).await?;
        state.open.pop();
    }
    Ok(())
}

/// Applies the result of a call that wrote all open batches except those of `rest`. `heads` contains the head of
/// each open batch after its records.
fn apply_result(
    governance: &Governance,
    state: &mut GroupState,
    mut rest: HashMap<TenantId, NotWritten>,
    heads: Vec<Head>,
) {
    let mut records = 0;
    for (mut batch, after) in std::mem::take(&mut state.open).into_iter().zip(heads) {
        match rest.remove(&batch.tenant) {
            None => {
                records += batch.len();
                batch.mark_recorded(after);
            }
            Some(NotWritten::HeadChanged(head)) => batch.retry_from(head, HashMap::new()),
            Some(NotWritten::HeadLocked) => {
                state.locked.push(batch);
                continue;
            }
        }
        governance.deciding().recorder.heads.insert(batch.tenant, Arc::new(batch.head.clone()));
        if !batch.is_complete() {
            state.open.push(batch);
        }
    }
    if records > 0 {
        governance.emit(Observed::Grouped { records });
    }
}

/// Writes one batch alone: the head is locked before known keys are looked up and the records are linked.
async fn write_with_head_locked(governance: &Governance, batch: &mut TenantBatch) -> Result<()> {
    let mut tx = TenantTx::begin(governance.database(), batch.tenant).await?;
    let head = tx.lock_head().await?.clone();
    batch.retry_from(head, stored_under(&tx, batch.keys()).await?);
    if batch.is_complete() {
        return tx.finish_read().await;
    }
    let after = call_with_head_locked(&tx, batch.link()?, None).await?;
    tx.commit_without_event().await?;
    governance.deciding().recorder.heads.insert(batch.tenant, Arc::new(after.clone()));
    governance.emit(Observed::Grouped { records: batch.len() });
    batch.mark_recorded(after);
    Ok(())
}

// SQL: returns four columns of large rows.
const SELECT_BY_KEYS: &str = "SELECT idempotency_key, id, request_digest, texts FROM decisions \
                              WHERE tenant_id = $1 AND idempotency_key = ANY ($2)";

/// Returns the records stored under `keys`.
async fn stored_under(tx: &TenantTx, keys: Vec<String>) -> Result<HashMap<String, StoredRecord>> {
    let rows = tx.tuples(SELECT_BY_KEYS, [keys.into()]).await?;
    let stored = rows
        .into_iter()
        .map(|(key, id, digest, texts)| Ok((key, StoredRecord::read((id, digest, texts))?)));
    stored.collect()
}

/// Writes one record and commits `tx`, which may already contain writes of the caller. The caller has looked up its
/// idempotency key.
///
/// # Errors
/// Database errors, and an internal error if the idempotency key was used in the meantime. Then nothing is
/// written.
pub(crate) async fn write_single(
    governance: &Governance,
    mut tx: TenantTx,
    record: Record,
    chain: Option<ChainPosition>,
) -> Result<StoredRecord> {
    let _commit = governance.tracer().phase("commit");
    let tenant = tx.tenant_id();
    let head = tx.lock_head().await?.clone();
    let batch = LinkedBatch::new(tenant, &head, [&record])?;
    let after = call_with_head_locked(&tx, batch, chain).await?;
    tx.commit_without_event().await?;
    governance.deciding().recorder.heads.insert(tenant, Arc::new(after));
    governance.emit(Observed::Grouped { records: 1 });
    Ok(record.into())
}
