//! Runs all claims over a bundle.

use receipt::{
    bundle::Subject,
    chain::{WrittenLink, read_links},
};

use crate::{
    Options,
    bundle::{Bundle, Kind},
    case::Case,
    check::Check,
    claim::{self, Claim},
    code::Code,
    report::{ClaimReport, Overall, Report},
    ring::Ring,
    trust::Trust,
};
use ::receipt::bundle::path;

/// What every claim is checked against.
#[derive(Debug)]
pub(crate) struct World<'a> {
    pub(crate) bundle: &'a Bundle,
    pub(crate) ring: &'a Ring<'a>,
    pub(crate) options: &'a Options,
    pub(crate) seen: claim::transparency_proof::Seen,
}

pub(crate) fn judge(bytes: &[u8], trust: &Trust, options: &Options) -> Report {
    let Ok(bundle) = Bundle::read(bytes) else { return unreadable(trust) };
    let (trust_roots, ring) = claim::trust_roots::check(&bundle, trust, options.now);
    let (transparency_proof, seen) = claim::transparency_proof::check(&bundle, &ring);
    let checkpoint = seen.checkpoint.clone();
    let world = World { bundle: &bundle, ring: &ring, options, seen };
    let claims: Vec<ClaimReport> = [
        claim::receipt::check(&world),
        claim::policy_snapshot::check(&world),
        claim::chain_proofs::check(&world),
        transparency_proof,
        trust_roots,
        claim::canonicalisation::check(&world),
        claim::evidence::check(&world),
        claim::approval_lineage::check(&world),
        claim::manifest::check(&world),
        claim::evaluation::check(&world),
    ]
    .map(Check::conclude)
    .into();
    Report {
        overall: Overall::of(&claims, options.allow_withheld),
        kind: Some(bundle.kind),
        subject: subject(&bundle),
        claims,
        registry_version: ring.newest.as_ref().map(|registry| registry.version),
        pins: pins(trust),
        checkpoint,
    }
}

/// The report on a file that is no bundle.
fn unreadable(trust: &Trust) -> Report {
    let claims = Claim::ALL.map(|claim| {
        let mut check = Check::new(claim);
        match claim {
            Claim::Manifest => {
                check.found(Code::ArchiveMalformed, "the file is no bundle in its one form");
            }
            _ => check.found(Code::NotEvaluated, "the file is no bundle"),
        }
        check.conclude()
    });
    let claims: Vec<ClaimReport> = claims.into();
    Report {
        overall: Overall::of(&claims, false),
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

/// What the members are about, whatever the manifest says.
pub(crate) fn subject(bundle: &Bundle) -> Option<Subject> {
    match bundle.kind {
        Kind::Decision => bundle.cases.first().and_then(decision),
        Kind::Chain => {
            let links = bundle.json(path::LINKS).ok()?;
            let links = read_links(&links).ok()?;
            let last: &WrittenLink<'_> = links.last()?;
            Some(Subject::Chain {
                chain_id: last.link.chain_id,
                tenant_id: last.link.tenant_id,
                step_count: u32::try_from(links.len()).ok()?,
                head: last.canonical.digest,
            })
        }
    }
}

fn decision(case: &Case) -> Option<Subject> {
    let receipt_digest = case.receipt_digest().ok()?;
    if let Ok(bound) = case.bound() {
        let (decision_id, tenant_id) = (bound.statement.decision_id, bound.statement.tenant_id);
        return Some(Subject::Decision { decision_id, tenant_id, receipt_digest });
    }
    let view = case.view.as_ref().ok()?;
    let id = |name: &str| view.get(name)?.as_str();
    Some(Subject::Decision {
        decision_id: id("decision_id").and_then(receipt::fields::exact)?,
        tenant_id: id("tenant_id").and_then(receipt::fields::exact)?,
        receipt_digest,
    })
}
