//! Codes of chain problems and warnings.

/// A problem of a chain: the failures of the claim `chain_proofs` in its order, followed by
/// untrusted keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChainProblem {
    /// Two links have the same position, step, decision or predecessor.
    ChainFork,
    /// A link is missing.
    LinkGap,
    /// A link was changed, names another predecessor, or belongs to another receipt.
    LinkMismatch,
    /// The receipt statement of a link is missing.
    ReceiptMissing,
    /// The signature over a link is invalid or was removed.
    LinkSignatureInvalid,
    /// A parent is not an earlier decision of the chain.
    ParentNotInChain,
    /// The seal is missing, or does not match the links.
    SealMismatch,
    /// The signature over the seal is invalid or was removed.
    SealSignatureInvalid,
    /// A signature names a key that is not among the trusted keys.
    KeyUnknown,
    /// A signature is by a key with another purpose.
    KeyPurpose,
    /// A signature is by a revoked key.
    KeyRevoked,
}

impl ChainProblem {
    /// Returns the code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChainFork => "CHAIN_FORK",
            Self::LinkGap => "LINK_GAP",
            Self::LinkMismatch => "LINK_MISMATCH",
            Self::ReceiptMissing => "RECEIPT_MISSING",
            Self::LinkSignatureInvalid => "LINK_SIGNATURE_INVALID",
            Self::ParentNotInChain => "PARENT_NOT_IN_CHAIN",
            Self::SealMismatch => "SEAL_MISMATCH",
            Self::SealSignatureInvalid => "SEAL_SIGNATURE_INVALID",
            Self::KeyUnknown => "KEY_UNKNOWN",
            Self::KeyPurpose => "KEY_PURPOSE",
            Self::KeyRevoked => "KEY_REVOKED",
        }
    }
}

/// An observation that does not indicate tampering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChainWarning {
    /// The steps have gaps.
    StepGap,
    /// The steps are not in recording order.
    StepOrder,
    /// The chain is unsigned.
    Unsigned,
}

impl ChainWarning {
    /// Returns the code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StepGap => "STEP_GAP",
            Self::StepOrder => "STEP_ORDER",
            Self::Unsigned => "UNSIGNED",
        }
    }
}
