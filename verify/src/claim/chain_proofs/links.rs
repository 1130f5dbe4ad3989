//! The line of links: contiguous, each naming the one before, each signed.

use receipt::{
    bundle::path::Place,
    chain::{Problem, Remark, WrittenLink, out_of_line, remarks},
    key::{PayloadType, PublicKey},
};

use crate::{
    case::Bound,
    check::Check,
    code::{Code, Note},
    judge::World,
    ring::Signed,
};

/// Positions are 1, 2, 3, …, and each link names the one before.
pub(super) fn in_line(check: &mut Check, links: &[WrittenLink<'_>]) {
    let line: Vec<_> = links.iter().map(|link| (link.link, link.canonical.digest)).collect();
    let problems = out_of_line(&line);
    for (problem, code, detail) in [
        (Problem::ChainFork, Code::ChainFork, "two links claim one place"),
        (Problem::LinkGap, Code::LinkGap, "positions are not 1, 2, 3, … without gaps"),
        (Problem::LinkMismatch, Code::LinkMismatch, "a link names another one before it"),
    ] {
        check.require(!problems.contains(&problem), code, detail);
    }
    check.require(!links.is_empty(), Code::LinkGap, "there are no links");
}

/// Gaps and disorder of the steps that callers chose: no tampering.
pub(super) fn steps(check: &mut Check, links: &[WrittenLink<'_>]) {
    for remark in remarks(links.iter().map(|link| link.link.step).collect()) {
        match remark {
            Remark::StepOrder => check.note(Note::StepOrder),
            Remark::StepGap => check.note(Note::StepGap),
            // A link without a signature is looked at by itself.
            Remark::Unsigned => {}
        }
    }
}

/// All links are of one chain of one tenant.
pub(super) fn one_chain(check: &mut Check, links: &[WrittenLink<'_>]) {
    let chain = |link: &WrittenLink<'_>| (link.link.tenant_id, link.link.chain_id);
    let first = links.first().map(chain);
    let same = links.iter().all(|link| Some(chain(link)) == first);
    check.require(same, Code::LinkMismatch, "a link is of another chain");
}

/// The signature of a link. Of an own link the time of recording is known, and when a witness saw it.
pub(super) fn signature(
    check: &mut Check,
    world: &World<'_>,
    link: &WrittenLink<'_>,
    own: Option<(Place, &Bound<'_>)>,
) {
    let (kid, signature) = match (link.kid, link.signature) {
        (Some(kid), Some(signature)) => (kid, signature),
        (None, None) => return check.found(Code::Unsigned, "a link is not signed"),
        _ => return check.found(Code::LinkSignatureInvalid, "a signature has lost its half"),
    };
    let signed = Signed {
        payload_type: PayloadType::ChainLink,
        kid,
        tenant: link.link.tenant_id,
        at: own.map(|(_, bound)| bound.statement.recorded_at),
        witnessed: own.and_then(|(place, _)| world.seen.witnessed(place)),
        is_logged: false,
    };
    world.ring.judge(check, &signed, Code::LinkSignatureInvalid, |key: &PublicKey| {
        key.verify(PayloadType::ChainLink, &link.canonical.text, signature).is_ok()
    });
}
