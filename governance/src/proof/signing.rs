//! The online signing keys of the service: one for each purpose, independent of each other, from a key
//! provider (receipts, section 4).

mod key_set;

use std::fmt;

use async_trait::async_trait;
use parking_lot::Mutex;
use receipt::key::{PayloadType, PublicKey, SigningKey, pae, signature_text};

pub use self::key_set::{KeySet, LoadKeysError};
use crate::{
    base::{
        error::{Cause, not_signed},
        prelude::*,
    },
    proof::rekor::RekorKey,
};

contract::named_enum! {
    /// The purpose of an online key.
    pub enum Purpose {
        /// Receipts, chain links, chain seals and bundle manifests.
        Receipt = "receipt",
        /// Policy approvals.
        PolicyApproval = "policy_approval",
        /// Capability grants.
        CapabilityGrant = "capability_grant",
        /// Checkpoints of the transparency log. Each tree has its own key.
        Log = "log",
        /// Rekor entries. The only P-256 key.
        Rekor = "rekor",
    }
}

impl Purpose {
    /// The purposes with Ed25519 keys.
    pub const ED25519: [Self; 4] =
        [Self::Receipt, Self::PolicyApproval, Self::CapabilityGrant, Self::Log];

    /// Returns the statements that a key of this purpose signs; empty if it signs no statements.
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

/// A private key in a file, a device or memory.
#[async_trait]
pub trait Signer: fmt::Debug + Send + Sync {
    /// Returns the Ed25519 signature over `message`. The caller verifies it. An implementation that waits
    /// for a device must not block the async thread.
    ///
    /// # Errors
    /// The key is unavailable.
    async fn sign(&self, message: &[u8]) -> Result<[u8; 64], Cause>;
}

#[async_trait]
impl Signer for SigningKey {
    async fn sign(&self, message: &[u8]) -> Result<[u8; 64], Cause> {
        Ok(self.raw_signature(message))
    }
}

/// An online Ed25519 key: its public key and its signer. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ServiceKey {
    public: PublicKey,
    signer: Arc<dyn Signer>,
}

impl ServiceKey {
    /// Creates a key. `signer` must sign with the private key of `public`.
    pub fn new(public: PublicKey, signer: Arc<dyn Signer>) -> Self {
        Self { public, signer }
    }

    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        self.public.kid()
    }

    /// Signs `statement` as `payload_type` and returns base64url without padding, 86 characters.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the key is unavailable or its signature fails verification.
    pub(crate) async fn sign(
        &self,
        payload_type: PayloadType,
        statement: &CanonicalJson,
    ) -> Result<String> {
        let signature = self.sign_bytes(&pae(payload_type.as_str(), &statement.text)).await?;
        Ok(signature_text(&signature))
    }

    /// Signs `bytes`, which contain their own purpose, and verifies the signature.
    pub(crate) async fn sign_bytes(&self, bytes: &[u8]) -> Result<[u8; 64]> {
        let signature = self.signer.sign(bytes).await.map_err(not_signed)?;
        self.public.verify_bytes(bytes, &signature).map_err(not_signed)?;
        Ok(signature)
    }
}

impl From<SigningKey> for ServiceKey {
    fn from(key: SigningKey) -> Self {
        Self { public: key.public().clone(), signer: Arc::new(key) }
    }
}

/// The usable part of a stored key.
#[derive(Clone, Debug)]
pub enum KeyMaterial {
    /// An Ed25519 key that signs.
    Ed25519(ServiceKey),
    /// The public key of an Ed25519 key whose private key was deleted.
    Public(PublicKey),
    /// A P-256 key that signs Rekor entries.
    P256(Box<RekorKey>),
}

impl KeyMaterial {
    /// Returns the thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        match self {
            Self::Ed25519(key) => key.kid(),
            Self::Public(key) => key.kid(),
            Self::P256(key) => key.kid(),
        }
    }
}

