//! The claims of a verification report and what each of them establishes.

/// The ten claims in the order of reports, each with the statement that its verification establishes. Source:
/// receipts, section 13.
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

/// Returns what the verification of the claim `name` establishes, or an empty string for an unknown claim.
pub fn meaning(name: &str) -> &'static str {
    let claim = CLAIMS.into_iter().find(|(claim, _)| *claim == name);
    claim.map_or("", |(_, meaning)| meaning)
}
