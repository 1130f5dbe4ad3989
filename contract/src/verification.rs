//! The claims of a verification report and what each of them establishes.

string_enum! {
    /// A claim of a verification report, in the order of reports. Source: receipts, section 13.
    pub enum Claim {
        /// The receipt and its signature.
        Receipt = "receipt",
        /// The policies of the decision.
        PolicySnapshot = "policy_snapshot",
        /// The position of the decision in its chain.
        ChainProofs = "chain_proofs",
        /// The inclusion of the receipt in a log.
        TransparencyProof = "transparency_proof",
        /// The trust in the keys.
        TrustRoots = "trust_roots",
        /// The canonical form of the files.
        Canonicalisation = "canonicalisation",
        /// The evidence of the decision.
        Evidence = "evidence",
        /// The ratification of the policy versions.
        ApprovalLineage = "approval_lineage",
        /// The completeness of the bundle.
        Manifest = "manifest",
        /// The repeated evaluation of the decision.
        Evaluation = "evaluation",
    }
}

impl Claim {
    /// Returns what the verification of the claim establishes.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Receipt => "the receipt matches a statement that a trusted key signed",
            Self::PolicySnapshot => "the policies in the bundle are those that the receipt names",
            Self::ChainProofs => "the decision is at its position in an unbroken chain",
            Self::TransparencyProof => "the receipt is included in a trusted log",
            Self::TrustRoots => "the keys are trusted through your pins",
            Self::Canonicalisation => "every file is in its canonical form",
            Self::Evidence => "the evidence in the bundle is the evidence of the decision",
            Self::ApprovalLineage => "each policy version was ratified before the decision",
            Self::Manifest => "no file of the bundle was added, removed or changed",
            Self::Evaluation => "the verdict follows from the context and the policies",
        }
    }
}
