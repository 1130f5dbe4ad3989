//! How a group is written, and what is done about those of its members that cannot be at once.

use contract::id::TenantId;

use super::{
    Entry, Record, Recorded, Stored,
    call::{Answer, Part, Unwritten, call, call_held},
    queue::Group,
    share::Share,
};
use crate::{
    Governance, database,
    error::{Error, Result},
    observe::Observed,
    tenancy::{Head, TenantTx},
};

/// How often a group is tried as a whole: once with the heads as remembered, once with the heads as
/// the database has told them. Whose head moves yet again is written alone, holding it.
const ROUNDS: u32 = 2;

/// A group under way.
struct Work {
    /// Shares with records that are open.
    open: Vec<Share>,
    /// Shares of tenants whose heads somebody holds.
    held: Vec<Share>,
}

/// Writes `group` and answers everybody in it, except tenants whose heads somebody holds: those are
/// given back, so that they alone wait.
pub(super) async fn write(governance: Governance, group: Group<Entry>) -> Group<Entry> {
    let open = group.into_iter().map(|(tenant, entries)| share(&governance, tenant, entries));
    let mut work = Work { open: open.collect(), held: Vec::new() };
    if let Err(error) = settle(&governance, &mut work).await {
        // What the database has refused is the fault of a member: the others go on without it. When
        // the store is away, it is so for all.
        if matches!(error, Error::Bug(_)) && work.open.iter().map(Share::len).sum::<usize>() > 1 {
            one_by_one(&governance, work.open).await;
        } else {
            work.open.into_iter().for_each(|share| share.failed(&error));
        }
    }
    let entries = |share: Share| (share.tenant, share.into_entries().collect());
    work.held.into_iter().map(entries).collect()
}

fn share(governance: &Governance, tenant: TenantId, entries: Vec<Entry>) -> Share {
    Share::new(tenant, entries, governance.recorder().heads.get(&tenant))
}

async fn one_by_one(governance: &Governance, shares: Vec<Share>) {
    for share_of_group in shares {
        let tenant = share_of_group.tenant;
        for entry in share_of_group.into_entries() {
            let alone = vec![share(governance, tenant, vec![entry])];
            let mut work = Work { open: alone, held: Vec::new() };
            if let Err(error) = settle(governance, &mut work).await {
                work.open.into_iter().for_each(|share| share.failed(&error));
            }
        }
    }
}

/// Writes the open shares until none is left but those that are held.
async fn settle(governance: &Governance, work: &mut Work) -> Result<()> {
    // With one tenant there is nobody whom waiting would harm.
    let waits = work.open.len() == 1;
    for _ in 0..ROUNDS {
        let (parts, heads) = linked(&work.open)?;
        let answer = call(governance.database(), waits, &parts).await?;
        take_in(governance, work, answer, heads);
        if work.open.is_empty() {
            return Ok(());
        }
    }
    while let Some(share) = work.open.last_mut() {
        hold(governance, share).await?;
        work.open.pop();
    }
    Ok(())
}

/// The shares as they are sent, and each tenant's head after them.
fn linked(shares: &[Share]) -> Result<(Vec<Part<'_>>, Vec<Head>)> {
    let mut parts = Vec::with_capacity(shares.len());
    let mut heads = Vec::with_capacity(shares.len());
    for share in shares {
        let (linked, head) = share.link()?;
        parts.push(Part { tenant: share.tenant, head: &share.head, linked });
        heads.push(head);
    }
    Ok((parts, heads))
}

fn take_in(governance: &Governance, work: &mut Work, mut answer: Answer, heads: Vec<Head>) {
    let mut records = 0;
    for (mut share, after) in std::mem::take(&mut work.open).into_iter().zip(heads) {
        match answer.remove(&share.tenant) {
            None => {
                records += share.len();
                share.recorded(after);
            }
            Some(Unwritten::Learned { head, known }) => share.learned(head, known),
            Some(Unwritten::Held) => {
                work.held.push(share);
                continue;
            }
        }
        governance.recorder().heads.insert(share.tenant, share.head.clone());
        if !share.is_over() {
            work.open.push(share);
        }
    }
    if records > 0 {
        governance.tell(Observed::Grouped { records });
    }
}

/// Writes a share alone. Its first call locks the head, so that what it learns holds for the next.
async fn hold(governance: &Governance, share: &mut Share) -> Result<()> {
    let tx = database::begin(governance.database()).await?;
    while !share.is_over() {
        let (linked, after) = share.link()?;
        let part = Part { tenant: share.tenant, head: &share.head, linked };
        match call_held(&tx, part).await? {
            Ok(_) => {
                tx.commit().await?;
                governance.recorder().heads.insert(share.tenant, after.clone());
                governance.tell(Observed::Grouped { records: share.len() });
                share.recorded(after);
                return Ok(());
            }
            Err(Unwritten::Learned { head, known }) => share.learned(head, known),
            Err(Unwritten::Held) => return Err(Error::bug("a head that was waited for is held")),
        }
    }
    Ok(tx.rollback().await?)
}

/// A record that was written alone, in a transaction that has not ended.
#[derive(Debug)]
pub(crate) struct Alone {
    recorded: Recorded,
    /// The tenant's head after it.
    head: Head,
}

/// Writes one record in a transaction that holds the head of its tenant; nothing when its key was used
/// before, and then what was recorded under it.
///
/// # Errors
/// The database's own.
pub(crate) async fn within(
    tx: &mut TenantTx,
    record: &Record,
) -> Result<std::result::Result<Alone, Stored>> {
    let head = tx.head().await?.clone();
    let mut after = head.clone();
    let linked = record.event.link(&mut after)?;
    let part = Part { tenant: record.tenant_id, head: &head, linked: vec![(record, linked)] };
    match call_held(tx.connection(), part).await? {
        Ok(recorded) => Ok(Ok(Alone { recorded, head: after })),
        Err(Unwritten::Learned { mut known, .. }) if !known.is_empty() => {
            let stored = known.remove(&record.idempotency_key);
            stored.map(Err).ok_or_else(|| Error::bug("another key than the one asked for is known"))
        }
        Err(unwritten) => Err(Error::bug(format!("the head is held, yet: {unwritten:?}"))),
    }
}

impl Alone {
    /// Ends the transaction. The next group starts from the head that this record left.
    pub(crate) async fn commit(self, governance: &Governance, tx: TenantTx) -> Result<()> {
        let tenant = tx.tenant_id();
        tx.commit_recorded(self.recorded).await?;
        governance.recorder().heads.insert(tenant, self.head);
        governance.tell(Observed::Grouped { records: 1 });
        Ok(())
    }
}
