//! The chain of a decision, and the bundle of a whole chain.

use contract::{
    id::{ChainId, DecisionId},
    json::Value,
};
use entity::{chain_link as table, column::number};
use receipt::{
    bundle::{
        Subject, file,
        path::{self, Place},
    },
    canon::Canonical,
    chain::{self as format, ChainProof, SignedLink},
    digest::Digest,
    log::EntryKind,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};

use super::making::{Logged, Making};
use crate::{
    chain::{Seal, seal_of},
    decision,
    error::{Error, Noun, Result, bundle::too_large, not_found},
    tenancy::TenantTx,
};

/// A step of a chain has at least so many members: receipt, statement and log entry.
const MEMBERS_OF_STEP: usize = 3;

/// A bundle has at most so many members (receipts, section 12.1).
const MEMBERS_MAX: usize = 4_096;

/// A link as it is stored.
struct Link {
    step: u32,
    decision_id: DecisionId,
    text: Canonical,
    signature: Option<String>,
    kid: Option<String>,
}

impl Link {
    async fn all(tx: &TenantTx, id: ChainId) -> Result<Vec<Self>> {
        let rows = tx.find::<table::Entity>().filter(table::Column::ChainId.eq(id.0));
        let rows = rows.order_by_asc(table::Column::Position).all(tx.connection()).await?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    fn signed(&self) -> SignedLink<'_> {
        let (signature, kid) = (self.signature.as_deref(), self.kid.as_deref());
        SignedLink { link: &self.text, signature, kid }
    }
}

impl From<table::Model> for Link {
    fn from(row: table::Model) -> Self {
        Self {
            step: number(row.step),
            decision_id: row.decision_id.into(),
            text: Canonical::kept(row.link),
            signature: row.signature,
            kid: row.kid,
        }
    }
}

fn file_of<'l>(links: impl IntoIterator<Item = &'l Link>) -> String {
    let links: Vec<_> = links.into_iter().map(Link::signed).collect();
    format::links(&links).text
}

impl Making {
    /// Adds the links of a decision's chain so far, and the seal if there is one. Of a sealed chain that
    /// is long, its own link and the proof that it stands under the seal.
    pub(super) async fn chain_of_decision(
        &mut self,
        tx: &TenantTx,
        id: ChainId,
        decision: DecisionId,
    ) -> Result<()> {
        let links = Link::all(tx, id).await?;
        let seal = seal_of(tx, id).await?;
        if let Some(seal) = &seal {
            self.seal(seal)?;
            // Without its proof a verifier notes that the seal is not in the log yet.
            let anchor = seal.anchor(tx).await?;
            if anchor.is_some() {
                self.seal_in_log(tx, seal, anchor).await?;
            }
        }
        let own = links.iter().position(|link| link.decision_id == decision);
        let is_long = u64::try_from(links.len()).unwrap_or(u64::MAX) > ChainProof::LINKS_MAX;
        match own.filter(|_| is_long && seal.is_some()) {
            Some(own) => self.proof(&links, own),
            None => self.put(path::LINKS, file_of(&links)),
        }
    }

    fn proof(&mut self, links: &[Link], own: usize) -> Result<()> {
        let tree = format::tree(links.iter().map(|link| link.text.digest));
        let index = u64::try_from(own).map_err(|error| Error::Bug(error.into()))?;
        let proof = ChainProof::of(&tree, index).map_err(|error| Error::Bug(error.into()))?;
        self.put(path::CHAIN_PROOF, proof.canonical().text)?;
        self.put(path::LINKS, file_of(links.get(own)))
    }

    fn seal(&mut self, seal: &Seal) -> Result<()> {
        match seal.envelope().filter(|_| seal.is_signed()) {
            Some(envelope) => self.put(path::SEAL_ENVELOPE, file(&envelope)),
            None => self.put(path::SEAL, seal.text()),
        }
    }

    /// Adds all links of a chain, the receipts that they hold, and the seal.
    ///
    /// # Errors
    /// `NOT_FOUND`; `BUNDLE_TOO_LARGE`.
    pub(super) async fn chain(&mut self, tx: &TenantTx, id: ChainId) -> Result<Subject> {
        let links = Link::all(tx, id).await?;
        let head = links.last().ok_or_else(|| not_found(Noun::Chain))?.text.digest;
        if links.len().saturating_mul(MEMBERS_OF_STEP) > MEMBERS_MAX {
            return Err(too_large().into());
        }
        self.put(path::LINKS, file_of(&links))?;
        if let Some(seal) = seal_of(tx, id).await? {
            self.seal(&seal)?;
            let anchor = seal.anchor(tx).await?;
            self.seal_in_log(tx, &seal, anchor).await?;
        }
        // One after the other, so that a chain which is too large is given up before it fills memory.
        for link in &links {
            let row = match decision::by_id(tx, link.decision_id).await {
                // Its receipt is missing, and the verifier says so.
                Err(Error::Refused(_)) => continue,
                row => row?,
            };
            self.receipt(tx, Place::Step(link.step), &row).await?;
        }
        Ok(Subject::Chain {
            chain_id: id,
            tenant_id: tx.tenant_id(),
            step_count: u32::try_from(links.len()).map_err(|error| Error::Bug(error.into()))?,
            head,
        })
    }

    /// Adds the log entry of a seal, and its own proof once it is anchored.
    async fn seal_in_log(
        &mut self,
        tx: &TenantTx,
        seal: &Seal,
        anchor: Option<Value>,
    ) -> Result<()> {
        let names = Logged {
            entry: path::SEAL_ENTRY.to_owned(),
            anchor: path::SEAL_ANCHOR.to_owned(),
            proof: path::SEAL_PROOF_TEXT.to_owned(),
            last: path::SEAL_FINAL_PROOF.to_owned(),
        };
        let digest = Digest::of(seal.text().as_bytes());
        self.logged(tx, &names, (EntryKind::ChainSeal, digest), anchor.as_ref()).await
    }
}
