//! Signatures over the registry, and the step from one version to the next.

use contract::json::{Limits, Value};

use super::TrustRegistry;
use crate::{
    digest::Digest,
    dsse::Envelope,
    key::{PayloadType, PublicKey},
};

/// A version with its signatures, none of them checked.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedRegistry {
    /// The version.
    pub registry: TrustRegistry,
    /// The envelope that it came in.
    pub envelope: Envelope,
}

/// Why a version is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryFault {
    /// It is no registry.
    #[error("not a trust registry")]
    Malformed,
    /// Too few root keys signed it.
    #[error("too few root keys signed the registry")]
    Signature,
    /// It does not follow the version before.
    #[error("the registry does not follow the version before")]
    Rollback,
}

impl SignedRegistry {
    /// Reads an envelope.
    ///
    /// # Errors
    /// `Malformed`: it is no registry.
    pub fn read(value: &Value) -> Result<Self, RegistryFault> {
        let envelope = Envelope::read(value).map_err(|_| RegistryFault::Malformed)?;
        if envelope.payload_type != PayloadType::TrustRegistry.as_str() {
            return Err(RegistryFault::Malformed);
        }
        let payload = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_MEMBER);
        let payload = payload.map_err(|_| RegistryFault::Malformed)?;
        let registry = TrustRegistry::read(&payload).map_err(|_| RegistryFault::Malformed)?;
        Ok(Self { registry, envelope })
    }

    /// Digest of the payload.
    pub const fn digest(&self) -> Digest {
        self.envelope.payload.digest
    }

    /// Checks that the threshold of the root keys of `of` signed this version. Each key counts once.
    ///
    /// # Errors
    /// `Signature`: too few did.
    pub fn signed_by_roots(&self, of: &TrustRegistry) -> Result<(), RegistryFault> {
        let threshold = usize::try_from(of.root_threshold).unwrap_or(usize::MAX);
        let keys = of.root_keys.iter().filter_map(|kid| of.key(kid)).map(|entry| &entry.key);
        if self.signers(keys) >= threshold { Ok(()) } else { Err(RegistryFault::Signature) }
    }

    /// How many of `keys`, which are all different, signed this version.
    pub fn signers<'a>(&self, keys: impl IntoIterator<Item = &'a PublicKey>) -> usize {
        let signed =
            |key: &&PublicKey| self.envelope.verify(PayloadType::TrustRegistry, key).is_ok();
        keys.into_iter().filter(signed).count()
    }
}

/// Checks the step from a version that is believed to the next one.
///
/// # Errors
/// `Signature`: the threshold of the root keys of either version is not met; else `Rollback`: another
/// registry, a version other than the next, another predecessor, or a revoked key that came back.
pub fn may_follow(before: &SignedRegistry, next: &SignedRegistry) -> Result<(), RegistryFault> {
    next.signed_by_roots(&before.registry)?;
    next.signed_by_roots(&next.registry)?;
    let (old, new) = (&before.registry, &next.registry);
    let stays_revoked = |key: &&super::RegistryKey| {
        new.key(key.kid()).is_some_and(|entry| entry.status.is_revoked())
    };
    let follows = old.registry_id == new.registry_id
        && old.version.checked_add(1) == Some(new.version)
        && new.prev_digest == Some(before.digest())
        && old.keys.iter().filter(|key| key.status.is_revoked()).all(|key| stays_revoked(&key));
    if follows { Ok(()) } else { Err(RegistryFault::Rollback) }
}
