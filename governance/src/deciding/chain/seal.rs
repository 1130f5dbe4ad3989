//! The seal that closes a chain.

use contract::chain::ChainSeal;
use entity::{chain as heads, chain_seal as table};
use receipt::{chain as format, key::PayloadType};

use super::{
    check::{LoadedChain, owner},
    head::Head,
};
use crate::{
    access::permission,
    base::{error::chain_broken, prelude::*},
    deciding::chain::Seal,
    proof::trust_registry::TrustedKeys,
};

/// The seal of a chain, and whether this call created it.
#[derive(Clone, Debug)]
pub struct ChainSealResult {
    pub sealed: ChainSeal,
    pub is_new: bool,
}

/// Seals a chain, which then refuses further steps. A chain that is already sealed keeps its seal.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` for a chain that fails verification; `SERVICE_UNAVAILABLE` while too many
/// chains and bundles are being checked.
pub async fn seal(cx: &Cx, id: ChainId) -> Result<ChainSealResult> {
    let own = cx.clone();
    cx.governance.base().work_slots.run(async move || check_and_seal(&own, id).await).await
}

async fn check_and_seal(cx: &Cx, id: ChainId) -> Result<ChainSealResult> {
    let tenant = cx.tenant(permission::SEAL_CHAINS)?;
    let _lock = cx.governance.deciding().chain_locks.lock(id).await;
    let tx = tenant.begin().await?;
    let head = Head::lock(&tx, id).await?.or_not_found(ResourceKind::Chain)?;
    if head.is_sealed {
        let stored = Seal::load(&tx, id).await?.ok_or_else(chain_broken)?;
        tx.finish_read().await?;
        return Ok(ChainSealResult { sealed: stored.anchored(cx, id).await?, is_new: false });
    }
    let chain = LoadedChain::load(&tx, id).await?;
    let keys = TrustedKeys::load(&cx.governance, tx.connection()).await?;
    if !chain.check(&keys).problems.is_empty() {
        return Err(chain_broken().into());
    }
    let seal = sign(cx, &tx, id, &head, &chain).await?;
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

/// Returns the seal of a chain. Public: requires only the chain ID.
///
/// # Errors
/// `NOT_FOUND`, also while the chain is open.
pub async fn read_seal(cx: &Cx, id: ChainId) -> Result<ChainSeal> {
    let tx = owner(cx, id).await?.begin().await?;
    let stored = Seal::load(&tx, id).await?;
    tx.finish_read().await?;
    stored.or_not_found(ResourceKind::Seal)?.anchored(cx, id).await
}

/// Signs the seal of a chain.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the signing key is unavailable or its signature fails verification.
async fn sign(
    cx: &Cx,
    tx: &TenantTx,
    id: ChainId,
    head: &Head,
    chain: &LoadedChain,
) -> Result<Seal> {
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
        merkle_root: root.map_err(Error::internal)?,
        sealed_at: cx.now,
        kid: signer.map(|key| key.kid().to_owned()),
    };
    let canonical = seal.canonical();
    let signature = match signer {
        Some(key) => Some(key.sign(PayloadType::ChainSeal, &canonical).await?),
        None => None,
    };
    Ok(Seal {
        signature,
        digest: canonical.digest.to_string(),
        text: canonical.text,
        kid: seal.kid,
    })
}
