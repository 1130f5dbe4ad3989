//! The next version of the registry: what is added, retired or revoked in it, and who signs it.

use contract::time::Timestamp;
use uuid::Uuid;

use super::{KeyStatus, RegistryFault, RegistryKey, SignedRegistry, TrustRegistry, may_follow};
use crate::{
    dsse::Envelope,
    key::{PayloadType, PublicKey, SigningKey},
};

/// When a version is issued, and until when it is current.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The moment.
    pub issued_at: Timestamp,
    /// Until when a freshly fetched copy is current.
    pub expires_at: Timestamp,
}

/// Why a key cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyUnchanged {
    /// The registry has no such key.
    #[error("the registry has no such key")]
    Unknown,
    /// It was revoked, which is for good.
    #[error("the key was revoked, which is for good")]
    Revoked,
    /// Too few root keys would be left to sign the next version.
    #[error("too few root keys would be left to sign the next version")]
    RootsNeeded,
    /// The registry lists the key for something else than its own versions.
    #[error("the key is listed for something else than signing versions")]
    NoRoot,
    /// The key was a root and is one no longer.
    #[error("the key was retired as a root")]
    Ended,
}

impl TrustRegistry {
    /// The first version, with no keys but those of its roots, `threshold` of which must sign.
    #[must_use]
    pub fn first(registry_id: Uuid, term: Term, roots: &[SigningKey], threshold: u32) -> Self {
        let root = |key: &SigningKey| root(key.public(), term.issued_at);
        Self {
            registry_id,
            version: 1,
            issued_at: term.issued_at,
            expires_at: term.expires_at,
            prev_digest: None,
            root_keys: roots.iter().map(|key| key.kid().to_owned()).collect(),
            root_threshold: threshold,
            keys: roots.iter().map(root).collect(),
            logs: Vec::new(),
            witnesses: Vec::new(),
            witness_quorum: 0,
        }
    }

    /// Adds a key that it has not. One that is there stays as it is.
    pub fn admit(&mut self, key: RegistryKey) {
        if self.key(key.kid()).is_none() {
            self.keys.push(key);
        }
    }

    /// Makes `key` a root: it signs versions, this one included. One that is a root stays as it is.
    ///
    /// # Errors
    /// The key is listed for something else, was retired, or was revoked.
    pub fn admit_root(&mut self, key: &PublicKey, from: Timestamp) -> Result<(), KeyUnchanged> {
        if self.is_root(key.kid()) {
            return Ok(());
        }
        match self.key(key.kid()) {
            None => {}
            Some(known) if known.status.is_revoked() => return Err(KeyUnchanged::Revoked),
            Some(known) if known.has_purpose(PayloadType::TrustRegistry.purpose()) => {
                return Err(KeyUnchanged::Ended);
            }
            Some(_) => return Err(KeyUnchanged::NoRoot),
        }
        self.keys.push(root(key, from));
        self.root_keys.push(key.kid().to_owned());
        Ok(())
    }

    /// Retires the root `kid`: it signs no version after this one, and those that it signed stay good.
    /// Whether enough roots are left is judged when the version is signed, so that one may come for
    /// another, or the threshold fall, in the same version.
    ///
    /// # Errors
    /// There is no such key, it was revoked, or it is no root.
    pub fn retire_root(&mut self, kid: &str, at: Timestamp) -> Result<(), KeyUnchanged> {
        self.entry(kid)?;
        if !self.is_root(kid) {
            return Err(KeyUnchanged::NoRoot);
        }
        self.root_keys.retain(|root| root != kid);
        self.retire(kid, at)
    }

    /// Retires the key `kid`: it signs nothing after `at`, and what it signed before stays good. One
    /// that is retired already stays as it is.
    ///
    /// # Errors
    /// There is no such key, or it was revoked.
    pub fn retire(&mut self, kid: &str, at: Timestamp) -> Result<(), KeyUnchanged> {
        let key = self.entry(kid)?;
        if key.status == KeyStatus::Active {
            key.status = KeyStatus::Retired;
            key.valid_until = Some(key.valid_until.map_or(at, |until| until.min(at)));
        }
        Ok(())
    }

