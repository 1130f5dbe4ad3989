//! The line of links: contiguous, each naming the one before, each signed.

use std::collections::BTreeSet;

use receipt::{
    bundle::path::Place,
    chain::WrittenLink,
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
    let positions: BTreeSet<u32> = links.iter().map(|link| link.link.position).collect();
    let steps: BTreeSet<u32> = links.iter().map(|link| link.link.step).collect();
    let decisions: BTreeSet<_> = links.iter().map(|link| link.link.decision_id).collect();
    let befores: BTreeSet<_> = links.iter().map(|link| link.link.prev).collect();
    let distinct = [positions.len(), steps.len(), decisions.len(), befores.len()];
    let no_fork = distinct.into_iter().all(|count| count == links.len());
    check.require(no_fork, Code::ChainFork, "two links claim one place");
    let whole = (1..).zip(links).all(|(position, link)| link.link.position == position);
    let whole = whole && !links.is_empty();
    check.require(whole, Code::LinkGap, "positions are not 1, 2, 3, … without gaps");
    for pair in links.windows(2) {
        let [before, after] = pair else { continue };
        // Across a gap there is nothing to compare with.
        if before.link.position.checked_add(1) == Some(after.link.position) {
            let follows = after.link.prev == Some(before.canonical.digest);
            check.require(follows, Code::LinkMismatch, "a link names another one before it");
        }
    }
    let first =
        links.first().is_none_or(|first| (first.link.position == 1) == first.link.prev.is_none());
    check.require(first, Code::LinkMismatch, "the first link names one before it");
}

/// Gaps and disorder of the steps that callers chose: no tampering.
pub(super) fn steps(check: &mut Check, links: &[WrittenLink<'_>]) {
    let mut steps: Vec<u32> = links.iter().map(|link| link.link.step).collect();
    if !steps.is_sorted() {
        check.note(Note::StepOrder);
        steps.sort_unstable();
    }
    if !(1..).zip(&steps).all(|(expected, step)| expected == *step) {
        check.note(Note::StepGap);
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
    };
    world.ring.judge(check, &signed, Code::LinkSignatureInvalid, |key: &PublicKey| {
        key.verify(PayloadType::ChainLink, &link.canonical.text, signature).is_ok()
    });
}
