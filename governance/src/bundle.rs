//! Verification bundles: all that is needed to check a decision or a chain offline, without trusting
//! this service (receipts, section 12). Whoever knows the id may have one.
//!
//! A bundle holds what is stored, byte for byte, and no time of its own: two exports of what has not
//! changed are equal. What was changed in the store is exported as it is, for the verifier to find.

mod approvals;
mod chain;
mod evidence;
mod exports;
mod finished;
mod making;
mod member;
mod recorded;
mod trust;

use std::{str::FromStr, sync::Arc};

use contract::id::{ChainId, DecisionId};
use receipt::{
    bundle::{self, Files, Subject, path::Place},
    digest::Digest,
};

pub(crate) use self::exports::Exports;
pub use self::{exports::Export, member::Member};
use self::{finished::Finished, making::Making};
use crate::{
    chain::owner,
    cx::Cx,
    decision,
    error::{Error, Result, bundle::too_large},
    tenancy::{Tenant, TenantTx},
};

/// A closed bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    files: Files,
}

/// The decision or the chain that a bundle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    /// A decision.
    Decision(DecisionId),
    /// A chain: all its links, and every receipt that they hold.
    Chain(ChainId),
}

/// The form of a bundle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// An archive.
    #[default]
    Archive,
    /// The same members as one JSON text.
    Json,
}

impl FromStr for Format {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "tar" => Ok(Self::Archive),
            "json" => Ok(Self::Json),
            _ => Err(()),
        }
    }
}

impl Bundle {
    /// The bytes of the bundle in a form.
    fn bytes(&self, format: Format) -> Result<Vec<u8>> {
        match format {
            Format::Archive => Ok(bundle::write_archive(&self.files).map_err(|_| too_large())?),
            Format::Json => {
                let text =
                    bundle::write_json(&self.files).map_err(|error| Error::Bug(error.into()))?;
                Ok(text.text.into_bytes())
            }
        }
    }
}

/// The bundle of a decision, for looking into it.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` while too many bundles are made.
pub async fn of_decision(cx: &Cx, id: DecisionId) -> Result<Bundle> {
    let own = cx.clone();
    cx.governance.exports().run(async move || Ok(build(&own, Of::Decision(id)).await?.0)).await
}

/// The bytes of a bundle. They are cached once the bundle cannot change any more.
///
/// # Errors
/// `NOT_FOUND`; `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` while too many bundles are made.
pub async fn export(cx: &Cx, of: Of, format: Format) -> Result<Arc<Export>> {
    if let Some(export) = cached(cx, of, format).await? {
        return Ok(export);
    }
    let own = cx.clone();
    cx.governance.exports().run(async move || make(&own, of, format).await).await
}

/// Does `work` with the archive of a bundle, on a thread for such work and within the limit of bundles that
/// are made at a time.
///
/// # Errors
/// As [`export`].
pub async fn check<T: Send + 'static>(
    cx: &Cx,
    of: Of,
    work: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> Result<T> {
    let own = cx.clone();
    let checked = async move || {
        let export = match cached(&own, of, Format::Archive).await? {
            Some(export) => export,
            None => make(&own, of, Format::Archive).await?,
        };
        Ok(work(&export.bytes))
    };
    cx.governance.exports().run(checked).await
}

/// The cached bytes of a bundle, if it is as it was when they were made.
async fn cached(cx: &Cx, of: Of, format: Format) -> Result<Option<Arc<Export>>> {
    let tenant = tenant_of(cx, of).await?;
    let newest = crate::trust::newest(&cx.governance).await?;
    let tx = tenant.begin_snapshot().await?;
    let finished = Finished::read(&tx, &cx.governance, of, newest.as_deref()).await?;
    tx.end().await?;
    let Some(finished) = finished else { return Ok(None) };
    Ok(cx.governance.exports().cached(of, format, &finished).await)
}

/// Makes the bytes of a bundle, and caches them when it cannot change any more.
async fn make(cx: &Cx, of: Of, format: Format) -> Result<Arc<Export>> {
    let (bundle, finished) = build(cx, of).await?;
    let export = Arc::new(Export::new(bundle.bytes(format)?));
    if let Some(finished) = finished {
        cx.governance.exports().keep(of, format, finished, &export).await;
    }
    Ok(export)
}

/// Puts a bundle together, and reads in the same transaction whether it can still change.
async fn build(cx: &Cx, of: Of) -> Result<(Bundle, Option<Finished>)> {
    let tenant = tenant_of(cx, of).await?;
    // Read before the transaction, which sees one moment, and on a connection that it does not keep.
    let history = trust::History::read(&cx.governance).await?;
    let tx = tenant.begin_snapshot().await?;
    let mut making = Making::begin(&tx).await?;
    let subject = match of {
        Of::Decision(id) => making.decision(&tx, id).await?,
        Of::Chain(id) => making.chain(&tx, id).await?,
    };
    let finished = Finished::read(&tx, &cx.governance, of, history.newest()).await?;
    tx.end().await?;
    making.registry(&cx.governance, &history)?;
    Ok((making.close(&cx.governance, &subject).await?, finished))
}

/// The tenant of what a bundle is about.
async fn tenant_of(cx: &Cx, of: Of) -> Result<Tenant<'_>> {
    match of {
        Of::Decision(id) => Ok(cx.tenant_unchecked(decision::owner(cx, id).await?)),
        Of::Chain(id) => owner(cx, id).await,
    }
}

impl Making {
    /// Adds everything about one decision, its chain included.
    async fn decision(&mut self, tx: &TenantTx, id: DecisionId) -> Result<Subject> {
        let row = decision::by_id(tx, id).await?;
        self.receipt(tx, Place::Decision, &row).await?;
        if let Some(chain) = row.chain_id {
            self.chain_of_decision(tx, ChainId(chain), id).await?;
        }
        let receipt_digest: Digest = row
            .receipt_digest
            .parse()
            .map_err(|_| Error::bug("a decision without the digest of its receipt"))?;
        Ok(Subject::Decision { decision_id: id, tenant_id: tx.tenant_id(), receipt_digest })
    }
}
