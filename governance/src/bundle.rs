//! Verification bundles: everything needed to verify a decision or a chain offline, without trusting this
//! service (receipts, section 12). Public: an export requires only the ID.
//!
//! A bundle contains the stored bytes unchanged and no creation time, so two exports of unchanged data are
//! equal. Data that was modified in the database is exported as it is and detected by the verifier.

mod approvals;
mod builder;
mod chain;
mod evidence;
mod export_cache;
mod file;
mod final_state;
mod receipt_files;
mod trust;

use receipt::bundle::{self, Files, Subject, path::BundleScope};

pub(crate) use self::export_cache::ExportCache;
use self::{builder::BundleBuilder, final_state::FinalState};
pub use self::{export_cache::Export, file::BundleFile};
use crate::{
    base::{error::bundle::too_large, prelude::*},
    deciding::{chain::owner, decision},
    proof::trust_registry,
};

#[derive(Clone, Debug)]
pub struct Bundle {
    files: Files,
}

/// The decision or the chain that a bundle proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BundleSource {
    Decision(DecisionId),
    /// A chain with all its links and their receipts.
    Chain(ChainId),
}

contract::named_enum! {
    #[derive(Default)]
    pub enum Format {
        #[default]
        Archive = "tar",
        /// The same files in one JSON text.
        Json = "json",
    }
}

impl Bundle {
    fn bytes(&self, format: Format) -> Result<Vec<u8>> {
        match format {
            Format::Archive => Ok(bundle::write_archive(&self.files).map_err(|_| too_large())?),
            Format::Json => {
                let text = bundle::write_json(&self.files).map_err(Error::internal)?;
                Ok(text.text.into_bytes())
            }
        }
    }
}

/// Builds the bundle of a decision, for inspection.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` while too many bundles are being built.
pub async fn of_decision(cx: &Cx, id: DecisionId) -> Result<Bundle> {
    let own = cx.clone();
    cx.governance
        .base()
        .work_slots
        .run(async move || Ok(build(&own, BundleSource::Decision(id)).await?.0))
        .await
}

/// Returns the bytes of a bundle. They are cached once the bundle is final.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` while too many bundles are being built.
pub async fn export(cx: &Cx, source: BundleSource, format: Format) -> Result<Arc<Export>> {
    if let Some(export) = find_cached(cx, source, format).await? {
        return Ok(export);
    }
    let own = cx.clone();
    cx.governance
        .base()
        .work_slots
        .run(async move || build_export(&own, source, format).await)
        .await
}

/// Runs `work` on the archive of a bundle, on a blocking thread and within the limit of concurrent exports.
///
/// # Errors
/// As [`export`].
pub async fn check<T: Send + 'static>(
    cx: &Cx,
    source: BundleSource,
    work: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> Result<T> {
    let own = cx.clone();
    let run_work = async move || {
        let export = match find_cached(&own, source, Format::Archive).await? {
            Some(export) => export,
            None => build_export(&own, source, Format::Archive).await?,
        };
        Ok(work(&export.bytes))
    };
    cx.governance.base().work_slots.run(run_work).await
}

/// Returns the cached bytes of a bundle if its state is unchanged.
async fn find_cached(cx: &Cx, source: BundleSource, format: Format) -> Result<Option<Arc<Export>>> {
    let final_state = cx.read(|cx| load_final_state(cx, source)).await?;
    let Some(final_state) = final_state else { return Ok(None) };
    Ok(cx.governance.exports().find(source, format, &final_state))
}

async fn load_final_state(cx: Cx, source: BundleSource) -> Result<Option<FinalState>> {
    let tenant = tenant_of(&cx, source).await?;
    let newest = trust_registry::newest(&cx.governance).await?;
    let tx = tenant.begin_snapshot().await?;
    let final_state = FinalState::read(&tx, &cx.governance, source, newest.as_deref()).await?;
    tx.finish_read().await?;
    Ok(final_state)
}

/// Builds the bytes of a bundle, and caches them if the bundle is final.
async fn build_export(cx: &Cx, source: BundleSource, format: Format) -> Result<Arc<Export>> {
    let (bundle, final_state) = build(cx, source).await?;
    let export = cx.governance.exports().export(bundle.bytes(format)?)?;
    if let Some(final_state) = final_state {
        cx.governance.exports().store(source, format, final_state, &export);
    }
    Ok(export)
}

/// Builds a bundle, and reads in the same transaction whether it is final.
async fn build(cx: &Cx, source: BundleSource) -> Result<(Bundle, Option<FinalState>)> {
    cx.read(|cx| load(cx, source)).await
}

async fn load(cx: Cx, source: BundleSource) -> Result<(Bundle, Option<FinalState>)> {
    let tenant = tenant_of(&cx, source).await?;
    // Read before the transaction, on a separate connection and not from its database snapshot.
    let history = trust::RegistryHistory::read(&cx.governance).await?;
    let tx = tenant.begin_snapshot().await?;
    let mut builder = BundleBuilder::new(&tx).await?;
    let subject = match source {
        BundleSource::Decision(id) => builder.decision(&tx, id).await?,
        BundleSource::Chain(id) => builder.chain(&tx, id).await?,
    };
    let final_state = FinalState::read(&tx, &cx.governance, source, history.newest()).await?;
    tx.finish_read().await?;
    builder.registry(&cx.governance, &history)?;
    Ok((builder.finish(&cx.governance, &subject).await?, final_state))
}

async fn tenant_of(cx: &Cx, source: BundleSource) -> Result<Tenant<'_>> {
    match source {
        BundleSource::Decision(id) => Ok(cx.tenant_unchecked(decision::owner(cx, id).await?)),
        BundleSource::Chain(id) => owner(cx, id).await,
    }
}

impl BundleBuilder {
    /// Adds all files of a decision, including its chain.
    async fn decision(&mut self, tx: &TenantTx, id: DecisionId) -> Result<Subject> {
        let row = decision::by_id(tx, id).await?;
        self.receipt(tx, BundleScope::Decision, &row).await?;
        if let Some(chain) = row.chain_id {
            self.chain_of_decision(tx, ChainId(chain), id).await?;
        }
        let receipt_digest = stored_digest::read(&row.receipt_digest)?;
        Ok(Subject::Decision { decision_id: id, tenant_id: tx.tenant_id(), receipt_digest })
    }
}
