//! The seal that closes a chain.

use contract::{
    chain::SealedChain,
    id::ChainId,
    json::{Limits, Value},
};
use entity::{chain as heads, chain_seal as table, column::at};
use receipt::{
    canon::Canonical, chain as format, chain::StoredSeal, digest::Digest, dsse::Envelope,
    key::PayloadType, log::EntryKind,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use super::{
    check::{Chain, owner},
    head::Head,
};
use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, chain_broken, not_found},
    log, permission,
    tenancy::TenantTx,
    trust::Keys,
};

/// A chain's seal, and whether this very call made it.
#[derive(Clone, Debug)]
pub struct Sealing {
    /// The seal.
    pub sealed: SealedChain,
    /// Whether it is new.
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

/// Seals a chain: it takes no further step. A sealed chain keeps the seal that it has.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` for a chain that does not verify, which no seal of ours will vouch for.
pub async fn seal(cx: &Cx, id: ChainId) -> Result<Sealing> {
    let tenant = cx.tenant(permission::SEAL_CHAINS)?;
    let _turn = cx.governance.turns().take(id).await;
    let tx = tenant.begin().await?;
    let head = Head::hold(&tx, id).await?.ok_or_else(|| not_found(Noun::Chain))?;
    if head.is_sealed {
        let stored = stored(&tx, id).await?.ok_or_else(chain_broken)?;
        tx.end().await?;
        return Ok(Sealing { sealed: stored.anchored(cx, id).await?, is_new: false });
    }
    let chain = Chain::load(&tx, id).await?;
    let keys = Keys::now(&cx.governance, tx.connection()).await?;
    if !chain.check(&keys).problems.is_empty() {
        return Err(chain_broken().into());
    }
    let seal = Seal::make(cx, &tx, id, &head, &chain).await?;
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        chain_id: Set(id.0),
        seal: Set(seal.text.clone()),
        digest: Set(seal.digest.clone()),
        signature: Set(seal.signature.clone()),
        kid: Set(seal.kid.clone()),
        sealed_at: Set(at(cx.now)),
    };
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    let closed = heads::ActiveModel { is_sealed: Set(true), ..Default::default() };
    let rows = tx.update::<heads::Entity>().filter(heads::Column::Id.eq(id.0));
    rows.set(closed).exec(tx.connection()).await?;
    let event = Event::new("chain.seal", "chain", id)
        .with("seal_digest", seal.digest.as_str())
        .with("step_count", head.links);
    tx.commit(cx, event).await?;
    Ok(Sealing { sealed: seal.answer(id)?, is_new: true })
}

/// The public seal of a chain: whoever knows the id may read it.
///
/// # Errors
/// `NOT_FOUND`, also while the chain is open.
pub async fn read_seal(cx: &Cx, id: ChainId) -> Result<SealedChain> {
    let tx = owner(cx, id).await?.begin().await?;
    let stored = stored(&tx, id).await?;
    tx.end().await?;
    stored.ok_or_else(|| not_found(Noun::Seal))?.anchored(cx, id).await
}

/// The seal of a chain, if it has one.
pub(crate) async fn stored(tx: &TenantTx, id: ChainId) -> Result<Option<Seal>> {
    let row = tx.find::<table::Entity>().filter(table::Column::ChainId.eq(id.0));
    let seal = |row: table::Model| {
        let table::Model { seal: text, digest, signature, kid, .. } = row;
        Seal { text, digest, signature, kid }
    };
    Ok(row.one(tx.connection()).await?.map(seal))
}

impl Seal {
    /// Signs what the chain consists of.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not verify.
    async fn make(cx: &Cx, tx: &TenantTx, id: ChainId, head: &Head, chain: &Chain) -> Result<Self> {
        let signer = cx.governance.signer();
        let digest = |hash: &str| {
            hash.parse::<Digest>().map_err(|_| Error::bug("a checked link without its digest"))
        };
        let hashes = chain.hashes().map(digest).collect::<Result<Vec<_>>>()?;
        let root = format::merkle_root(&format::tree(hashes));
        let seal = format::Seal {
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

    /// As it is checked.
    pub(super) fn stored(&self) -> StoredSeal<'_> {
        StoredSeal {
            seal: &self.text,
            digest: &self.digest,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
        }
    }

    /// The seal in its envelope; none when the stored bytes are no seal any more.
    pub(crate) fn envelope(&self) -> Option<Value> {
        let payload = Canonical::read(self.text.as_bytes()).ok()?;
        let signature = self.kid.as_deref().zip(self.signature.as_deref());
        let envelope = Envelope::new(PayloadType::ChainSeal, payload, signature);
        Some(envelope.ok()?.to_value())
    }

    /// The place of the seal in the log, once it has one.
    pub(crate) async fn anchor(&self, tx: &TenantTx) -> Result<Option<Value>> {
        log::anchor(tx.connection(), EntryKind::ChainSeal, &self.digest).await
    }

    /// The digest of the canonical text.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// The canonical text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a key signed it.
    pub(crate) fn is_signed(&self) -> bool {
        self.signature.is_some()
    }

    /// The seal with its place in the log, once it has one.
    async fn anchored(&self, cx: &Cx, chain_id: ChainId) -> Result<SealedChain> {
        let anchor =
            log::anchor(cx.governance.database(), EntryKind::ChainSeal, &self.digest).await?;
        Ok(SealedChain { transparency_anchor: anchor, ..self.answer(chain_id)? })
    }

    /// The seal as it is answered, without its place in the log.
    fn answer(&self, chain_id: ChainId) -> Result<SealedChain> {
        let seal = Value::parse(self.text.as_bytes(), &Limits::BUNDLE_MEMBER);
        Ok(SealedChain {
            chain_id,
            seal: seal.map_err(|fault| Error::bug(format!("a stored seal: {fault:?}")))?,
            envelope: self.envelope().ok_or_else(|| Error::bug("a stored seal has no envelope"))?,
            seal_digest: self.digest.clone(),
            transparency_anchor: None,
        })
    }
}
