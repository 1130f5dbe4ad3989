//! What a report establishes and what it does not, in sentences.

use super::{Report, Status};

/// The claims in the order of reports, each with what it says when it is verified.
pub const MEANINGS: [(&str, &str); 10] = [
    ("receipt", "the receipt was signed by a trusted key and says what is shown"),
    ("policy_snapshot", "the policies shown are those that the receipt names"),
    ("chain_proofs", "the decision stands at its place in an unbroken chain"),
    ("transparency_proof", "the receipt is in a state of a trusted log"),
    ("trust_roots", "the keys come from what you pinned"),
    ("canonicalisation", "every member is in the one form that is hashed"),
    ("evidence", "the evidence shown is the evidence that the decision had"),
    ("approval_lineage", "each policy version was ratified before the decision"),
    ("manifest", "nothing was added to the bundle, taken out or changed"),
    ("evaluation", "the verdict follows from the context and the policies"),
];

/// What no bundle can show.
const LIMITS: [&str; 4] = [
    "that the input data were true",
    "that there are no further receipts beyond the sealed or logged range",
    "that no key was revoked after the copy of the registry that was used",
    "the time of anything, beyond what a witness attests",
];

pub(super) fn meaning(name: &str) -> &'static str {
    let known = MEANINGS.into_iter().find(|(claim, _)| *claim == name);
    known.map_or("", |(_, meaning)| meaning)
}

pub(super) fn established(report: &Report) -> Vec<&'static str> {
    let verified =
        |name: &str| report.claim(name).is_some_and(|claim| claim.status == Status::Verified);
    MEANINGS.into_iter().filter(|(name, _)| verified(name)).map(|(_, meaning)| meaning).collect()
}

pub(super) fn not_established(report: &Report) -> Vec<String> {
    let undecided = |name: &str| {
        let status = report.claim(name).map(|claim| claim.status);
        matches!(status, Some(Status::Failed | Status::Indeterminate))
    };
    let open = MEANINGS.into_iter().filter(|(name, _)| undecided(name));
    let open = open.map(|(_, meaning)| format!("that {meaning}"));
    open.chain(LIMITS.into_iter().map(str::to_owned)).collect()
}