/// A key as stored by a provider.
#[derive(Clone, Debug)]
pub struct StoredKey {
    pub purpose: Purpose,
    /// Whether it is the signing key after the next start. Other keys were replaced.
    pub is_current: bool,
    pub material: KeyMaterial,
    /// The kind of provider: `file`, `pkcs11` or `memory`.
    pub provider: &'static str,
    /// The location in the provider: a path or a label.
    pub location: String,
    /// The time of creation, if the provider records it.
    pub created_at: Option<Timestamp>,
}

/// A store of online keys.
#[async_trait]
pub trait KeyProvider: fmt::Debug + Send + Sync {
    /// Returns the keys of `purpose`, the current one first. May be empty.
    ///
    /// # Errors
    /// The provider is unavailable, or a key is unusable.
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause>;

    /// Creates the key of `purpose`, unless there is a current one.
    ///
    /// # Errors
    /// The provider is unavailable or accepts no new key.
    async fn create(&self, purpose: Purpose) -> Result<(), Cause>;

    /// Creates a new current key of `purpose`. The previous key remains available as a replaced key.
    ///
    /// # Errors
    /// The provider is unavailable or accepts no new key. The current key is then unchanged.
    async fn renew(&self, purpose: Purpose) -> Result<(), Cause>;
}

/// Returns the current key of `purpose`, if there is one.
///
/// # Errors
/// As [`KeyProvider::keys`].
pub async fn current(
    provider: &dyn KeyProvider,
    purpose: Purpose,
) -> Result<Option<StoredKey>, Cause> {
    Ok(provider.keys(purpose).await?.into_iter().find(|key| key.is_current))
}

/// Keys in memory. Clones share them.
#[derive(Clone, Debug)]
pub struct InMemory {
    shared: Arc<Mutex<BTreeMap<Purpose, Vec<KeyMaterial>>>>,
    /// The keys of this clone that override shared ones.
    overrides: BTreeMap<Purpose, KeyMaterial>,
    entropy: Entropy,
}

impl InMemory {
    /// Creates a key for each purpose from `entropy`.
    pub fn new(entropy: Entropy) -> Self {
        let keys = Self { shared: Arc::default(), overrides: BTreeMap::new(), entropy };
        let generated = Purpose::ALL.map(|purpose| (purpose, vec![keys.generate(purpose)]));
        *keys.shared.lock() = generated.into();
        keys
    }

    /// Returns a provider with `key` as its key of `purpose`. It shares all other keys with this one.
    #[must_use]
    pub fn with(&self, purpose: Purpose, key: SigningKey) -> Self {
        let mut other = self.clone();
        other.overrides.insert(purpose, KeyMaterial::Ed25519(ServiceKey::from(key)));
        other
    }

    fn generate(&self, purpose: Purpose) -> KeyMaterial {
        if purpose != Purpose::Rekor {
            let key = SigningKey::from_seed(self.entropy.bytes());
            return KeyMaterial::Ed25519(ServiceKey::from(key));
        }
        loop {
            if let Ok(key) = RekorKey::from_bytes(&self.entropy.bytes()) {
                return KeyMaterial::P256(Box::new(key));
            }
        }
    }
}

#[async_trait]
impl KeyProvider for InMemory {
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause> {
        let materials = if let Some(key) = self.overrides.get(&purpose) {
            vec![key.clone()]
        } else {
            self.shared.lock().get(&purpose).cloned().unwrap_or_default()
        };
        let to_stored = |(index, material)| StoredKey {
            purpose,
            is_current: index == 0,
            material,
            provider: "memory",
            location: purpose.to_string(),
            created_at: None,
        };
        Ok(materials.into_iter().enumerate().map(to_stored).collect())
    }

    async fn create(&self, purpose: Purpose) -> Result<(), Cause> {
        if self.keys(purpose).await?.is_empty() { self.renew(purpose).await } else { Ok(()) }
    }

    async fn renew(&self, purpose: Purpose) -> Result<(), Cause> {
        let key = self.generate(purpose);
        self.shared.lock().entry(purpose).or_default().insert(0, key);
        Ok(())
    }
}
