//! The words of a verification report: what a verifier says of a bundle, wherever it runs.

/// The ten claims in the order of reports, each with what it says when it is verified. Source: receipts,
/// section 13.
pub const CLAIMS: [(&str, &str); 10] = [
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

/// What the claim called `name` says when it is verified; nothing, if there is no such claim.
pub fn meaning(name: &str) -> &'static str {
    let known = CLAIMS.into_iter().find(|(claim, _)| *claim == name);
    known.map_or("", |(_, meaning)| meaning)
}
