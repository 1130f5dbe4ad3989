//! The stored seal of a chain.

use contract::chain::ChainSeal;
use entity::chain_seal as table;
use receipt::{chain::StoredSeal, dsse::Envelope, key::PayloadType, transparency_log::EntryKind};

use crate::{base::prelude::*, proof::transparency_log};

#[derive(Clone, Debug)]
pub(crate) struct Seal {
    pub(super) text: String,
    pub(super) digest: String,
    pub(super) signature: Option<String>,
    pub(super) kid: Option<String>,
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
    pub(super) fn to_stored(&self) -> StoredSeal<'_> {
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
    pub(super) async fn anchored(&self, cx: &Cx, chain_id: ChainId) -> Result<ChainSeal> {
        let anchor = self.find_anchor(cx.governance.database()).await?;
        Ok(ChainSeal { transparency_anchor: anchor, ..self.to_result(chain_id)? })
    }

    /// Returns the wire form of the seal, without its anchor.
    pub(super) fn to_result(&self, chain_id: ChainId) -> Result<ChainSeal> {
        Ok(ChainSeal {
            chain_id,
            seal: stored_json::parse("a stored seal", &self.text)?,
            envelope: self.envelope().ok_or_else(|| Error::bug("a stored seal has no envelope"))?,
            seal_digest: self.digest.clone(),
            transparency_anchor: None,
        })
    }
}
