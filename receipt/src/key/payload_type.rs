//! Payload types of signatures, and the signed bytes (receipts, section 4).

contract::named_enum! {
    /// The type of a signed payload. It is part of the signed bytes, so a signature is valid for one
    /// type only. A log checkpoint is a signed note and has no payload type.
    pub enum PayloadType {
        /// A receipt statement.
        Receipt = "application/vnd.service.receipt.v2+json",
        /// A chain link.
        ChainLink = "application/vnd.service.chain-link.v1+json",
        /// A chain seal.
        ChainSeal = "application/vnd.service.chain-seal.v1+json",
        /// The manifest of a verification bundle.
        BundleManifest = "application/vnd.service.bundle-manifest.v1+json",
        /// A policy approval.
        PolicyApproval = "application/vnd.service.policy-approval.v1+json",
        /// A capability grant.
        CapabilityGrant = "application/vnd.service.capability-grant.v1+json",
        /// A trust registry version.
        TrustRegistry = "application/vnd.service.trust-registry.v1+json",
    }
}

impl PayloadType {
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
