//! The input of the claim checks.

use receipt::{
    bundle::{Subject, path},
    chain::read_links,
};

use crate::{
    Options,
    bundle::{Bundle, Kind, receipt::BundledReceipt},
    claim,
    keyring::Keyring,
};

/// The input of all claim checks.
#[derive(Debug)]
pub(crate) struct VerificationContext<'a> {
    pub(crate) bundle: &'a Bundle,
    pub(crate) keyring: &'a Keyring<'a>,
    pub(crate) options: &'a Options,
    pub(crate) log_evidence: claim::transparency_proof::LogEvidence,
}

/// Returns the subject of the bundle according to its files, independent of the manifest.
pub(crate) fn subject(bundle: &Bundle) -> Option<Subject> {
    match bundle.kind {
        Kind::Decision => bundle.receipts.first().and_then(decision_subject),
        Kind::Chain => {
            let links = bundle.json(path::LINKS).ok()?;
            let links = read_links(&links).ok()?;
            let last = links.last()?;
            Some(Subject::Chain {
                chain_id: last.link.chain_id,
                tenant_id: last.link.tenant_id,
                step_count: u32::try_from(links.len()).ok()?,
                head: last.canonical.digest,
            })
        }
    }
}

fn decision_subject(receipt: &BundledReceipt) -> Option<Subject> {
    let receipt_digest = receipt.receipt_digest().ok()?;
    if let Ok(bound) = receipt.bound() {
        let (decision_id, tenant_id) = (bound.statement.decision_id, bound.statement.tenant_id);
        return Some(Subject::Decision { decision_id, tenant_id, receipt_digest });
    }
    let view = receipt.view.as_ref().ok()?;
    let id = |name: &str| view.get(name)?.as_str();
    Some(Subject::Decision {
        decision_id: id("decision_id").and_then(receipt::object_reader::parsed)?,
        tenant_id: id("tenant_id").and_then(receipt::object_reader::parsed)?,
        receipt_digest,
    })
}
