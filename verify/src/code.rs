//! Statuses, codes and notes of claims (receipts, section 13.1).

use contract::verification::Claim;

contract::named_enum! {
    /// The status of a claim, ordered by precedence: of several, the greatest applies.
    pub enum Status {
        /// The object does not exist for this decision, according to signed data.
        NotApplicable = "not_applicable",
        /// The object exists and is valid.
        Verified = "verified",
        /// The object exists or should exist, but cannot be checked with this bundle and trust.
        Indeterminate = "indeterminate",
        /// The object exists and is invalid.
        Failed = "failed",
    }
}

/// Defines the codes of each claim in order of priority, each with the status that it gives to a claim. A code without a
/// text is one of an earlier claim too.
macro_rules! codes {
    ($($claim:ident { $($name:ident $(= $text:literal $status:ident)?,)+ })+
        _ { $($general:ident = $general_text:literal $general_status:ident,)+ }) => {
        contract::named_enum! {
            /// The reason why a claim is not verified. The table of claims in the format defines
            /// each code.
            #[expect(missing_docs, reason = "the format defines each code")]
            pub enum Code { $($($($name = $text,)?)+)+ $($general = $general_text,)+ }
        }

        impl Code {
            /// Returns the status that the code gives to a claim.
            pub const fn status(self) -> Status {
                match self {
                    $($($(Self::$name => Status::$status,)?)+)+
                    $(Self::$general => Status::$general_status,)+
                }
            }

            /// Returns the codes of a claim.
            pub(crate) const fn of(claim: Claim) -> &'static [Self] {
                match claim { $(Claim::$claim => &[$(Self::$name,)+],)+ }
            }
        }
    };
}

