//! What links say of each other: one line without gaps, in which each names the one before.

use std::collections::BTreeSet;

use super::{Link, Problem, Remark};
use crate::digest::Digest;

/// What keeps `links`, in order of position and with their digests, from being one line.
pub fn out_of_line(links: &[(Link, Digest)]) -> BTreeSet<Problem> {
    let mut problems = BTreeSet::new();
    if is_forked(links) {
        problems.insert(Problem::ChainFork);
    }
    if !(1..).zip(links).all(|(position, (link, _))| link.position == position) {
        problems.insert(Problem::LinkGap);
    }
    let first = links.first();
    let mut mismatch = first.is_some_and(|(link, _)| (link.position == 1) != link.prev.is_none());
    for pair in links.windows(2) {
        let [(before, digest), (after, _)] = pair else { continue };
        // Across a gap there is nothing to compare with.
        let adjacent = before.position.checked_add(1) == Some(after.position);
        mismatch |= adjacent && after.prev != Some(*digest);
    }
    if mismatch {
        problems.insert(Problem::LinkMismatch);
    }
    problems
}

/// Whether two links claim one place.
fn is_forked(links: &[(Link, Digest)]) -> bool {
    let positions: BTreeSet<_> = links.iter().map(|(link, _)| link.position).collect();
    let steps: BTreeSet<_> = links.iter().map(|(link, _)| link.step).collect();
    let decisions: BTreeSet<_> = links.iter().map(|(link, _)| link.decision_id).collect();
    let befores: BTreeSet<_> = links.iter().map(|(link, _)| link.prev).collect();
    let distinct = [positions.len(), steps.len(), decisions.len(), befores.len()];
    distinct.into_iter().any(|count| count != links.len())
}

/// Gaps and disorder of the steps that callers chose, in order of position: no tampering.
pub fn remarks(mut steps: Vec<u32>) -> BTreeSet<Remark> {
    let mut remarks = BTreeSet::new();
    if !steps.is_sorted() {
        remarks.insert(Remark::StepOrder);
        steps.sort_unstable();
    }
    if !(1..).zip(&steps).all(|(expected, step)| expected == *step) {
        remarks.insert(Remark::StepGap);
    }
    remarks
}
