//! Payload types of signatures, and the signed bytes (receipts, section 4).

/// The type of a signed payload. It is part of the signed bytes, so a signature is valid for one
/// type only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadType {
    /// A receipt statement.
    Receipt,
    /// A chain link.
    ChainLink,
    /// A chain seal.
    ChainSeal,
    /// The manifest of a verification bundle.
    BundleManifest,
    /// A policy approval.
    PolicyApproval,
    /// A capability grant.
    CapabilityGrant,
    /// A trust registry version.
    TrustRegistry,
}

impl PayloadType {
    /// All payload types. A log checkpoint is a signed note and has no payload type.
    pub const ALL: [Self; 7] = [
        Self::Receipt,
        Self::ChainLink,
        Self::ChainSeal,
        Self::BundleManifest,
        Self::PolicyApproval,
        Self::CapabilityGrant,
        Self::TrustRegistry,
    ];

    /// Returns the media type.
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

    /// Returns the purpose that a key needs to sign this type.
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

/// Returns the bytes that are signed for `body` of type `payload_type`: the DSSE pre-authentication
/// encoding. Lengths are in bytes.
pub fn pae(payload_type: &str, body: &str) -> Vec<u8> {
    format!("DSSEv1 {} {payload_type} {} {body}", payload_type.len(), body.len()).into_bytes()
}
