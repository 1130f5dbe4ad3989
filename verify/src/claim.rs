//! The ten claims and the priority of their codes.

pub(crate) mod approval_lineage;
pub(crate) mod canonicalisation;
pub(crate) mod chain_proofs;
pub(crate) mod evaluation;
pub(crate) mod evidence;
pub(crate) mod manifest;
pub(crate) mod policy_snapshot;
pub(crate) mod receipt;
pub(crate) mod transparency_proof;
pub(crate) mod trust_roots;

use crate::code::Code;

/// A claim, in report order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Receipt,
    PolicySnapshot,
    ChainProofs,
    TransparencyProof,
    TrustRoots,
    Canonicalisation,
    Evidence,
    ApprovalLineage,
    Manifest,
    Evaluation,
}

impl Claim {
    pub(crate) const ALL: [Self; 10] = [
        Self::Receipt,
        Self::PolicySnapshot,
        Self::ChainProofs,
        Self::TransparencyProof,
        Self::TrustRoots,
        Self::Canonicalisation,
        Self::Evidence,
        Self::ApprovalLineage,
        Self::Manifest,
        Self::Evaluation,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::PolicySnapshot => "policy_snapshot",
            Self::ChainProofs => "chain_proofs",
            Self::TransparencyProof => "transparency_proof",
            Self::TrustRoots => "trust_roots",
            Self::Canonicalisation => "canonicalisation",
            Self::Evidence => "evidence",
            Self::ApprovalLineage => "approval_lineage",
            Self::Manifest => "manifest",
            Self::Evaluation => "evaluation",
        }
    }

    /// Returns the code for withheld data, which the verifying party may accept (receipts, section
    /// 13.2).
    pub(crate) const fn withheld(self) -> Option<Code> {
        match self {
            Self::Evidence => Some(Code::EvidenceWithheld),
            Self::Evaluation => Some(Code::ContextWithheld),
            _ => None,
        }
    }

    /// Returns the priority of `code` in this claim. Codes of the claim come first, then key and
    /// general codes.
    pub(crate) fn rank(self, code: Code) -> usize {
        let own_codes = self.own_codes();
        let position = own_codes.iter().position(|own_code| *own_code == code);
        position.unwrap_or_else(|| {
            let general = Code::ALL.iter().position(|other| *other == code);
            own_codes.len().saturating_add(general.unwrap_or(Code::ALL.len()))
        })
    }

    const fn own_codes(self) -> &'static [Code] {
        use Code as C;
        match self {
            Self::Receipt => &[
                C::IntegrityHashMismatch,
                C::StatementViewMismatch,
                C::TenantMismatch,
                C::SignatureInvalid,
                C::ReceiptVersionUnsupported,
                C::AlgorithmUnsupported,
                C::Unsigned,
            ],
            Self::PolicySnapshot => &[
                C::SnapshotDigestMismatch,
                C::SnapshotOrder,
                C::RuleNotInSnapshot,
                C::RulesHashMismatch,
                C::SnapshotMalformed,
            ],
            Self::ChainProofs => &[
                C::ChainFork,
                C::LinkGap,
                C::LinkMismatch,
                C::ReceiptMissing,
                C::LinkSignatureInvalid,
                C::ParentNotInChain,
                C::SealMismatch,
                C::SealSignatureInvalid,
                C::Unsigned,
                C::NoChain,
            ],
            Self::TransparencyProof => &[
                C::AnchorMismatch,
                C::LeafMismatch,
                C::EntryUuidMismatch,
                C::RootMismatch,
                C::InclusionInvalid,
                C::CheckpointSignatureInvalid,
                C::CheckpointAfterFreeze,
                C::AnchorMalformed,
                C::LogFrozen,
                C::AnchorPending,
                C::ProviderUnsupported,
                C::CheckpointMissing,
                C::LogUntrusted,
                C::QuorumNotMet,
            ],
            Self::TrustRoots => &[
                C::RegistryMalformed,
                C::RegistrySignatureInvalid,
                C::RegistryRollback,
                C::RegistryHistoryMissing,
                C::Unpinned,
            ],
            Self::Canonicalisation => &[
                C::JsonSyntax,
                C::DuplicateKey,
                C::StringNoncharacter,
                C::NumberOutOfRange,
                C::LimitDepth,
                C::LimitSize,
                C::LimitMembers,
                C::NotCanonical,
                C::ProfileUnsupported,
            ],
            Self::Evidence => &[
                C::EvidenceDigestMismatch,
                C::EvidenceItemMismatch,
                C::EvidenceWithheld,
                C::NoEvidence,
            ],
            Self::ApprovalLineage => &[
                C::ApprovalDigestMismatch,
                C::ApprovalSubjectMismatch,
                C::ApprovalRulesMismatch,
                C::ApprovalAfterDecision,
                C::RatifierIsAuthor,
                C::LineageOrder,
                C::ApprovalSignatureInvalid,
                C::ApprovalMalformed,
                C::NoApprovalRecord,
                C::LineageUnresolved,
                C::NoSnapshot,
                C::NoPolicies,
            ],
            Self::Manifest => &[
                C::ArchiveMalformed,
                C::ManifestMalformed,
                C::MemberMissing,
                C::DigestMismatch,
                C::MemberUnlisted,
                C::SubjectMismatch,
                C::ManifestSignatureInvalid,
                C::ManifestVersionUnsupported,
                C::Unsigned,
            ],
            Self::Evaluation => &[
                C::ContextDigestMismatch,
                C::RulesHashMismatch,
                C::VerdictMismatch,
                C::ContextWithheld,
                C::EvaluatorVersionUnsupported,
            ],
        }
    }
}
