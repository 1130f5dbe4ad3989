//! Checks all claims about a bundle.

use contract::verification::Claim;
use receipt::{
    bundle::{Subject, path},
    chain::read_links,
};

use crate::{
    Options,
    bundle::{Bundle, Kind, receipt::BundledReceipt},
    claim,
    claim_check::ClaimCheck,
    code::Code,
    keyring::Keyring,
    report::{ClaimReport, Overall, Report},
    trust::Trust,
};

/// The input of all claim checks.
#[derive(Debug)]
pub(crate) struct VerificationContext<'a> {
    pub(crate) bundle: &'a Bundle,
    pub(crate) keyring: &'a Keyring<'a>,
    pub(crate) options: &'a Options,
    pub(crate) log_evidence: claim::transparency_proof::LogEvidence,
}

/// Checks the ten claims and returns the report.
pub(crate) fn run_claims(bytes: &[u8], trust: &Trust, options: &Options) -> Report {
    let Ok(bundle) = Bundle::read(bytes) else { return unreadable(trust) };
    let (trust_roots, keyring) = claim::trust_roots::check(&bundle, trust, options.now);
    let (transparency_proof, log_evidence) = claim::transparency_proof::check(&bundle, &keyring);
    let checkpoint = log_evidence.checkpoint.clone();
    let cx = VerificationContext { bundle: &bundle, keyring: &keyring, options, log_evidence };
    let claims: Vec<ClaimReport> = [
        claim::receipt::check(&cx),
        claim::policy_snapshot::check(&cx),
        claim::chain_proofs::check(&cx),
        transparency_proof,
        trust_roots,
        claim::canonicalisation::check(&cx),
        claim::evidence::check(&cx),
        claim::approval_lineage::check(&cx),
        claim::manifest::check(&cx),
        claim::evaluation::check(&cx),
    ]
    .map(ClaimCheck::into_report)
    .into();
    Report {
        overall: Overall::from_claims(&claims, options.allow_withheld),
        kind: Some(bundle.kind),
        subject: subject(&bundle),
        claims,
        registry_version: keyring.newest.as_ref().map(|registry| registry.version),
        pins: pins(trust),
        checkpoint,
    }
}

/// Returns the report for a file that is not a bundle.
fn unreadable(trust: &Trust) -> Report {
    let claims = Claim::ALL.map(|claim| {
        let mut check = ClaimCheck::new(claim);
        match claim {
            Claim::Manifest => {
                check.add_failure(
                    Code::ArchiveMalformed,
                    "the file is not a bundle in canonical form",
                );
            }
            _ => check.add_failure(Code::NotEvaluated, "the file is not a bundle"),
        }
        check.into_report()
    });
    let claims: Vec<ClaimReport> = claims.into();
    Report {
        overall: Overall::from_claims(&claims, false),
        kind: None,
        subject: None,
        claims,
        registry_version: None,
        pins: pins(trust),
        checkpoint: None,
    }
}

fn pins(trust: &Trust) -> std::collections::BTreeSet<String> {
    trust.pins.iter().map(|pin| pin.kid.clone()).collect()
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
