//! The published signing keys.

use contract::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The page of published keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustPage {
    /// The newest version of the trust registry; absent if none was issued.
    pub registry: Option<Registry>,
    /// The keys of the registry; without a registry, the keys that this service signs with.
    pub keys: Vec<KeyRow>,
    /// The transparency logs that the registry names.
    pub logs: Vec<LogRow>,
}

/// A version of the trust registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registry {
    pub id: String,
    pub version: u32,
    pub issued_at: Timestamp,
    /// The time by which a newer version is expected.
    pub expires_at: Timestamp,
    /// The digest of the signed bytes.
    pub digest: String,
    /// The number of root keys that must sign a version.
    pub threshold: u32,
    pub roots: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    /// Its ID, which is its fingerprint.
    pub kid: String,
    /// Its purposes, as in the registry; empty without a registry.
    pub purposes: Vec<String>,
    pub state: KeyState,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

impl KeyRow {
    /// Returns whether it signs the registry.
    pub fn is_root(&self) -> bool {
        self.purposes.iter().any(|purpose| purpose == "registry_root")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyState {
    /// It signs.
    Active,
    /// It no longer signs.
    Retired,
    /// It must no longer be trusted.
    Revoked {
        at: Timestamp,
        reason: Option<String>,
        /// The time from which the key may be compromised.
        since: Option<Timestamp>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRow {
    /// The name of the log.
    pub origin: String,
    pub vkey: String,
}
