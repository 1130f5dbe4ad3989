//! Checks of chain links: continuity, chain and signatures.

use receipt::{
    bundle::path::BundleScope,
    chain::{ChainProblem, ChainWarning, ParsedLink, continuity_problems, step_warnings},
    key::{PayloadType, PublicKey},
};

use crate::{
    bundle::receipt::BoundStatement,
    claim_check::ClaimCheck,
    code::{Code, Note},
    context::VerificationContext,
    keyring::SignatureCheck,
};

/// Checks that positions are 1, 2, 3, … and that each link names its predecessor.
pub(super) fn check_continuity(check: &mut ClaimCheck, links: &[ParsedLink<'_>]) {
    let linked: Vec<_> = links.iter().map(|link| (link.link, link.canonical.digest)).collect();
    let problems = continuity_problems(&linked);
    for (problem, code, detail) in [
        (ChainProblem::ChainFork, Code::ChainFork, "two links have the same position"),
        (ChainProblem::LinkGap, Code::LinkGap, "positions are not 1, 2, 3, … without gaps"),
        (ChainProblem::LinkMismatch, Code::LinkMismatch, "a link names another predecessor"),
    ] {
        check.require(!problems.contains(&problem), code, detail);
    }
    check.require(!links.is_empty(), Code::LinkGap, "there are no links");
}

/// Reports gaps and disorder of the steps chosen by callers, which do not indicate tampering.
pub(super) fn check_steps(check: &mut ClaimCheck, links: &[ParsedLink<'_>]) {
    for warning in step_warnings(links.iter().map(|link| link.link.step).collect()) {
        match warning {
            ChainWarning::StepOrder => check.add_note(Note::StepOrder),
            ChainWarning::StepGap => check.add_note(Note::StepGap),
            // Missing signatures are checked separately for each link.
            ChainWarning::Unsigned => {}
        }
    }
}

/// Checks that all links belong to one chain of one tenant.
pub(super) fn check_single_chain(check: &mut ClaimCheck, links: &[ParsedLink<'_>]) {
    let chain = |link: &ParsedLink<'_>| (link.link.tenant_id, link.link.chain_id);
    let first = links.first().map(chain);
    let same = links.iter().all(|link| Some(chain(link)) == first);
    check.require(same, Code::LinkMismatch, "a link belongs to another chain");
}

/// Checks the signature of a link. `own` is the receipt of the link, if the bundle contains it; it
/// provides the recording time and the witnessed time.
pub(super) fn check_signature(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    link: &ParsedLink<'_>,
    own: Option<(BundleScope, &BoundStatement<'_>)>,
) {
    let (kid, signature) = match (link.kid, link.signature) {
        (Some(kid), Some(signature)) => (kid, signature),
        (None, None) => return check.add_failure(Code::Unsigned, "a link is not signed"),
        _ => {
            return check.add_failure(
                Code::LinkSignatureInvalid,
                "a link has only one of key id and signature",
            );
        }
    };
    let signed = SignatureCheck {
        payload_type: PayloadType::ChainLink,
        kid,
        tenant: link.link.tenant_id,
        at: own.map(|(_, bound)| bound.statement.recorded_at),
        witnessed_at: own.and_then(|(scope, _)| cx.log_evidence.witnessed_at(scope)),
        is_logged: false,
    };
    cx.keyring.check_signature(check, &signed, Code::LinkSignatureInvalid, |key: &PublicKey| {
        key.verify(PayloadType::ChainLink, &link.canonical.text, signature).is_ok()
    });
}
