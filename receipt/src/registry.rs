//! The trust registry: which keys and logs are whose, version by version (receipts, section 11).

mod change;
mod key;
mod log;
mod step;

use std::collections::BTreeSet;

use contract::{json::Value, time::Timestamp};
use uuid::Uuid;

pub use self::{
    change::{KeyUnchanged, Term},
    key::{KeyStatus, RegistryKey},
    log::{RegistryLog, RegistryWitness},
    step::{RegistryFault, SignedRegistry, may_follow},
};
use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
    key::PayloadType,
};

const SCHEMA: &str = "service-trust-registry/v1";

/// One version of the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRegistry {
    /// The same in all versions.
    pub registry_id: Uuid,
    /// 1, 2, 3, …
    pub version: u32,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// Until when a freshly fetched one is current; says nothing of the past.
    pub expires_at: Timestamp,
    /// Digest of the version before; absent in the first.
    pub prev_digest: Option<Digest>,
    /// The kids that sign versions.
    pub root_keys: Vec<String>,
    /// How many of them must.
    pub root_threshold: u32,
    /// All keys there are and were.
    pub keys: Vec<RegistryKey>,
    /// The logs.
    pub logs: Vec<RegistryLog>,
    /// The witnesses.
    pub witnesses: Vec<RegistryWitness>,
    /// How many of them must have cosigned a checkpoint.
    pub witness_quorum: u32,
}

impl TrustRegistry {
    /// The payload, and the registry digest.
    pub fn canonical(&self) -> Canonical {
        let kids: Vec<_> = self.root_keys.iter().map(|kid| Part::from(kid.as_str())).collect();
        let root = Members::default().with("keys", kids).with("threshold", self.root_threshold);
        Members::schema(SCHEMA)
            .with("registry_id", self.registry_id.to_string())
            .with("version", self.version)
            .with("issued_at", self.issued_at.to_string())
            .with("expires_at", self.expires_at.to_string())
            .maybe("prev_digest", self.prev_digest)
            .with("root", root)
            .with("keys", self.keys.iter().map(RegistryKey::part).collect::<Vec<_>>())
            .with("logs", self.logs.iter().map(RegistryLog::part).collect::<Vec<_>>())
            .with("witnesses", self.witnesses.iter().map(RegistryWitness::part).collect::<Vec<_>>())
            .with("witness_quorum", self.witness_quorum)
            .canonical()
    }

    /// Reads a payload, and checks that it holds together: kids are thumbprints and stand once, root
    /// keys are there for that purpose and not revoked, the threshold can be met.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        let root = fields.object("root")?;
        let registry = Self {
            registry_id: fields.exact("registry_id")?,
            version: fields.whole("version")?,
            issued_at: fields.exact("issued_at")?,
            expires_at: fields.exact("expires_at")?,
            prev_digest: fields.maybe("prev_digest")?,
            root_keys: root.exact_list("keys")?,
            root_threshold: root.whole("threshold")?,
            keys: all(fields.list("keys")?, RegistryKey::read)?,
            logs: all(fields.list("logs")?, RegistryLog::read)?,
            witnesses: all(fields.list("witnesses")?, RegistryWitness::read)?,
            witness_quorum: fields.whole("witness_quorum")?,
        };
        registry.holds_together()?;
        Ok(registry)
    }

    fn holds_together(&self) -> Result<(), Malformed> {
        let kids: BTreeSet<&str> = self.keys.iter().map(RegistryKey::kid).collect();
        let roots: BTreeSet<&str> = self.root_keys.iter().map(String::as_str).collect();
        let signs = |kid: &&str| {
            let key = self.key(kid).filter(|key| !key.status.is_revoked());
            key.is_some_and(|key| key.has_purpose(PayloadType::TrustRegistry.purpose()))
        };
        let threshold = usize::try_from(self.root_threshold).unwrap_or(usize::MAX);
        if kids.len() != self.keys.len() {
            return Err(Malformed::Member("keys"));
        }
        if roots.len() != self.root_keys.len() || !roots.iter().all(signs) {
            return Err(Malformed::Member("root"));
        }
        if threshold == 0 || threshold > roots.len() {
            return Err(Malformed::Member("threshold"));
        }
        let first = self.version == 1;
        if self.version == 0 || first != self.prev_digest.is_none() {
            return Err(Malformed::Member("prev_digest"));
        }
        Ok(())
    }

    /// The key `kid`.
    pub fn key(&self, kid: &str) -> Option<&RegistryKey> {
        self.keys.iter().find(|key| key.kid() == kid)
    }

    /// The key that the text `kid` of a receipt of version 1 names.
    pub fn legacy_key(&self, kid: &str) -> Option<&RegistryKey> {
        let legacy = |key: &&RegistryKey| key.legacy_kids.iter().any(|legacy| legacy == kid);
        self.key(kid).or_else(|| self.keys.iter().find(legacy))
    }
}

fn all<T>(
    values: &[Value],
    read: impl Fn(&Value) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    values.iter().map(read).collect()
}
