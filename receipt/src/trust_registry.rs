//! The trust registry: signing keys, logs and witnesses, by version (receipts, section 11).

mod change;
mod key;
mod log;
mod transition;

use std::collections::BTreeSet;

use contract::{json::Value, time::Timestamp};
use uuid::Uuid;

pub use self::{
    change::{KeyChangeError, ValidityPeriod},
    key::{KeyStatus, RegistryKey},
    log::{RegistryLog, RegistryWitness},
    transition::{RegistryError, SignedRegistry, check_successor},
};
use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    key::PayloadType,
    members::Member,
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-trust-registry/v1";

/// One version of the trust registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRegistry {
    /// The ID of the registry, equal in all versions.
    pub registry_id: Uuid,
    /// The version number: 1, 2, 3, …
    pub version: u32,
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The time until which a newly fetched copy is current. It does not affect the past.
    pub expires_at: Timestamp,
    /// Digest of the previous version; absent in the first version.
    pub prev_digest: Option<Digest>,
    /// The IDs of the keys that sign registry versions.
    pub root_keys: Vec<String>,
    /// The number of root keys that must sign a version.
    pub root_threshold: u32,
    /// All current and former keys.
    pub keys: Vec<RegistryKey>,
    /// All current and former transparency logs.
    pub logs: Vec<RegistryLog>,
    /// The witnesses that cosign checkpoints.
    pub witnesses: Vec<RegistryWitness>,
    /// The number of witnesses that must cosign a checkpoint.
    pub witness_quorum: u32,
}

impl TrustRegistry {
    /// Returns the payload with the registry digest.
    pub fn canonical(&self) -> CanonicalJson {
        let root = ObjectBuilder::default()
            .member("keys", self.root_keys.part())
            .member("threshold", self.root_threshold);
        ObjectBuilder::with_schema(SCHEMA)
            .member("registry_id", self.registry_id.to_string())
            .member("version", self.version)
            .member("issued_at", self.issued_at.to_string())
            .member("expires_at", self.expires_at.to_string())
            .optional("prev_digest", self.prev_digest)
            .member("root", root)
            .member("keys", self.keys.part())
            .member("logs", self.logs.part())
            .member("witnesses", self.witnesses.part())
            .member("witness_quorum", self.witness_quorum)
            .canonical()
    }

    /// Parses a payload and checks its consistency: key IDs are unique thumbprints, root keys are
    /// listed for that purpose and not revoked, and the threshold can be met.
    ///
    /// # Errors
    /// Returns the member that is missing, malformed or inconsistent.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        let root = fields.object("root")?;
        let registry = Self {
            registry_id: fields.member("registry_id")?,
            version: fields.member("version")?,
            issued_at: fields.member("issued_at")?,
            expires_at: fields.member("expires_at")?,
            prev_digest: fields.member("prev_digest")?,
            root_keys: root.member("keys")?,
            root_threshold: root.member("threshold")?,
            keys: Member::read_from(fields, "keys")?,
            logs: Member::read_from(fields, "logs")?,
            witnesses: Member::read_from(fields, "witnesses")?,
            witness_quorum: fields.member("witness_quorum")?,
        };
        registry.check_consistency()?;
        Ok(registry)
    }

    fn check_consistency(&self) -> Result<(), ParseFieldError> {
        let kids: BTreeSet<&str> = self.keys.iter().map(RegistryKey::kid).collect();
        let roots: BTreeSet<&str> = self.root_keys.iter().map(String::as_str).collect();
        let is_valid_root = |kid: &&str| {
            let key = self.key(kid).filter(|key| !key.status.is_revoked());
            key.is_some_and(|key| key.has_purpose(PayloadType::TrustRegistry.purpose()))
        };
        let threshold = usize::try_from(self.root_threshold).unwrap_or(usize::MAX);
        if kids.len() != self.keys.len() {
            return Err(ParseFieldError::Member("keys"));
        }
        if roots.len() != self.root_keys.len() || !roots.iter().all(is_valid_root) {
            return Err(ParseFieldError::Member("root"));
        }
        if threshold == 0 || threshold > roots.len() {
            return Err(ParseFieldError::Member("threshold"));
        }
        let is_first = self.version == 1;
        if self.version == 0 || is_first != self.prev_digest.is_none() {
            return Err(ParseFieldError::Member("prev_digest"));
        }
        Ok(())
    }

    /// Returns the key `kid`.
    pub fn key(&self, kid: &str) -> Option<&RegistryKey> {
        self.keys.iter().find(|key| key.kid() == kid)
    }

    /// Returns the key that a receipt of version 1 names as `kid`.
    pub fn legacy_key(&self, kid: &str) -> Option<&RegistryKey> {
        let has_legacy_kid =
            |key: &&RegistryKey| key.legacy_kids.iter().any(|legacy| legacy == kid);
        self.key(kid).or_else(|| self.keys.iter().find(has_legacy_kid))
    }
}
