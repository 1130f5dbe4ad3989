//! The seal that closes a chain.

use contract::{
    chain::ChainSeal,
    id::ChainId,
    json::{Limits, Value},
};
use entity::{chain as heads, chain_seal as table, column::to_column};
use receipt::{
    canonical_json::CanonicalJson, chain as format, chain::StoredSeal, digest::Digest,
    dsse::Envelope, key::PayloadType, transparency_log::EntryKind,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use super::{
    check::{LoadedChain, owner},
    head::Head,
};
use crate::{
    access::permission,
    base::{
        audit_event::Event,
        cx::Cx,
        error::{Error, ResourceKind, Result, chain_broken, not_found},
        tenancy::TenantTx,
    },
    proof::{transparency_log, trust_registry::TrustedKeys},
};

/// The seal of a chain, and whether this call created it.
#[derive(Clone, Debug)]
pub struct ChainSealResult {
    pub sealed: ChainSeal,
    pub is_new: bool,
}

/// A stored seal.
#[derive(Clone, Debug)]
pub(crate) struct Seal {
    text: String,
    digest: String,
    signature: Option<String>,
    kid: Option<String>,
}

/// Seals a chain, which then rejects further steps. A chain that is already sealed keeps its seal.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` for a chain that fails verification; `SERVICE_UNAVAILABLE` while too many
/// chains and bundles are being checked.
pub async fn seal(cx: &Cx, id: ChainId) -> Result<ChainSealResult> {
    let own = cx.clone();
    cx.governance.exports().run(async move || check_and_seal(&own, id).await).await
}

async fn check_and_seal(cx: &Cx, id: ChainId) -> Result<ChainSealResult> {
    let tenant = cx.tenant(permission::SEAL_CHAINS)?;
    let _lock = cx.governance.chain_locks().lock(id).await;
    let tx = tenant.begin().await?;
    let head = Head::lock(&tx, id).await?.ok_or_else(|| not_found(ResourceKind::Chain))?;
    if head.is_sealed {
        let stored = stored(&tx, id).await?.ok_or_else(chain_broken)?;
        tx.finish_read().await?;
        return Ok(ChainSealResult { sealed: stored.anchored(cx, id).await?, is_new: false });
    }
    let chain = LoadedChain::load(&tx, id).await?;
    let keys = TrustedKeys::load(&cx.governance, tx.connection()).await?;
    if !chain.check(&keys).problems.is_empty() {
        return Err(chain_broken().into());
    }
    let seal = Seal::sign_seal(cx, &tx, id, &head, &chain).await?;
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        chain_id: Set(id.0),
        seal: Set(seal.text.clone()),
        digest: Set(seal.digest.clone()),
        signature: Set(seal.signature.clone()),
        kid: Set(seal.kid.clone()),
        sealed_at: Set(to_column(cx.now)),
    };
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    let closed = heads::ActiveModel { is_sealed: Set(true), ..Default::default() };
    let rows = tx.update::<heads::Entity>().filter(heads::Column::Id.eq(id.0));
    rows.set(closed).exec(tx.connection()).await?;
    let event = Event::new("chain.seal", "chain", id)
        .with("seal_digest", seal.digest.as_str())
        .with("step_count", head.links);
    tx.commit(cx, event).await?;
    Ok(ChainSealResult { sealed: seal.to_result(id)?, is_new: true })
}

/// Returns the seal of a chain. Public: requires only the chain id.
///
/// # Errors
/// `NOT_FOUND`, also while the chain is open.
pub async fn read_seal(cx: &Cx, id: ChainId) -> Result<ChainSeal> {
    let tx = owner(cx, id).await?.begin().await?;
    let stored = stored(&tx, id).await?;
    tx.finish_read().await?;
    stored.ok_or_else(|| not_found(ResourceKind::Seal))?.anchored(cx, id).await
}

/// Loads the seal of a chain, if it has one.
pub(crate) async fn stored(tx: &TenantTx, id: ChainId) -> Result<Option<Seal>> {
    let row = tx.find::<table::Entity>().filter(table::Column::ChainId.eq(id.0));
    let seal = |row: table::Model| {
        let table::Model { seal: text, digest, signature, kid, .. } = row;
        Seal { text, digest, signature, kid }
    };
    Ok(row.one(tx.connection()).await?.map(seal))
}

impl Seal {
    /// Signs the seal of a chain.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the signing key is unavailable or its signature fails verification.
    async fn sign_seal(
        cx: &Cx,
        tx: &TenantTx,
        id: ChainId,
        head: &Head,
        chain: &LoadedChain,
    ) -> Result<Self> {
        let signer = cx.governance.signer();
        let digest = |hash: &str| {
            hash.parse::<Digest>().map_err(|_| Error::bug("a checked link without its digest"))
        };
        let hashes = chain.hashes().map(digest).collect::<Result<Vec<_>>>()?;
        let root = format::merkle_root(&format::tree(hashes));
        let seal = format::ChainSeal {
            tenant_id: tx.tenant_id(),
            chain_id: id,
            step_count: head.links,
            head: digest(&head.hash)?,
            merkle_root: root.map_err(|error| Error::Bug(error.into()))?,
            sealed_at: cx.now,
            kid: signer.map(|key| key.kid().to_owned()),
        };
        let canonical = seal.canonical();
        let signature = match signer {
            Some(key) => Some(key.sign(PayloadType::ChainSeal, &canonical).await?),
            None => None,
        };
        Ok(Self {
            signature,
            digest: canonical.digest.to_string(),
            text: canonical.text,
            kid: seal.kid,
        })
    }

    /// Returns the seal in the form that `receipt` checks.
    pub(super) fn stored(&self) -> StoredSeal<'_> {
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
        transparency_log::anchor(tx.connection(), EntryKind::ChainSeal, &self.digest).await
    }

    /// Returns the digest of the canonical text.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the canonical text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_signed(&self) -> bool {
        self.signature.is_some()
    }

    /// Returns the wire form of the seal, with its anchor once it is in the transparency log.
    async fn anchored(&self, cx: &Cx, chain_id: ChainId) -> Result<ChainSeal> {
        let anchor =
            transparency_log::anchor(cx.governance.database(), EntryKind::ChainSeal, &self.digest)
                .await?;
        Ok(ChainSeal { transparency_anchor: anchor, ..self.to_result(chain_id)? })
    }

    /// Returns the wire form of the seal, without its anchor.
    fn to_result(&self, chain_id: ChainId) -> Result<ChainSeal> {
        let seal = Value::parse(self.text.as_bytes(), &Limits::BUNDLE_FILE);
        Ok(ChainSeal {
            chain_id,
            seal: seal.map_err(|error| Error::bug(format!("a stored seal: {error:?}")))?,
            envelope: self.envelope().ok_or_else(|| Error::bug("a stored seal has no envelope"))?,
            seal_digest: self.digest.clone(),
            transparency_anchor: None,
        })
    }
}