    /// Revokes the key `kid`, for good. A root key signs no more versions.
    ///
    /// # Errors
    /// There is no such key, it was revoked before, or too few roots would be left.
    pub fn revoke(
        &mut self,
        kid: &str,
        revoked_at: Timestamp,
        reason: Option<String>,
        compromised_since: Option<Timestamp>,
    ) -> Result<(), KeyUnchanged> {
        let left = self.root_keys.iter().filter(|root| *root != kid).count();
        let is_root = left < self.root_keys.len();
        if is_root && left < usize::try_from(self.root_threshold).unwrap_or(usize::MAX) {
            return Err(KeyUnchanged::RootsNeeded);
        }
        self.entry(kid)?.status = KeyStatus::Revoked { revoked_at, reason, compromised_since };
        self.root_keys.retain(|root| root != kid);
        Ok(())
    }

    /// The key `kid`, to be changed.
    fn entry(&mut self, kid: &str) -> Result<&mut RegistryKey, KeyUnchanged> {
        let key = self.keys.iter_mut().find(|key| key.kid() == kid);
        let key = key.ok_or(KeyUnchanged::Unknown)?;
        if key.status.is_revoked() { Err(KeyUnchanged::Revoked) } else { Ok(key) }
    }

    /// Signs the first version with those of `keys` that are its roots.
    ///
    /// # Errors
    /// `Malformed` when it does not hold together; `Signature` when they are fewer than the threshold.
    pub fn sign(&self, keys: &[SigningKey]) -> Result<SignedRegistry, RegistryFault> {
        let signed = self.signed_by(keys, |kid| self.is_root(kid))?;
        signed.signed_by_roots(&signed.registry)?;
        Ok(signed)
    }

    fn is_root(&self, kid: &str) -> bool {
        self.root_keys.iter().any(|root| root == kid)
    }

    /// Signs with those of `keys` that `may`, each once.
    fn signed_by(
        &self,
        keys: &[SigningKey],
        may: impl Fn(&str) -> bool,
    ) -> Result<SignedRegistry, RegistryFault> {
        let mut signers: Vec<&SigningKey> = keys.iter().filter(|key| may(key.kid())).collect();
        signers.sort_by_key(|key| key.kid());
        signers.dedup_by_key(|key| key.kid());
        let envelope = Envelope::sign(PayloadType::TrustRegistry, self.canonical(), signers);
        let envelope = envelope.map_err(|_| RegistryFault::Signature)?;
        // Read as everybody will read it: what does not hold together is not issued.
        SignedRegistry::read(&envelope.to_value())
    }
}

/// A root as it is listed.
fn root(key: &PublicKey, valid_from: Timestamp) -> RegistryKey {
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
    /// The version after this one, in which nothing has changed yet.
    #[must_use]
    pub fn next(&self, term: Term) -> TrustRegistry {
        TrustRegistry {
            version: self.registry.version.saturating_add(1),
            issued_at: term.issued_at,
            expires_at: term.expires_at,
            prev_digest: Some(self.digest()),
            ..self.registry.clone()
        }
    }

    /// Signs the version after this one with those of `keys` that are roots of either.
    ///
    /// # Errors
    /// `Malformed` when it does not hold together; `Signature` when the threshold of either is not
    /// met; `Rollback` when it does not follow.
    pub fn followed_by(
        &self,
        next: &TrustRegistry,
        keys: &[SigningKey],
    ) -> Result<Self, RegistryFault> {
        let may = |kid: &str| next.is_root(kid) || self.registry.is_root(kid);
        let signed = next.signed_by(keys, may)?;
        may_follow(self, &signed)?;
        Ok(signed)
    }
}
