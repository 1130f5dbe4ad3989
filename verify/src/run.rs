//! Checks all claims about a bundle.

use contract::verification::Claim;

use crate::{
    Options,
    bundle::Bundle,
    claim,
    claim_check::ClaimCheck,
    code::Code,
    context::{VerificationContext, subject},
    report::{ClaimReport, Overall, Report},
    trust::Trust,
};

/// Verifies a bundle in either form. Every claim is checked, independent of the results of the
/// others.
///
/// Pure and total: the same bytes, trust and options give the same report.
pub fn verify(bytes: &[u8], trust: &Trust, options: &Options) -> Report {
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
