//! The claims of a verification report and what each of them establishes.

/// The ten claims in the order of reports, each with the statement that its verification establishes. Source:
/// receipts, section 13.
pub const CLAIMS: [(&str, &str); 10] = [
    ("receipt", "the receipt matches a statement that a trusted key signed"),
    ("policy_snapshot", "the policies in the bundle are those that the receipt names"),
    ("chain_proofs", "the decision is at its position in an unbroken chain"),
    ("transparency_proof", "the receipt is included in a trusted log"),
    ("trust_roots", "the keys are trusted through your pins"),
    ("canonicalisation", "every file is in its canonical form"),
    ("evidence", "the evidence in the bundle is the evidence of the decision"),
    ("approval_lineage", "each policy version was ratified before the decision"),
    ("manifest", "no file of the bundle was added, removed or changed"),
    ("evaluation", "the verdict follows from the context and the policies"),
];

/// Returns what the verification of the claim `name` establishes, or an empty string for an unknown claim.
pub fn meaning(name: &str) -> &'static str {
    let claim = CLAIMS.into_iter().find(|(claim, _)| *claim == name);
    claim.map_or("", |(_, meaning)| meaning)
}