codes! {
    Receipt {
        IntegrityHashMismatch = "INTEGRITY_HASH_MISMATCH" Failed,
        StatementViewMismatch = "STATEMENT_VIEW_MISMATCH" Failed,
        TenantMismatch = "TENANT_MISMATCH" Failed,
        SignatureInvalid = "SIGNATURE_INVALID" Failed,
        ReceiptVersionUnsupported = "RECEIPT_VERSION_UNSUPPORTED" Indeterminate,
        AlgorithmUnsupported = "ALGORITHM_UNSUPPORTED" Indeterminate,
        Unsigned = "UNSIGNED" Indeterminate,
    }
    PolicySnapshot {
        SnapshotDigestMismatch = "SNAPSHOT_DIGEST_MISMATCH" Failed,
        SnapshotOrder = "SNAPSHOT_ORDER" Failed,
        RuleNotInSnapshot = "RULE_NOT_IN_SNAPSHOT" Failed,
        RulesHashMismatch = "RULES_HASH_MISMATCH" Failed,
        SnapshotMalformed = "SNAPSHOT_MALFORMED" Failed,
    }
    ChainProofs {
        ChainFork = "CHAIN_FORK" Failed,
        LinkGap = "LINK_GAP" Failed,
        LinkMismatch = "LINK_MISMATCH" Failed,
        ReceiptMissing = "RECEIPT_MISSING" Failed,
        LinkSignatureInvalid = "LINK_SIGNATURE_INVALID" Failed,
        ParentNotInChain = "PARENT_NOT_IN_CHAIN" Failed,
        SealMismatch = "SEAL_MISMATCH" Failed,
        SealSignatureInvalid = "SEAL_SIGNATURE_INVALID" Failed,
        Unsigned,
        NoChain = "NO_CHAIN" NotApplicable,
    }
    TransparencyProof {
        AnchorMismatch = "ANCHOR_MISMATCH" Failed,
        LeafMismatch = "LEAF_MISMATCH" Failed,
        EntryUuidMismatch = "ENTRY_UUID_MISMATCH" Failed,
        RootMismatch = "ROOT_MISMATCH" Failed,
        InclusionInvalid = "INCLUSION_INVALID" Failed,
        CheckpointSignatureInvalid = "CHECKPOINT_SIGNATURE_INVALID" Failed,
        CheckpointAfterFreeze = "CHECKPOINT_AFTER_FREEZE" Failed,
        AnchorMalformed = "ANCHOR_MALFORMED" Failed,
        LogFrozen = "LOG_FROZEN" Indeterminate,
        AnchorPending = "ANCHOR_PENDING" Indeterminate,
        ProviderUnsupported = "PROVIDER_UNSUPPORTED" Indeterminate,
        CheckpointMissing = "CHECKPOINT_MISSING" Indeterminate,
        LogUntrusted = "LOG_UNTRUSTED" Indeterminate,
        QuorumNotMet = "QUORUM_NOT_MET" Indeterminate,
    }
    TrustRoots {
        RegistryMalformed = "REGISTRY_MALFORMED" Failed,
        RegistrySignatureInvalid = "REGISTRY_SIGNATURE_INVALID" Failed,
        RegistryRollback = "REGISTRY_ROLLBACK" Failed,
        RegistryHistoryMissing = "REGISTRY_HISTORY_MISSING" Indeterminate,
        Unpinned = "UNPINNED" Indeterminate,
    }
    Canonicalisation {
        JsonSyntax = "JSON_SYNTAX" Failed,
        DuplicateKey = "DUPLICATE_KEY" Failed,
        StringNoncharacter = "STRING_NONCHARACTER" Failed,
        NumberOutOfRange = "NUMBER_OUT_OF_RANGE" Failed,
        LimitDepth = "LIMIT_DEPTH" Failed,
        LimitSize = "LIMIT_SIZE" Failed,
        LimitMembers = "LIMIT_MEMBERS" Failed,
        NotCanonical = "NOT_CANONICAL" Failed,
        ProfileUnsupported = "PROFILE_UNSUPPORTED" Indeterminate,
    }
    Evidence {
        EvidenceDigestMismatch = "EVIDENCE_DIGEST_MISMATCH" Failed,
        EvidenceItemMismatch = "EVIDENCE_ITEM_MISMATCH" Failed,
        EvidenceWithheld = "EVIDENCE_WITHHELD" Indeterminate,
        NoEvidence = "NO_EVIDENCE" NotApplicable,
    }
    ApprovalLineage {
        ApprovalDigestMismatch = "APPROVAL_DIGEST_MISMATCH" Failed,
        ApprovalSubjectMismatch = "APPROVAL_SUBJECT_MISMATCH" Failed,
        ApprovalRulesMismatch = "APPROVAL_RULES_MISMATCH" Failed,
        ApprovalAfterDecision = "APPROVAL_AFTER_DECISION" Failed,
        RatifierIsAuthor = "RATIFIER_IS_AUTHOR" Failed,
        LineageOrder = "LINEAGE_ORDER" Failed,
        ApprovalSignatureInvalid = "APPROVAL_SIGNATURE_INVALID" Failed,
        ApprovalMalformed = "APPROVAL_MALFORMED" Failed,
        NoApprovalRecord = "NO_APPROVAL_RECORD" Indeterminate,
        LineageUnresolved = "LINEAGE_UNRESOLVED" Indeterminate,
        NoSnapshot = "NO_SNAPSHOT" Indeterminate,
        NoPolicies = "NO_POLICIES" NotApplicable,
    }
    Manifest {
        ArchiveMalformed = "ARCHIVE_MALFORMED" Failed,
        ManifestMalformed = "MANIFEST_MALFORMED" Failed,
        MemberMissing = "MEMBER_MISSING" Failed,
        DigestMismatch = "DIGEST_MISMATCH" Failed,
        MemberUnlisted = "MEMBER_UNLISTED" Failed,
        SubjectMismatch = "SUBJECT_MISMATCH" Failed,
        ManifestSignatureInvalid = "MANIFEST_SIGNATURE_INVALID" Failed,
        ManifestVersionUnsupported = "MANIFEST_VERSION_UNSUPPORTED" Indeterminate,
        Unsigned,
    }
    Evaluation {
        ContextDigestMismatch = "CONTEXT_DIGEST_MISMATCH" Failed,
        RulesHashMismatch,
        VerdictMismatch = "VERDICT_MISMATCH" Failed,
        ContextWithheld = "CONTEXT_WITHHELD" Indeterminate,
        EvaluatorVersionUnsupported = "EVALUATOR_VERSION_UNSUPPORTED" Indeterminate,
    }
    // Codes of all claims, in order of priority.
    _ {
        KeyUnknown = "KEY_UNKNOWN" Indeterminate,
        KeyPurpose = "KEY_PURPOSE" Failed,
        KeyTenant = "KEY_TENANT" Failed,
        KeyNotYetValid = "KEY_NOT_YET_VALID" Failed,
        KeyExpired = "KEY_EXPIRED" Failed,
        KeyRevoked = "KEY_REVOKED" Failed,
        KeyRetiredUnanchored = "KEY_RETIRED_UNANCHORED" Indeterminate,
        SchemaMismatch = "SCHEMA_MISMATCH" Failed,
        FileMissing = "FILE_MISSING" Indeterminate,
        FileUnreadable = "FILE_UNREADABLE" Indeterminate,
        NoStatement = "NO_STATEMENT" Indeterminate,
        NotBoundByV1 = "NOT_BOUND_BY_V1" Indeterminate,
        NotEvaluated = "NOT_EVALUATED" Indeterminate,
    }
}

contract::named_enum! {
    /// Additional information about a claim that does not change its status. Ordered by name, as in
    /// reports.
    #[expect(missing_docs, reason = "the format defines each note")]
    pub enum Note {
        AdditionalSignatureUnchecked = "ADDITIONAL_SIGNATURE_UNCHECKED",
        ChainOpen = "CHAIN_OPEN",
        ExternalAnchorNotChecked = "EXTERNAL_ANCHOR_NOT_CHECKED",
        KeyRetired = "KEY_RETIRED",
        KeyRevokedLater = "KEY_REVOKED_LATER",
        LineageTruncated = "LINEAGE_TRUNCATED",
        PinnedKeysOnly = "PINNED_KEYS_ONLY",
        ReceiptV1NotBoundToId = "RECEIPT_V1_NOT_BOUND_TO_ID",
        RegistryOlder = "REGISTRY_OLDER",
        RegistryStale = "REGISTRY_STALE",
        SealAnchorPending = "SEAL_ANCHOR_PENDING",
        StepGap = "STEP_GAP",
        StepOrder = "STEP_ORDER",
        ValuesRedacted = "VALUES_REDACTED",
        Witnessed = "WITNESSED",
    }
}
