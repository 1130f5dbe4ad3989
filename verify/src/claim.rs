//! The checks of the ten claims, and the priority of their codes.

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

use contract::verification::Claim;

use crate::code::Code;

/// Returns the code of a claim for withheld data, which the verifying party may accept (receipts, section
/// 13.2).
pub(crate) const fn withheld(claim: Claim) -> Option<Code> {
    match claim {
        Claim::Evidence => Some(Code::EvidenceWithheld),
        Claim::Evaluation => Some(Code::ContextWithheld),
        _ => None,
    }
}

/// Returns the priority of `code` in a claim. Codes of the claim come first, then key and
/// general codes.
pub(crate) fn rank(claim: Claim, code: Code) -> usize {
    let own_codes = own_codes(claim);
    let position = own_codes.iter().position(|own_code| *own_code == code);
    position.unwrap_or_else(|| {
        let general = Code::ALL.iter().position(|other| *other == code);
        own_codes.len().saturating_add(general.unwrap_or(Code::ALL.len()))
    })
}

const fn own_codes(claim: Claim) -> &'static [Code] {
    use Code as C;
    match claim {
        Claim::Receipt => &[
            C::IntegrityHashMismatch,
            C::StatementViewMismatch,
            C::TenantMismatch,
            C::SignatureInvalid,
            C::ReceiptVersionUnsupported,
            C::AlgorithmUnsupported,
            C::Unsigned,
        ],
        Claim::PolicySnapshot => &[
            C::SnapshotDigestMismatch,
            C::SnapshotOrder,
            C::RuleNotInSnapshot,
            C::RulesHashMismatch,
            C::SnapshotMalformed,
        ],
        Claim::ChainProofs => &[
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
        Claim::TransparencyProof => &[
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
        Claim::TrustRoots => &[
            C::RegistryMalformed,
            C::RegistrySignatureInvalid,
            C::RegistryRollback,
            C::RegistryHistoryMissing,
            C::Unpinned,
        ],
        Claim::Canonicalisation => &[
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
        Claim::Evidence => &[
            C::EvidenceDigestMismatch,
            C::EvidenceItemMismatch,
            C::EvidenceWithheld,
            C::NoEvidence,
        ],
        Claim::ApprovalLineage => &[
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
        Claim::Manifest => &[
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
        Claim::Evaluation => &[
            C::ContextDigestMismatch,
            C::RulesHashMismatch,
            C::VerdictMismatch,
            C::ContextWithheld,
            C::EvaluatorVersionUnsupported,
        ],
    }
}
