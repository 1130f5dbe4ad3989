//! Signatures over the trust registry, and the transition between versions.

use contract::json::{Limits, Value};

use super::{RegistryKey, TrustRegistry};
use crate::{
    digest::Digest,
    dsse::Envelope,
    key::{PayloadType, PublicKey},
};

/// A registry version with its signatures, not yet verified.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedRegistry {
    /// The parsed version.
    pub registry: TrustRegistry,
    /// The envelope of the version.
    pub envelope: Envelope,
}

/// The reason why a registry version is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// It is not a trust registry.
    #[error("not a trust registry")]
    Malformed,
    /// Too few root keys signed it.
    #[error("the registry is not signed by enough root keys")]
    Signature,
    /// It is not a valid successor of the previous version.
    #[error("the registry is not a successor of the previous version")]
    Rollback,
}

impl SignedRegistry {
    /// Parses an envelope without verifying its signatures.
    ///
    /// # Errors
    /// Returns `Malformed` if the envelope does not contain a trust registry.
    pub fn read(value: &Value) -> Result<Self, RegistryError> {
        let envelope = Envelope::read(value).map_err(|_| RegistryError::Malformed)?;
        if envelope.payload_type != PayloadType::TrustRegistry.as_str() {
            return Err(RegistryError::Malformed);
        }
        let payload = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_FILE);
        let payload = payload.map_err(|_| RegistryError::Malformed)?;
        let registry = TrustRegistry::read(&payload).map_err(|_| RegistryError::Malformed)?;
        Ok(Self { registry, envelope })
    }

    /// Returns the digest of the payload.
    pub const fn digest(&self) -> Digest {
        self.envelope.payload.digest
    }

    /// Checks that the root key threshold of `of` is met by the signatures of this version. Each
    /// key counts once.
    ///
    /// # Errors
    /// Returns `Signature` if too few root keys signed.
    pub fn check_root_signatures(&self, of: &TrustRegistry) -> Result<(), RegistryError> {
        let threshold = usize::try_from(of.root_threshold).unwrap_or(usize::MAX);
        let keys = of.root_keys.iter().filter_map(|kid| of.key(kid)).map(|entry| &entry.key);
        if self.signer_count(keys) >= threshold { Ok(()) } else { Err(RegistryError::Signature) }
    }

    /// Returns the number of `keys` that signed this version. `keys` must be distinct.
    pub fn signer_count<'a>(&self, keys: impl IntoIterator<Item = &'a PublicKey>) -> usize {
        let has_signed =
            |key: &&PublicKey| self.envelope.verify(PayloadType::TrustRegistry, key).is_ok();
        keys.into_iter().filter(has_signed).count()
    }
}

/// Checks that `next` is a valid successor of the trusted version `previous`.
///
/// # Errors
/// Returns `Signature` if the root key threshold of either version is not met. Returns `Rollback`
/// for another registry ID, version number or predecessor, and for a revoked key that is no longer
/// listed as revoked.
pub fn check_successor(
    previous: &SignedRegistry,
    next: &SignedRegistry,
) -> Result<(), RegistryError> {
    next.check_root_signatures(&previous.registry)?;
    next.check_root_signatures(&next.registry)?;
    let (old, new) = (&previous.registry, &next.registry);
    let stays_revoked =
        |key: &RegistryKey| new.key(key.kid()).is_some_and(|entry| entry.status.is_revoked());
    let follows = old.registry_id == new.registry_id
        && old.version.checked_add(1) == Some(new.version)
        && new.prev_digest == Some(previous.digest())
        && old.keys.iter().filter(|key| key.status.is_revoked()).all(stays_revoked);
    if follows { Ok(()) } else { Err(RegistryError::Rollback) }
}
