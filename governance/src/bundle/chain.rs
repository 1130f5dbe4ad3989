//! The chain of a decision, and the bundle of a whole chain.

use entity::chain_link as table;
use receipt::{
    bundle::{
        Subject, file,
        path::{self, BundleScope},
    },
    chain::{self as format, ChainProof, SignedLink},
    transparency_log::EntryKind,
};

use super::builder::{BundleBuilder, LogFileNames};
use crate::{
    base::{error::bundle::too_large, prelude::*},
    deciding::{chain::Seal, decision},
};

/// The minimum number of files per step: receipt, statement and log entry.
const FILES_PER_STEP_MIN: usize = 3;

/// The maximum number of files in a bundle (receipts, section 12.1).
const FILES_MAX: usize = 4_096;

struct Link {
    step: u32,
    decision_id: DecisionId,
    text: CanonicalJson,
    signature: Option<String>,
    kid: Option<String>,
}

impl Link {
    async fn load_all(tx: &TenantTx, id: ChainId) -> Result<Vec<Self>> {
        let rows = tx.find::<table::Entity>().filter(table::Column::ChainId.eq(id.0));
        let rows = rows.order_by_asc(table::Column::Position).all(tx.connection()).await?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    fn to_signed(&self) -> SignedLink<'_> {
        let (signature, kid) = (self.signature.as_deref(), self.kid.as_deref());
        SignedLink { link: &self.text, signature, kid }
    }
}

impl From<table::Model> for Link {
    fn from(row: table::Model) -> Self {
        Self {
            step: unsigned(row.step),
            decision_id: row.decision_id.into(),
            text: CanonicalJson::from_stored(row.link),
            signature: row.signature,
            kid: row.kid,
        }
    }
}

fn links_file<'l>(links: impl IntoIterator<Item = &'l Link>) -> String {
    let links: Vec<_> = links.into_iter().map(Link::to_signed).collect();
    format::links(&links).text
}

impl BundleBuilder {
    /// Adds the links of a decision's chain and its seal, if it has one. For a long sealed chain, adds only
    /// the decision's link and the proof that the seal covers it.
    pub(super) async fn chain_of_decision(
        &mut self,
        tx: &TenantTx,
        id: ChainId,
        decision: DecisionId,
    ) -> Result<()> {
        let links = Link::load_all(tx, id).await?;
        let seal = Seal::load(tx, id).await?;
        if let Some(seal) = &seal {
            self.seal(seal)?;
            // Until the seal is anchored, no log files are added, and a verifier reports it as pending.
            let anchor = seal.anchor(tx).await?;
            if anchor.is_some() {
                self.add_seal_log_entry(tx, seal, anchor).await?;
            }
        }
        let position = links.iter().position(|link| link.decision_id == decision);
        let is_long = u64::try_from(links.len()).unwrap_or(u64::MAX) > ChainProof::LINKS_MAX;
        match position.filter(|_| is_long && seal.is_some()) {
            Some(position) => self.proof(&links, position),
            None => self.add(path::LINKS, links_file(&links)),
        }
    }

    fn proof(&mut self, links: &[Link], position: usize) -> Result<()> {
        let tree = format::tree(links.iter().map(|link| link.text.digest));
        let index = u64::try_from(position)?;
        let proof = ChainProof::new(&tree, index).map_err(Error::internal)?;
        self.add(path::CHAIN_PROOF, proof.canonical().text)?;
        self.add(path::LINKS, links_file(links.get(position)))
    }

    fn seal(&mut self, seal: &Seal) -> Result<()> {
        match seal.envelope().filter(|_| seal.is_signed()) {
            Some(envelope) => self.add(path::SEAL_ENVELOPE, file(&envelope)),
            None => self.add(path::SEAL, seal.text()),
        }
    }

    /// Adds all links of a chain, their receipts and the seal.
    ///
    /// # Errors
    /// `NOT_FOUND`; `BUNDLE_TOO_LARGE`.
    pub(super) async fn chain(&mut self, tx: &TenantTx, id: ChainId) -> Result<Subject> {
        let links = Link::load_all(tx, id).await?;
        let head = links.last().or_not_found(ResourceKind::Chain)?.text.digest;
        if links.len().saturating_mul(FILES_PER_STEP_MIN) > FILES_MAX {
            return Err(too_large().into());
        }
        self.add(path::LINKS, links_file(&links))?;
        if let Some(seal) = Seal::load(tx, id).await? {
            self.seal(&seal)?;
            let anchor = seal.anchor(tx).await?;
            self.add_seal_log_entry(tx, &seal, anchor).await?;
        }
        // One at a time, so that building an oversized chain stops before it fills the memory.
        for link in &links {
            let row = match decision::by_id(tx, link.decision_id).await {
                // The receipt is missing, which the verifier reports.
                Err(Error::Refused(_)) => continue,
                row => row?,
            };
            self.receipt(tx, BundleScope::Step(link.step), &row).await?;
        }
        Ok(Subject::Chain {
            chain_id: id,
            tenant_id: tx.tenant_id(),
            step_count: u32::try_from(links.len())?,
            head,
        })
    }

    /// Adds the log entry of a seal, and its proof once it is anchored.
    async fn add_seal_log_entry(
        &mut self,
        tx: &TenantTx,
        seal: &Seal,
        anchor: Option<Value>,
    ) -> Result<()> {
        let names = LogFileNames {
            entry: path::SEAL_ENTRY.to_owned(),
            anchor: path::SEAL_ANCHOR.to_owned(),
            proof: path::SEAL_PROOF_TEXT.to_owned(),
            last: path::SEAL_FINAL_PROOF.to_owned(),
        };
        let digest = Digest::compute(seal.text().as_bytes());
        self.add_log_entry(tx, &names, (EntryKind::ChainSeal, digest), anchor.as_ref()).await
    }
}
