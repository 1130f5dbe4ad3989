//! What signatures are for (receipts, section 4).

/// What a signature is for; part of the signed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadType {
    /// A receipt statement.
    Receipt,
    /// A link of a chain.
    ChainLink,
    /// The seal of a chain.
    ChainSeal,
    /// The manifest of a verification bundle.
    BundleManifest,
    /// The approval of a policy version.
    PolicyApproval,
    /// A capability grant.
    CapabilityGrant,
    /// The trust registry.
    TrustRegistry,
}

impl PayloadType {
    /// All payload types. (A log checkpoint is a signed note and has none.)
    pub const ALL: [Self; 7] = [
        Self::Receipt,
        Self::ChainLink,
        Self::ChainSeal,
        Self::BundleManifest,
        Self::PolicyApproval,
        Self::CapabilityGrant,
        Self::TrustRegistry,
    ];

    /// The media type.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "application/vnd.service.receipt.v2+json",
            Self::ChainLink => "application/vnd.service.chain-link.v1+json",
            Self::ChainSeal => "application/vnd.service.chain-seal.v1+json",
            Self::BundleManifest => "application/vnd.service.bundle-manifest.v1+json",
            Self::PolicyApproval => "application/vnd.service.policy-approval.v1+json",
            Self::CapabilityGrant => "application/vnd.service.capability-grant.v1+json",
            Self::TrustRegistry => "application/vnd.service.trust-registry.v1+json",
        }
    }

    /// The purpose that a key needs for it.
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::ChainLink => "chain_link",
            Self::ChainSeal => "chain_seal",
            Self::BundleManifest => "bundle_manifest",
            Self::PolicyApproval => "policy_approval",
            Self::CapabilityGrant => "capability_grant",
            Self::TrustRegistry => "registry_root",
        }
    }
}
