//! The keys that the service publishes, for people.

use contract::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What the service asks verifiers to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustPage {
    /// The newest version of the registry; absent before the first.
    pub registry: Option<Registry>,
    /// The keys: the registry's, or without one those that this service signs with.
    pub keys: Vec<KeyRow>,
    /// The transparency logs that the registry names.
    pub logs: Vec<LogRow>,
}

/// A version of the registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registry {
    /// Which registry.
    pub id: String,
    /// Its number.
    pub version: u32,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// From when on a newer one should be there.
    pub expires_at: Timestamp,
    /// Digest of what was signed.
    pub digest: String,
    /// How many of the roots must sign a version.
    pub threshold: u32,
    /// How many roots there are.
    pub roots: usize,
}

/// A key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    /// Its id, which is its fingerprint.
    pub kid: String,
    /// What it signs, in the words of the registry; empty without one.
    pub purposes: Vec<String>,
    /// How it stands.
    pub state: KeyState,
    /// From when its signatures count.
    pub from: Option<Timestamp>,
    /// Until when.
    pub until: Option<Timestamp>,
}

impl KeyRow {
    /// Whether it signs the registry itself.
    pub fn is_root(&self) -> bool {
        self.purposes.iter().any(|purpose| purpose == "registry_root")
    }
}

/// How a key stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyState {
    /// It signs.
    Active,
    /// It signs no more.
    Retired,
    /// It must not be believed any more.
    Revoked {
        /// When it was revoked.
        at: Timestamp,
        /// Why.
        reason: Option<String>,
        /// From when on others may have had it.
        since: Option<Timestamp>,
    },
}

/// A transparency log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRow {
    /// Its name.
    pub origin: String,
    /// Its key, as verifiers take it.
    pub vkey: String,
}
