//! Writes a group, and handles its records that cannot be written at the first attempt.

use contract::id::TenantId;

use super::{
    Entry, Record, StoredRecord,
    queue::Group,
    record_group::{GroupResult, NotWritten, TenantPart, call, call_with_head_locked},
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

/// A group being written.
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
        // If the database rejected the group, one record is the cause, and the others are written without
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
    for group_batch in batches {
        let tenant = group_batch.tenant;
        for entry in group_batch.into_entries() {
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
        let (parts, heads) = link_batches(&state.open)?;
        let result = call(governance.database(), waits, &parts).await?;
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

/// Returns the parts to send and the head of each tenant after them.
fn link_batches(batches: &[TenantBatch]) -> Result<(Vec<TenantPart<'_>>, Vec<Head>)> {
    let mut parts = Vec::with_capacity(batches.len());
    let mut heads = Vec::with_capacity(batches.len());
    for batch in batches {
        let (linked, head) = batch.link()?;
        parts.push(TenantPart { tenant: batch.tenant, head: &batch.head, linked });
        heads.push(head);
    }
    Ok((parts, heads))
}

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
        let (linked, after) = batch.link()?;
        let part = TenantPart { tenant: batch.tenant, head: &batch.head, linked };
        match call_with_head_locked(&tx, part).await? {
            Ok(()) => {
                tx.commit().await?;
                governance.recorder().heads.insert(batch.tenant, after.clone());
                governance.emit(Observed::Grouped { records: batch.len() });
                batch.mark_recorded(after);
                return Ok(());
            }
            Err(NotWritten::Conflict { head, known }) => batch.retry_from(head, known),
            Err(NotWritten::HeadLocked) => {
                return Err(Error::bug("a head is locked although the call waited for it"));
            }
        }
    }
    Ok(tx.rollback().await?)
}

/// A record written alone, with its audit event, in a transaction that is still open.
#[derive(Debug)]
pub(crate) struct SingleWrite {
    /// The head of the tenant after the record.
    head: Head,
}

/// Writes one record in a transaction that locks the tenant head. Returns the stored record if its
/// idempotency key was used before.
///
/// # Errors
/// Database errors.
pub(crate) async fn write_single(
    tx: &mut TenantTx,
    record: &Record,
) -> Result<std::result::Result<SingleWrite, StoredRecord>> {
    let head = tx.lock_head().await?.clone();
    let mut after = head.clone();
    let linked = record.event.link(&mut after)?;
    let part = TenantPart { tenant: record.tenant_id, head: &head, linked: vec![(record, linked)] };
    match call_with_head_locked(tx.connection(), part).await? {
        Ok(()) => Ok(Ok(SingleWrite { head: after })),
        Err(NotWritten::Conflict { mut known, .. }) if !known.is_empty() => {
            let stored = known.remove(&record.idempotency_key);
            stored.map(Err).ok_or_else(|| Error::bug("the result is for another idempotency key"))
        }
        Err(not_written) => {
            Err(Error::bug(format!("not written although the head is locked: {not_written:?}")))
        }
    }
}

impl SingleWrite {
    /// Commits the transaction and caches the head for the next group.
    pub(crate) async fn commit(self, governance: &Governance, tx: TenantTx) -> Result<()> {
        let tenant = tx.tenant_id();
        tx.commit_without_event().await?;
        governance.recorder().heads.insert(tenant, self.head);
        governance.emit(Observed::Grouped { records: 1 });
        Ok(())
    }
}
