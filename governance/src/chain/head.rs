//! The head of a chain: who holds it adds the next link.

use contract::{chain::ChainPlace, chain::STEP_MAX, id::ChainId};
use entity::column::number;
use receipt::{digest::Digest, statement::ChainPosition};

use crate::{
    error::{
        Error, Noun, Result, chain_sealed, no_step_left, not_found, parent_not_in_chain, step_taken,
    },
    recorder::Link,
    tenancy::TenantTx,
};

/// The head of a chain, held until the transaction ends. It comes before the tenant's head in the
/// order of locks.
#[derive(Debug)]
pub(crate) struct Head {
    chain_id: ChainId,
    /// How many links there are.
    pub(super) links: u32,
    /// The digest of the last one; empty before the first.
    pub(super) hash: String,
    highest_step: u32,
    /// Whether it takes no more.
    pub(super) is_sealed: bool,
}

/// Where the next decision of a chain stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// What the statement says of it.
    pub(crate) stated: ChainPosition,
    /// 1, 2, 3, … without gaps.
    pub(crate) position: u32,
    /// The digest of the link before.
    pub(crate) prev: Option<Digest>,
}

// SQL, as the next ones: run for decisions that are recorded in chains.
const HOLD: &str = "SELECT links, head, highest_step, is_sealed FROM chains \
                    WHERE tenant_id = $1 AND id = $2 FOR UPDATE";

// An id that names something else already, or a chain of somebody else, is left as it is.
const NAME: &str = "INSERT INTO public_ids (id, tenant_id, kind) VALUES ($2, $1, 'chain') \
                    ON CONFLICT (id) DO NOTHING";

const BEGIN: &str = "INSERT INTO chains (tenant_id, id) VALUES ($1, $2)";

// A statement of its own after the lock, so that it sees what was recorded until then.
const TAKEN: &str = "SELECT \
     EXISTS (SELECT 1 FROM chain_links WHERE tenant_id = $1 AND chain_id = $2 AND step = $3), \
     EXISTS (SELECT 1 FROM chain_links WHERE tenant_id = $1 AND decision_id = $4 AND chain_id = $2)";

impl Head {
    /// Holds the head of a chain; none when the tenant has no such chain.
    pub(super) async fn hold(tx: &TenantTx, chain_id: ChainId) -> Result<Option<Self>> {
        let Some(row) = tx.one(HOLD, [chain_id.0.into()]).await? else { return Ok(None) };
        Ok(Some(Self {
            chain_id,
            links: number(row.try_get_by_index(0)?),
            hash: row.try_get_by_index(1)?,
            highest_step: number(row.try_get_by_index(2)?),
            is_sealed: row.try_get_by_index(3)?,
        }))
    }

    /// Holds the head of a chain, which begins here when nobody has begun it.
    ///
    /// # Errors
    /// `NOT_FOUND` when the id is another tenant's, or names something else.
    pub(crate) async fn hold_or_begin(tx: &TenantTx, chain_id: ChainId) -> Result<Self> {
        if let Some(head) = Self::hold(tx, chain_id).await? {
            return Ok(head);
        }
        if tx.execute(NAME, [chain_id.0.into()]).await?.rows_affected() == 1 {
            tx.execute(BEGIN, [chain_id.0.into()]).await?;
            let hash = String::new();
            return Ok(Self { chain_id, links: 0, hash, highest_step: 0, is_sealed: false });
        }
        // Somebody was faster: of this tenant, or not.
        Self::hold(tx, chain_id).await?.ok_or_else(|| not_found(Noun::Chain).into())
    }

    /// The place of the next decision, as it was asked for.
    ///
    /// # Errors
    /// `CHAIN_SEALED`; `CONFLICT` for a step that is taken; `VALIDATION_ERROR` for a parent that is no
    /// earlier decision of the chain.
    pub(crate) async fn place(&self, tx: &TenantTx, asked: &ChainPlace) -> Result<Place> {
        if self.is_sealed {
            return Err(chain_sealed().into());
        }
        let step = asked.chain_step.unwrap_or_else(|| self.highest_step.saturating_add(1));
        if step > STEP_MAX {
            return Err(no_step_left().into());
        }
        self.admit(tx, step, asked).await?;
        let prev = (!self.hash.is_empty()).then(|| self.hash.parse()).transpose();
        Ok(Place {
            stated: ChainPosition {
                chain_id: self.chain_id,
                step,
                parent_decision_id: asked.parent_decision_id,
            },
            position: self.links.saturating_add(1),
            prev: prev.map_err(|_| Error::bug("the head of a chain holds no digest"))?,
        })
    }

    /// Refuses a step that is taken, and a parent that is none.
    async fn admit(&self, tx: &TenantTx, step: u32, asked: &ChainPlace) -> Result<()> {
        let parent = asked.parent_decision_id;
        if step > self.highest_step && parent.is_none() {
            return Ok(());
        }
        let values =
            [self.chain_id.0.into(), column(step)?.into(), parent.map(|parent| parent.0).into()];
        let row = tx.one(TAKEN, values).await?.ok_or_else(|| Error::bug("two answers, no row"))?;
        if parent.is_some() && !row.try_get_by_index::<bool>(1)? {
            return Err(parent_not_in_chain().into());
        }
        if row.try_get_by_index(0)? { Err(step_taken(step).into()) } else { Ok(()) }
    }
}

// SQL: one statement for every decision that is recorded in a chain.
const APPEND: &str = "WITH link AS (INSERT INTO chain_links (tenant_id, chain_id, position, step, \
     decision_id, sequence, link, hash, prev, signature, kid) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)) \
     UPDATE chains SET links = $3, head = $8, highest_step = greatest(highest_step, $4) \
     WHERE tenant_id = $1 AND id = $2";

/// Writes a link, whose chain's head is held, and moves the head to it. The decision has the next
/// number of the tenant's sequence.
pub(crate) async fn append(tx: &mut TenantTx, link: &Link) -> Result<()> {
    let sequence = tx.next_sequence().await?;
    let (signature, kid) = link.signature.clone().unzip();
    let row = [
        link.stated.chain_id.0.into(),
        column(link.position)?.into(),
        column(link.stated.step)?.into(),
        link.decision_id.0.into(),
        sequence.into(),
        link.text.as_str().into(),
        link.hash.as_str().into(),
        link.prev.as_str().into(),
        signature.into(),
        kid.into(),
    ];
    tx.execute(APPEND, row).await?;
    Ok(())
}

fn column(number: u32) -> Result<i32> {
    i32::try_from(number).map_err(|error| Error::Bug(error.into()))
}
