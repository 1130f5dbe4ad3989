//! Changes from one trust registry version to the next: adding, retiring and revoking keys, and
//! signing.

use contract::time::Timestamp;
use uuid::Uuid;

use super::{
    KeyStatus, RegistryError, RegistryKey, SignedRegistry, TrustRegistry, check_successor,
};
use crate::{
    dsse::Envelope,
    key::{PayloadType, PublicKey, SigningKey},
};

/// The time of issue of a version and the end of its validity.
#[derive(Clone, Copy, Debug)]
pub struct ValidityPeriod {
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The time until which a newly fetched copy is current.
    pub expires_at: Timestamp,
}

/// The reason why a key change is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyChangeError {
    /// The registry does not list the key.
    #[error("the registry does not list the key")]
    Unknown,
    /// The key was revoked, which is permanent.
    #[error("the key is permanently revoked")]
    Revoked,
    /// Too few root keys would remain to sign the next version.
    #[error("too few root keys would remain to sign the next version")]
    RootsNeeded,
    /// The registry lists the key for another purpose than signing versions.
    #[error("the key is listed for another purpose")]
    NoRoot,
    /// The key was retired as a root key.
    #[error("the key was retired as a root key")]
    Ended,
}

impl TrustRegistry {
    /// Creates the first version. It lists only the root keys `roots`, of which `threshold` must
    /// sign.
    #[must_use]
    pub fn first(
        registry_id: Uuid,
        period: ValidityPeriod,
        roots: &[SigningKey],
        threshold: u32,
    ) -> Self {
        let root = |key: &SigningKey| root_entry(key.public(), period.issued_at);
        Self {
            registry_id,
            version: 1,
            issued_at: period.issued_at,
            expires_at: period.expires_at,
            prev_digest: None,
            root_keys: roots.iter().map(|key| key.kid().to_owned()).collect(),
            root_threshold: threshold,
            keys: roots.iter().map(root).collect(),
            logs: Vec::new(),
            witnesses: Vec::new(),
            witness_quorum: 0,
        }
    }

    /// Adds a key. A key that is already listed is not changed.
    pub fn add_key(&mut self, key: RegistryKey) {
        if self.key(key.kid()).is_none() {
            self.keys.push(key);
        }
    }

    /// Adds `key` as a root key, which signs this and later versions. Does nothing if it is already
    /// a root key.
    ///
    /// # Errors
    /// Returns an error if the key is listed for another purpose, retired or revoked.
    pub fn add_root(&mut self, key: &PublicKey, from: Timestamp) -> Result<(), KeyChangeError> {
        if self.is_root(key.kid()) {
            return Ok(());
        }
        match self.key(key.kid()) {
            None => {}
            Some(listed) if listed.status.is_revoked() => return Err(KeyChangeError::Revoked),
            Some(listed) if listed.has_purpose(PayloadType::TrustRegistry.purpose()) => {
                return Err(KeyChangeError::Ended);
            }
            Some(_) => return Err(KeyChangeError::NoRoot),
        }
        self.keys.push(root_entry(key, from));
        self.root_keys.push(key.kid().to_owned());
        Ok(())
    }

    /// Retires the root key `kid`: it cannot sign versions after this one; its earlier signatures
    /// remain valid.
    ///
    /// The threshold is checked when the version is signed, so a root key can be replaced, or the
    /// threshold lowered, in the same version.
    ///
    /// # Errors
    /// Returns an error if the key is unknown, revoked or not a root key.
    pub fn retire_root(&mut self, kid: &str, at: Timestamp) -> Result<(), KeyChangeError> {
        self.entry_mut(kid)?;
        if !self.is_root(kid) {
            return Err(KeyChangeError::NoRoot);
        }
        self.root_keys.retain(|root| root != kid);
        self.retire(kid, at)
    }

    /// Retires the key `kid`: it signs nothing after `at`; its earlier signatures remain valid.
    /// Does nothing if the key is already retired.
    ///
    /// # Errors
    /// Returns an error if the key is unknown or revoked.
    pub fn retire(&mut self, kid: &str, at: Timestamp) -> Result<(), KeyChangeError> {
        let key = self.entry_mut(kid)?;
        if key.status == KeyStatus::Active {
            key.status = KeyStatus::Retired;
            key.valid_until = Some(key.valid_until.map_or(at, |until| until.min(at)));
        }
        Ok(())
    }

