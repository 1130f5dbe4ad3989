//! Verification bundles: all that is needed to check a decision or a chain offline, without trusting
//! this service (receipts, section 12). Whoever knows the id may have one.
//!
//! A bundle holds what is stored, byte for byte, and no time of its own: two exports of what has not
//! changed are equal. What was changed in the store is exported as it is, for the verifier to find.

mod approvals;
mod chain;
mod evidence;
mod making;
mod member;
mod recorded;
mod trust;

use contract::id::{ChainId, DecisionId};
use receipt::{
    bundle::{self, Files, Subject, path::Place},
    digest::Digest,
};

use self::making::Making;
pub use self::member::Member;
use crate::{
    chain::owner,
    cx::Cx,
    decision,
    error::{Error, Result, bundle::too_large},
};

/// A closed bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    files: Files,
}

impl Bundle {
    /// The archive.
    ///
    /// # Errors
    /// `BUNDLE_TOO_LARGE`.
    pub fn archive(&self) -> Result<Vec<u8>> {
        Ok(bundle::write_archive(&self.files).map_err(|_| too_large())?)
    }

    /// The same members as one JSON text.
    ///
    /// # Errors
    /// None for members that are text, as all of them are.
    pub fn json(&self) -> Result<Vec<u8>> {
        let text = bundle::write_json(&self.files).map_err(|error| Error::Bug(error.into()))?;
        Ok(text.text.into_bytes())
    }
}

/// The bundle of a decision.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`.
pub async fn of_decision(cx: &Cx, id: DecisionId) -> Result<Bundle> {
    let tenant_id = decision::owner(cx, id).await?;
    // Asked before the transaction, which sees one moment, and on a connection that it does not keep.
    let history = trust::History::read(&cx.governance).await?;
    let tx = cx.tenant_unchecked(tenant_id).begin_snapshot().await?;
    let row = decision::by_id(&tx, id).await?;
    let mut making = Making::begin(&tx).await?;
    making.receipt(&tx, Place::Decision, &row).await?;
    if let Some(chain) = row.chain_id {
        making.chain_of_decision(&tx, ChainId(chain), id).await?;
    }
    tx.end().await?;
    making.registry(&cx.governance, &history)?;
    let receipt_digest: Digest = row
        .receipt_digest
        .parse()
        .map_err(|_| Error::bug("a decision without the digest of its receipt"))?;
    making.close(&cx.governance, &Subject::Decision { decision_id: id, tenant_id, receipt_digest })
}

/// The bundle of a chain: all its links, and every receipt that they hold.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`.
pub async fn of_chain(cx: &Cx, id: ChainId) -> Result<Bundle> {
    let tenant = owner(cx, id).await?;
    let history = trust::History::read(&cx.governance).await?;
    let tx = tenant.begin_snapshot().await?;
    let mut making = Making::begin(&tx).await?;
    let subject = making.chain(&tx, id).await?;
    tx.end().await?;
    making.registry(&cx.governance, &history)?;
    making.close(&cx.governance, &subject)
}
