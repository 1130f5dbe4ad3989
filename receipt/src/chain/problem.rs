//! What a check of a chain finds, in codes.

/// What is wrong with a chain: the failures of the claim `chain_proofs`, in its order, and keys that
/// are not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// Two links claim one place.
    ChainFork,
    /// A link is missing.
    LinkGap,
    /// A link is not what was written, names another one before it, or is of another receipt.
    LinkMismatch,
    /// The decision of a link is missing.
    ReceiptMissing,
    /// The signature over a link is not of its key, or was taken off.
    LinkSignatureInvalid,
    /// A parent is no earlier decision of the chain.
    ParentNotInChain,
    /// The seal is missing, or of other links.
    SealMismatch,
    /// The signature over the seal is not of its key, or was taken off.
    SealSignatureInvalid,
    /// A signature names a key that is none of those given.
    KeyUnknown,
    /// A signature is by a key that is for other things.
    KeyPurpose,
    /// A signature is by a key that was revoked.
    KeyRevoked,
}

impl Problem {
    /// The code.
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

/// What is worth a word and no tampering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// The numbers of the steps leave some out.
    StepGap,
    /// They were not given out in their order.
    StepOrder,
    /// There was no signing key.
    Unsigned,
}

impl Remark {
    /// The code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StepGap => "STEP_GAP",
            Self::StepOrder => "STEP_ORDER",
            Self::Unsigned => "UNSIGNED",
        }
    }
}