    /// Revokes the key `kid` permanently. A root key is also removed from the root keys.
    ///
    /// # Errors
    /// Returns an error if the key is unknown or already revoked, or if too few root keys would
    /// remain.
    pub fn revoke(
        &mut self,
        kid: &str,
        revoked_at: Timestamp,
        reason: Option<String>,
        compromised_since: Option<Timestamp>,
    ) -> Result<(), KeyChangeError> {
        let remaining = self.root_keys.iter().filter(|root| *root != kid).count();
        let is_root = remaining < self.root_keys.len();
        if is_root && remaining < usize::try_from(self.root_threshold).unwrap_or(usize::MAX) {
            return Err(KeyChangeError::RootsNeeded);
        }
        self.entry_mut(kid)?.status = KeyStatus::Revoked { revoked_at, reason, compromised_since };
        self.root_keys.retain(|root| root != kid);
        Ok(())
    }

    /// Returns the key `kid`. Fails if it is unknown or revoked.
    fn entry_mut(&mut self, kid: &str) -> Result<&mut RegistryKey, KeyChangeError> {
        let key = self.keys.iter_mut().find(|key| key.kid() == kid);
        let key = key.ok_or(KeyChangeError::Unknown)?;
        if key.status.is_revoked() { Err(KeyChangeError::Revoked) } else { Ok(key) }
    }

    /// Signs the first version with those of `keys` that are its root keys.
    ///
    /// # Errors
    /// Returns `Malformed` if the version is inconsistent, and `Signature` if the threshold is not
    /// met.
    pub fn sign(&self, keys: &[SigningKey]) -> Result<SignedRegistry, RegistryError> {
        let signed = self.sign_with(keys, |kid| self.is_root(kid))?;
        signed.check_root_signatures(&signed.registry)?;
        Ok(signed)
    }

    fn is_root(&self, kid: &str) -> bool {
        self.root_keys.iter().any(|root| root == kid)
    }

    /// Signs with those of `keys` for which `is_signer` returns true, each once.
    fn sign_with(
        &self,
        keys: &[SigningKey],
        is_signer: impl Fn(&str) -> bool,
    ) -> Result<SignedRegistry, RegistryError> {
        let mut signers: Vec<&SigningKey> =
            keys.iter().filter(|key| is_signer(key.kid())).collect();
        signers.sort_by_key(|key| key.kid());
        signers.dedup_by_key(|key| key.kid());
        let envelope = Envelope::sign(PayloadType::TrustRegistry, self.canonical(), signers);
        let envelope = envelope.map_err(|_| RegistryError::Signature)?;
        // Parsing checks the version as every consumer does, so an inconsistent version is never
        // issued.
        SignedRegistry::read(&envelope.to_value())
    }
}

fn root_entry(key: &PublicKey, valid_from: Timestamp) -> RegistryKey {
    RegistryKey {
        key: key.clone(),
        purposes: vec![PayloadType::TrustRegistry.purpose().to_owned()],
        tenant_ids: None,
        legacy_kids: Vec::new(),
        status: KeyStatus::Active,
        valid_from,
        valid_until: None,
    }
}

impl SignedRegistry {
    /// Returns an unsigned successor of this version without other changes.
    #[must_use]
    pub fn next(&self, period: ValidityPeriod) -> TrustRegistry {
        TrustRegistry {
            version: self.registry.version.saturating_add(1),
            issued_at: period.issued_at,
            expires_at: period.expires_at,
            prev_digest: Some(self.digest()),
            ..self.registry.clone()
        }
    }

    /// Signs the successor `next` with those of `keys` that are root keys of either version.
    ///
    /// # Errors
    /// Returns `Malformed` if `next` is inconsistent, `Signature` if the threshold of either
    /// version is not met, and `Rollback` if `next` is not a valid successor.
    pub fn sign_successor(
        &self,
        next: &TrustRegistry,
        keys: &[SigningKey],
    ) -> Result<Self, RegistryError> {
        let is_signer = |kid: &str| next.is_root(kid) || self.registry.is_root(kid);
        let signed = next.sign_with(keys, is_signer)?;
        check_successor(self, &signed)?;
        Ok(signed)
    }
}
