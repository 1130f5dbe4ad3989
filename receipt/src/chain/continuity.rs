//! Continuity of a chain: gap-free positions, and each link names its predecessor.

use std::collections::BTreeSet;

use super::{ChainProblem, ChainWarning, Link};
use crate::digest::Digest;

/// Returns the continuity problems of `links`, which are in order of position and have their
/// digests.
pub fn continuity_problems(links: &[(Link, Digest)]) -> BTreeSet<ChainProblem> {
    let mut problems = BTreeSet::new();
    if is_forked(links) {
        problems.insert(ChainProblem::ChainFork);
    }
    if !(1..).zip(links).all(|(position, (link, _))| link.position == position) {
        problems.insert(ChainProblem::LinkGap);
    }
    let first = links.first();
    let mut mismatch = first.is_some_and(|(link, _)| (link.position == 1) != link.prev.is_none());
    for [(previous, digest), (next, _)] in links.array_windows() {
        // Links on both sides of a gap cannot be compared.
        let adjacent = previous.position.checked_add(1) == Some(next.position);
        mismatch |= adjacent && next.prev != Some(*digest);
    }
    if mismatch {
        problems.insert(ChainProblem::LinkMismatch);
    }
    problems
}

/// Returns whether two links have the same position, step, decision or predecessor.
fn is_forked(links: &[(Link, Digest)]) -> bool {
    let positions: BTreeSet<_> = links.iter().map(|(link, _)| link.position).collect();
    let steps: BTreeSet<_> = links.iter().map(|(link, _)| link.step).collect();
    let decisions: BTreeSet<_> = links.iter().map(|(link, _)| link.decision_id).collect();
    let predecessors: BTreeSet<_> = links.iter().map(|(link, _)| link.prev).collect();
    let distinct = [positions.len(), steps.len(), decisions.len(), predecessors.len()];
    distinct.into_iter().any(|count| count != links.len())
}

/// Returns warnings for gaps and disorder in the steps chosen by callers. `steps` is in order of
/// position.
pub fn step_warnings(mut steps: Vec<u32>) -> BTreeSet<ChainWarning> {
    let mut warnings = BTreeSet::new();
    if !steps.is_sorted() {
        warnings.insert(ChainWarning::StepOrder);
        steps.sort_unstable();
    }
    if !(1..).zip(&steps).all(|(expected, step)| expected == *step) {
        warnings.insert(ChainWarning::StepGap);
    }
    warnings
}
