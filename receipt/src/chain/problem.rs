//! Codes of chain problems and warnings.

contract::named_enum! {
    /// A problem of a chain: the failures of the claim `chain_proofs` in its order, followed by
    /// untrusted keys.
    pub enum ChainProblem {
        /// Two links have the same position, step, decision or predecessor.
        ChainFork = "CHAIN_FORK",
        /// A link is missing.
        LinkGap = "LINK_GAP",
        /// A link was changed, names another predecessor, or belongs to another receipt.
        LinkMismatch = "LINK_MISMATCH",
        /// The receipt statement of a link is missing.
        ReceiptMissing = "RECEIPT_MISSING",
        /// The signature over a link is invalid or was removed.
        LinkSignatureInvalid = "LINK_SIGNATURE_INVALID",
        /// A parent is not an earlier decision of the chain.
        ParentNotInChain = "PARENT_NOT_IN_CHAIN",
        /// The seal is missing, or does not match the links.
        SealMismatch = "SEAL_MISMATCH",
        /// The signature over the seal is invalid or was removed.
        SealSignatureInvalid = "SEAL_SIGNATURE_INVALID",
        /// A signature names a key that is not among the trusted keys.
        KeyUnknown = "KEY_UNKNOWN",
        /// A signature is by a key with another purpose.
        KeyPurpose = "KEY_PURPOSE",
        /// A signature is by a revoked key.
        KeyRevoked = "KEY_REVOKED",
    }
}

contract::named_enum! {
    /// An observation that does not indicate tampering.
    pub enum ChainWarning {
        /// The steps have gaps.
        StepGap = "STEP_GAP",
        /// The steps are not in recording order.
        StepOrder = "STEP_ORDER",
        /// The chain is unsigned.
        Unsigned = "UNSIGNED",
    }
}
