//! The online keys of the service: one for each purpose, none derived from another, from a key provider
//! (receipts, section 4).

mod in_memory;
mod key_set;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use contract::time::Timestamp;
use receipt::{
    canon::Canonical,
    dsse::pae,
    key::{PayloadType, PublicKey, SignatureInvalid, SigningKey, signature_text},
};

pub use self::{
    in_memory::InMemory,
    key_set::{KeySet, KeysUnusable},
};
use crate::{
    error::{Cause, Result, not_signed},
    rekor::RekorKey,
};

/// What an online key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Receipts, links and seals of chains, and manifests of bundles.
    Receipt,
    /// Approvals of policies.
    PolicyApproval,
    /// Grants of capabilities.
    CapabilityGrant,
    /// Checkpoints of the transparency log. Each tree has a key of its own.
    Log,
    /// Entries at Rekor. The only P-256 key.
    Rekor,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 5] =
        [Self::Receipt, Self::PolicyApproval, Self::CapabilityGrant, Self::Log, Self::Rekor];

    /// The purposes whose keys sign with Ed25519.
    pub const ED25519: [Self; 4] =
        [Self::Receipt, Self::PolicyApproval, Self::CapabilityGrant, Self::Log];

    /// The name on the command line, in file names and in labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::PolicyApproval => "policy_approval",
            Self::CapabilityGrant => "capability_grant",
            Self::Log => "log",
            Self::Rekor => "rekor",
        }
    }

    /// The statements that a key of this purpose signs; none where it signs no statements.
    pub const fn payload_types(self) -> &'static [PayloadType] {
        match self {
            Self::Receipt => &[
                PayloadType::Receipt,
                PayloadType::ChainLink,
                PayloadType::ChainSeal,
                PayloadType::BundleManifest,
            ],
            Self::PolicyApproval => &[PayloadType::PolicyApproval],
            Self::CapabilityGrant => &[PayloadType::CapabilityGrant],
            Self::Log | Self::Rekor => &[],
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A private key, wherever it is stored.
#[async_trait]
pub trait Signer: fmt::Debug + Send + Sync {
    /// Returns the Ed25519 signature over `message`. The caller verifies it. An implementation that waits
    /// for a device does so without blocking the async thread.
    ///
    /// # Errors
    /// The key cannot be used now.
    async fn sign(&self, message: &[u8]) -> Result<[u8; 64], Cause>;
}

#[async_trait]
impl Signer for SigningKey {
    async fn sign(&self, message: &[u8]) -> Result<[u8; 64], Cause> {
        Ok(self.raw_signature(message))
    }
}

/// An online Ed25519 key: its public half, and the signer behind it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ServiceKey {
    public: PublicKey,
    signer: Arc<dyn Signer>,
}

impl ServiceKey {
    /// The key `public`, whose private half `signer` uses.
    pub fn new(public: PublicKey, signer: Arc<dyn Signer>) -> Self {
        Self { public, signer }
    }

    /// The public half.
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        self.public.kid()
    }

    /// Signs `statement` as `payload_type` and returns base64url without padding, 86 characters.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not verify.
    pub(crate) async fn sign(
        &self,
        payload_type: PayloadType,
        statement: &Canonical,
    ) -> Result<String> {
        let signature = self.sign_bytes(&pae(payload_type.as_str(), &statement.text)).await?;
        Ok(signature_text(&signature))
    }

    /// Signs `bytes`, which state their own purpose, and verifies the signature.
    ///
    /// # Errors
    /// As [`Self::sign`].
    pub(crate) async fn sign_bytes(&self, bytes: &[u8]) -> Result<[u8; 64]> {
        let signature = self.signer.sign(bytes).await.map_err(not_signed)?;
        self.public
            .verify_bytes(bytes, &signature)
            .map_err(|invalid: SignatureInvalid| not_signed(invalid))?;
        Ok(signature)
    }
}

impl From<SigningKey> for ServiceKey {
    fn from(key: SigningKey) -> Self {
        Self { public: key.public().clone(), signer: Arc::new(key) }
    }
}

/// The part of a stored key that the provider can use.
#[derive(Clone, Debug)]
pub enum KeyMaterial {
    /// An Ed25519 key that signs.
    Ed25519(ServiceKey),
    /// The public half of an Ed25519 key whose private half is gone.
    Public(PublicKey),
    /// A P-256 key that signs entries at Rekor.
    P256(Box<RekorKey>),
}

impl KeyMaterial {
    /// The thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        match self {
            Self::Ed25519(key) => key.kid(),
            Self::Public(key) => key.kid(),
            Self::P256(key) => key.kid(),
        }
    }
}

/// A key as a provider stores it.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// What it signs.
    pub purpose: Purpose,
    /// Whether it signs from the next start on. The others were replaced.
    pub is_current: bool,
    /// What can be used of it.
    pub material: KeyMaterial,
    /// The kind of provider: `file`, `pkcs11` or `memory`.
    pub provider: &'static str,
    /// Where the provider stores it: a path or a label.
    pub location: String,
    /// When it was made, where the provider has a record of it.
    pub created_at: Option<Timestamp>,
}

/// Where the online keys are stored.
#[async_trait]
pub trait KeyProvider: fmt::Debug + Send + Sync {
    /// Returns the keys of `purpose`, the current one first. There may be none.
    ///
    /// # Errors
    /// The provider is unavailable, or a key is unusable.
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause>;

    /// Makes the key of `purpose`, unless there is a current one.
    ///
    /// # Errors
    /// The provider is unavailable or takes no new key.
    async fn create(&self, purpose: Purpose) -> Result<(), Cause>;

    /// Makes a new current key of `purpose`. The one before it stays available as a replaced key.
    ///
    /// # Errors
    /// The provider is unavailable or takes no new key. The current key is then the one before.
    async fn renew(&self, purpose: Purpose) -> Result<(), Cause>;
}

/// Returns the current key of `purpose`, if there is one.
///
/// # Errors
/// Those of [`KeyProvider::keys`].
pub async fn current(
    provider: &dyn KeyProvider,
    purpose: Purpose,
) -> Result<Option<StoredKey>, Cause> {
    Ok(provider.keys(purpose).await?.into_iter().find(|key| key.is_current))
}
