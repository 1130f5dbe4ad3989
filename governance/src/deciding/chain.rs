//! Decision chains: recording, listing, verification and seals.

mod check;
mod head;
mod list;
mod seal;

pub(crate) use self::{
    check::{load_and_check, owner},
    head::{Head, Link, LinkPosition, append},
};
pub use self::{
    check::{read, verify},
    list::{list, window},
    seal::{ChainSealResult, read_seal, seal},
};
use crate::{access::permission, base::prelude::*, proof::transparency_log};
use contract::chain::ChainSeal;
use entity::chain_seal as table;
use receipt::{chain::StoredSeal, dsse::Envelope, key::PayloadType, transparency_log::EntryKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub step: u32,
    pub decision_id: DecisionId,
}

/// The neighbours of a decision in its chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdjacentSteps {
    /// The previous step; `None` for the first decision of a chain.
    pub before: Option<Step>,
    /// The next step; `None` for the last decision of a chain.
    pub after: Option<Step>,
}

// SQL: the table is joined with itself.
const SELECT_ADJACENT: &str = "SELECT adjacent.position < own.position, adjacent.step, adjacent.decision_id \
     FROM chain_links own \
     JOIN chain_links adjacent ON adjacent.tenant_id = $1 AND adjacent.chain_id = own.chain_id \
       AND adjacent.position IN (own.position - 1, own.position + 1) \
     WHERE own.tenant_id = $1 AND own.decision_id = $2";

/// Returns the neighbours of a decision in its chain. The result is empty if the decision is in no chain or
/// belongs to another tenant.
///
/// # Errors
/// `FORBIDDEN`.
pub async fn adjacent_steps(cx: &Cx, id: DecisionId) -> Result<AdjacentSteps> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let mut adjacent = AdjacentSteps::default();
    for (is_before, step, decision) in tenant.tuples(SELECT_ADJACENT, [id.0.into()]).await? {
        let step = Some(Step { step: unsigned(step), decision_id: DecisionId(decision) });
        if is_before { adjacent.before = step } else { adjacent.after = step }
    }
    Ok(adjacent)
}

#[derive(Clone, Debug)]
pub(crate) struct Seal {
    text: String,
    digest: String,
    signature: Option<String>,
    kid: Option<String>,
}

impl From<table::Model> for Seal {
    fn from(row: table::Model) -> Self {
        let table::Model { seal: text, digest, signature, kid, .. } = row;
        Self { text, digest, signature, kid }
    }
}

impl Seal {
    pub(crate) async fn load(tx: &TenantTx, id: ChainId) -> Result<Option<Self>> {
        let row = tx.find::<table::Entity>().filter(table::Column::ChainId.eq(id.0));
        Ok(row.one(tx.connection()).await?.map(Self::from))
    }

    /// Returns the seal in the form that `receipt` checks.
    fn to_stored(&self) -> StoredSeal<'_> {
        StoredSeal {
            seal: &self.text,
            digest: &self.digest,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
        }
    }

    /// Returns the seal in its envelope, or `None` if the stored bytes cannot be parsed.
    pub(crate) fn envelope(&self) -> Option<Value> {
        let payload = CanonicalJson::parse(self.text.as_bytes()).ok()?;
        let signature = self.kid.as_deref().zip(self.signature.as_deref());
        let envelope = Envelope::new(PayloadType::ChainSeal, payload, signature);
        Some(envelope.ok()?.to_value())
    }

    /// Returns the anchor of the seal once it is in the transparency log.
    pub(crate) async fn anchor(&self, tx: &TenantTx) -> Result<Option<Value>> {
        self.find_anchor(tx.connection()).await
    }

    async fn find_anchor(&self, db: &impl ConnectionTrait) -> Result<Option<Value>> {
        transparency_log::anchor(db, EntryKind::ChainSeal, self.digest.parse().ok()).await
    }

    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_signed(&self) -> bool {
        self.signature.is_some()
    }

    /// Returns the wire form of the seal, with its anchor once it is in the transparency log.
    async fn anchored(&self, cx: &Cx, chain_id: ChainId) -> Result<ChainSeal> {
        let anchor = self.find_anchor(cx.governance.database()).await?;
        Ok(ChainSeal { transparency_anchor: anchor, ..self.to_result(chain_id)? })
    }

    /// Returns the wire form of the seal, without its anchor.
    fn to_result(&self, chain_id: ChainId) -> Result<ChainSeal> {
        Ok(ChainSeal {
            chain_id,
            seal: parse_stored("a stored seal", &self.text)?,
            envelope: self.envelope().or_bug("a stored seal has no envelope")?,
            seal_digest: self.digest.clone(),
            transparency_anchor: None,
        })
    }
}
