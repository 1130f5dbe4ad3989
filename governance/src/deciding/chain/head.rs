//! The locked head of a chain, which is required to append a link.

use contract::chain::{ChainRequest, STEP_MAX};
use receipt::statement::ChainPosition;

use crate::{
    base::{
        error::{chain_full, chain_sealed, parent_not_in_chain, step_limit_reached, step_taken},
        prelude::*,
    },
    deciding::bundle_size::CHAIN_LINKS_MAX,
};

/// The head of a chain, locked until the transaction ends. Lock order: the chain head before the tenant
/// head.
#[derive(Debug)]
pub(crate) struct Head {
    chain_id: ChainId,
    pub(super) links: u32,
    /// The digest of the last link; empty before the first.
    pub(super) hash: String,
    highest_step: u32,
    pub(super) is_sealed: bool,
}

/// The position of the next decision in a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkPosition {
    /// The part that the signed statement contains.
    pub(crate) chain_position: ChainPosition,
    /// The position of the link: 1, 2, 3, … without gaps.
    pub(crate) position: u32,
    /// The digest of the previous link; `None` for the first.
    pub(crate) prev: Option<Digest>,
}

#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) decision_id: DecisionId,
    pub(crate) position: LinkPosition,
    /// The signed text and its digest.
    pub(crate) canonical: CanonicalJson,
    /// The signature and its key ID.
    pub(crate) signature: Option<(String, String)>,
}

// SQL, like the next statements: executed for decisions that are recorded in chains.
const LOCK_HEAD: &str = "SELECT links, head, highest_step, is_sealed FROM chains \
                         WHERE tenant_id = $1 AND id = $2 FOR UPDATE";

// An ID that is already in use, by this or another tenant, is left unchanged.
const INSERT_PUBLIC_ID: &str = "INSERT INTO public_ids (id, tenant_id, kind) VALUES ($2, $1, 'chain') \
                                ON CONFLICT (id) DO NOTHING";

const INSERT_CHAIN: &str = "INSERT INTO chains (tenant_id, id) VALUES ($1, $2)";

// A separate statement after the lock, so that it sees everything that was committed before.
const STEP_EXISTS: &str = "SELECT \
     EXISTS (SELECT 1 FROM chain_links WHERE tenant_id = $1 AND chain_id = $2 AND step = $3), \
     EXISTS (SELECT 1 FROM chain_links WHERE tenant_id = $1 AND decision_id = $4 AND chain_id = $2)";

impl Head {
    /// Locks the head of a chain. Returns `None` if the tenant has no such chain.
    pub(super) async fn lock(tx: &TenantTx, chain_id: ChainId) -> Result<Option<Self>> {
        let row = tx.optional(LOCK_HEAD, [chain_id.0.into()]).await?;
        Ok(row.map(|(links, hash, highest_step, is_sealed)| {
            let (links, highest_step) = (unsigned(links), unsigned(highest_step));
            Self { chain_id, links, hash, highest_step, is_sealed }
        }))
    }

    /// Locks the head of a chain and creates the chain if the ID is unused.
    ///
    /// # Errors
    /// `NOT_FOUND` if the ID belongs to another tenant or to another kind of object.
    pub(crate) async fn lock_or_create(tx: &TenantTx, chain_id: ChainId) -> Result<Self> {
        if let Some(head) = Self::lock(tx, chain_id).await? {
            return Ok(head);
        }
        if tx.execute(INSERT_PUBLIC_ID, [chain_id.0.into()]).await?.rows_affected() == 1 {
            tx.execute(INSERT_CHAIN, [chain_id.0.into()]).await?;
            let hash = String::new();
            return Ok(Self { chain_id, links: 0, hash, highest_step: 0, is_sealed: false });
        }
        // A concurrent request of this or another tenant inserted the ID first.
        Self::lock(tx, chain_id).await?.ok_or_else(|| not_found(ResourceKind::Chain).into())
    }

    /// Returns the position of the next decision for `request`. `parent_path` is the path of its parent in
    /// the body.
    ///
    /// # Errors
    /// `CHAIN_SEALED`; `CONFLICT` if the step is taken, no step is left or the chain has the maximum number of
    /// decisions; `VALIDATION_ERROR` if the parent is not an earlier decision of the chain.
    pub(crate) async fn next_position(
        &self,
        tx: &TenantTx,
        request: &ChainRequest,
        parent_path: &str,
    ) -> Result<LinkPosition> {
        if self.is_sealed {
            return Err(chain_sealed().into());
        }
        if self.links >= CHAIN_LINKS_MAX {
            return Err(chain_full(CHAIN_LINKS_MAX).into());
        }
        let step = request.chain_step.unwrap_or_else(|| self.highest_step.saturating_add(1));
        if step > STEP_MAX {
            return Err(step_limit_reached().into());
        }
        self.check_step(tx, step, request, parent_path).await?;
        let prev = (!self.hash.is_empty()).then(|| self.hash.parse()).transpose();
        Ok(LinkPosition {
            chain_position: ChainPosition {
                chain_id: self.chain_id,
                step,
                parent_decision_id: request.parent_decision_id,
            },
            position: self.links.saturating_add(1),
            prev: prev.map_err(|_| Error::bug("the head of a chain is not a digest"))?,
        })
    }

    /// Checks that `step` is free and that the parent, if any, is a decision of the chain.
    async fn check_step(
        &self,
        tx: &TenantTx,
        step: u32,
        request: &ChainRequest,
        parent_path: &str,
    ) -> Result<()> {
        let parent = request.parent_decision_id;
        if step > self.highest_step && parent.is_none() {
            return Ok(());
        }
        let values =
            [self.chain_id.0.into(), column(step)?.into(), parent.map(|parent| parent.0).into()];
        let (is_taken, has_parent): (bool, bool) = tx.only(STEP_EXISTS, values).await?;
        if parent.is_some() && !has_parent {
            return Err(parent_not_in_chain(parent_path).into());
        }
        if is_taken { Err(step_taken(step).into()) } else { Ok(()) }
    }
}

// SQL: one statement for every decision that is recorded in a chain.
const INSERT_LINK: &str = "WITH link AS (INSERT INTO chain_links (tenant_id, chain_id, position, step, \
     decision_id, sequence, link, hash, prev, signature, kid) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)) \
     UPDATE chains SET links = $3, head = $8, highest_step = greatest(highest_step, $4) \
     WHERE tenant_id = $1 AND id = $2";

/// Appends a link and updates the chain head, which the caller has locked. The decision uses the next
/// sequence number of the tenant.
pub(crate) async fn append(tx: &mut TenantTx, link: &Link) -> Result<()> {
    let sequence = tx.next_sequence().await?;
    let LinkPosition { chain_position, position, prev } = link.position;
    let (signature, kid) = link.signature.clone().unzip();
    let row = [
        chain_position.chain_id.0.into(),
        column(position)?.into(),
        column(chain_position.step)?.into(),
        link.decision_id.0.into(),
        sequence.into(),
        link.canonical.text.as_str().into(),
        link.canonical.digest.to_string().into(),
        prev.map(|prev| prev.to_string()).unwrap_or_default().into(),
        signature.into(),
        kid.into(),
    ];
    tx.execute(INSERT_LINK, row).await?;
    Ok(())
}

fn column(number: u32) -> Result<i32> {
    Ok(i32::try_from(number)?)
}
