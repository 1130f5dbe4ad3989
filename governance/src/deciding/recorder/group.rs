//! Writes a group, and handles its records that cannot be written at the first attempt.

use contract::id::TenantId;
use receipt::statement::ChainPosition;

use super::{
    Entry, Record, StoredRecord,
    queue::Group,
    record_group::{GroupResult, LinkedBatch, NotWritten, call, call_with_head_locked},
    tenant_batch::TenantBatch,
};
use crate::{
    Governance,
    base::{
        audit_event::Head,
        database,
        error::{Error, Result},
        observe::Observed,
        tenancy::TenantTx,
    },
};

/// The number of attempts to write a group as a whole: first with the cached heads, then with the heads
/// that the database returned. A tenant whose head moves again is written alone with its head locked.
const ROUNDS_MAX: u32 = 2;

struct GroupState {
    /// Batches with unwritten records.
    open: Vec<TenantBatch>,
    /// Batches of tenants whose head is locked by another transaction.
    locked: Vec<TenantBatch>,
}

/// Writes `group` and responds to all its callers, except those of tenants whose head is locked. Their
/// entries are returned, so that only they wait.
pub(super) async fn write(governance: Governance, group: Group<Entry>) -> Group<Entry> {
    let open = group.into_iter().map(|(tenant, entries)| new_batch(&governance, tenant, entries));
    let mut state = GroupState { open: open.collect(), locked: Vec::new() };
    if let Err(error) = write_until_done(&governance, &mut state).await {
        // If the database rejected the group, the cause is one record, and the others are written without
        // it. If the database is unavailable, all records fail.
        if matches!(error, Error::Bug(_))
            && state.open.iter().map(TenantBatch::len).sum::<usize>() > 1
        {
            write_individually(&governance, state.open).await;
        } else {
            state.open.into_iter().for_each(|batch| batch.fail_all(&error));
        }
    }
    let entries = |batch: TenantBatch| (batch.tenant, batch.into_entries().collect());
    state.locked.into_iter().map(entries).collect()
}

fn new_batch(governance: &Governance, tenant: TenantId, entries: Vec<Entry>) -> TenantBatch {
    TenantBatch::new(tenant, entries, governance.recorder().heads.get(&tenant))
}

async fn write_individually(governance: &Governance, batches: Vec<TenantBatch>) {
    for batch in batches {
        let tenant = batch.tenant;
        for entry in batch.into_entries() {
            let alone = vec![new_batch(governance, tenant, vec![entry])];
            let mut state = GroupState { open: alone, locked: Vec::new() };
            if let Err(error) = write_until_done(governance, &mut state).await {
                state.open.into_iter().for_each(|batch| batch.fail_all(&error));
            }
        }
    }
}

/// Writes the open batches until only locked ones are left.
async fn write_until_done(governance: &Governance, state: &mut GroupState) -> Result<()> {
    // A single tenant can wait for its head, because no other tenant is delayed.
    let waits = state.open.len() == 1;
    for _ in 0..ROUNDS_MAX {
        let batches = state.open.iter().map(TenantBatch::link).collect::<Result<Vec<_>>>()?;
        let result = call(governance.database(), waits, &batches, None).await?;
        let heads = batches.into_iter().map(LinkedBatch::into_head).collect();
        apply_result(governance, state, result, heads);
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

/// Applies the result of a call. `heads` contains the head of each open batch after its records.
fn apply_result(
    governance: &Governance,
    state: &mut GroupState,
    mut result: GroupResult,
    heads: Vec<Head>,
) {
    let mut records = 0;
    for (mut batch, after) in std::mem::take(&mut state.open).into_iter().zip(heads) {
        match result.remove(&batch.tenant) {
            None => {
                records += batch.len();
                batch.mark_recorded(after);
            }
            Some(NotWritten::Conflict { head, known }) => batch.retry_from(head, known),
            Some(NotWritten::HeadLocked) => {
                state.locked.push(batch);
                continue;
            }
        }
        governance.recorder().heads.insert(batch.tenant, batch.head.clone());
        if !batch.is_complete() {
            state.open.push(batch);
        }
    }
    if records > 0 {
        governance.emit(Observed::Grouped { records });
    }
}

/// Writes one batch alone. The first call locks the head, so the head it returns stays valid for the next
/// call.
async fn write_with_head_locked(governance: &Governance, batch: &mut TenantBatch) -> Result<()> {
    let tx = database::begin(governance.database()).await?;
    while !batch.is_complete() {
        match call_with_head_locked(&tx, batch.link()?, None).await? {
            Ok(after) => {
                tx.commit().await?;
                governance.recorder().heads.insert(batch.tenant, after.clone());
                governance.emit(Observed::Grouped { records: batch.len() });
                batch.mark_recorded(after);
                return Ok(());
            }
            Err(NotWritten::Conflict { head, known }) => batch.retry_from(head, known),
            Err(NotWritten::HeadLocked) => return Err(head_locked()),
        }
    }
    Ok(tx.rollback().await?)
}

/// Writes one record and commits `tx`, which may already contain writes of the caller. Returns the stored
/// record, or the one that was stored earlier under its idempotency key. In that case nothing is committed.
///
/// # Errors
/// Database errors.
pub(crate) async fn write_single(
    governance: &Governance,
    mut tx: TenantTx,
    record: Record,
    chain: Option<ChainPosition>,
) -> Result<StoredRecord> {
    let tenant = tx.tenant_id();
    let head = tx.lock_head().await?.clone();
    let batch = LinkedBatch::new(tenant, &head, [&record])?;
    match call_with_head_locked(tx.connection(), batch, chain).await? {
        Ok(after) => {
            tx.commit_without_event().await?;
            governance.recorder().heads.insert(tenant, after);
            governance.emit(Observed::Grouped { records: 1 });
            Ok(record.into())
        }
        Err(NotWritten::Conflict { mut known, .. }) => {
            tx.finish_read().await?;
            let stored = known.remove(&record.idempotency_key);
            stored.ok_or_else(|| Error::bug("a record was not written although the head is locked"))
        }
        Err(NotWritten::HeadLocked) => Err(head_locked()),
    }
}

/// Returns the error for a call that waited for the head but reports it as locked.
fn head_locked() -> Error {
    Error::bug("a head is locked although the call waited for it")
}
