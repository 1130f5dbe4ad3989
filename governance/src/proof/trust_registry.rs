//! The trust registry of the service: its current, retired and revoked signing keys (receipts, section 11).
//!
//! Its versions are public, belong to no tenant, and are signed by root keys that are not available to the
//! running service. The registry also determines which of its own old signatures the service accepts.

mod issue;
mod store;

use self::issue::service_keys;
use crate::{
    base::{error::trust as refuse, prelude::*},
    proof::signing::KeySet,
};
pub use receipt::trust_registry::{KeyStatus, RegistryKey, SignedRegistry};
use receipt::{
    chain::{ChainKeys, ChainProblem},
    jwks,
    key::{PayloadType, PublicKey},
    trust_registry::TrustRegistry,
};
use std::fmt;

pub(crate) use self::store::{RegistryCache, versions_before};
pub use self::{
    issue::{Revocation, RootChange, Rotation, change_roots, init, init_or_load, revoke, rotate},
    store::newest,
};

/// Public keys by the statement types they may sign. The registry takes precedence; a key that it does not
/// contain is trusted only if it is a key of this process. Without a registry, replaced keys of the process
/// are trusted too.
#[derive(Debug)]
pub(crate) struct TrustedKeys<'g> {
    own: Option<&'g KeySet>,
    registry: Option<Arc<SignedRegistry>>,
}

impl<'g> TrustedKeys<'g> {
    /// Loads the current keys with an existing connection.
    pub(crate) async fn load(
        governance: &'g Governance,
        connection: &impl ConnectionTrait,
    ) -> Result<Self> {
        let registry = store::newest_by(governance, connection).await?;
        Ok(Self { own: governance.keys(), registry })
    }

    fn own(&self, kid: &str, payload_type: PayloadType) -> Option<&PublicKey> {
        let own = self.own?;
        let current = own.key(payload_type)?.public();
        if current.kid() == kid {
            return Some(current);
        }
        if self.registry.is_some() {
            return None;
        }
        own.replaced()
            .find(|(key, kinds)| key.kid() == kid && kinds.contains(&payload_type))
            .map(|(key, _)| key)
    }
}

impl ChainKeys for TrustedKeys<'_> {
    fn key(&self, kid: &str, payload_type: PayloadType) -> Result<&PublicKey, ChainProblem> {
        let entry = self.registry.as_ref().and_then(|signed| signed.registry.key(kid));
        match entry {
            None => self.own(kid, payload_type).ok_or(ChainProblem::KeyUnknown),
            Some(entry) if !entry.has_purpose(payload_type.purpose()) => {
                Err(ChainProblem::KeyPurpose)
            }
            Some(entry) if entry.status.is_revoked() => Err(ChainProblem::KeyRevoked),
            Some(entry) => Ok(&entry.key),
        }
    }
}

/// A published version: the envelope, byte for byte, and whether it can be replaced by a later one.
#[derive(Clone, Debug)]
pub struct PublishedVersion {
    pub envelope: String,
    /// Whether the version was requested by its number and therefore never changes.
    pub is_fixed: bool,
}

/// Returns a version of the registry by its number, or the newest one.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn version(cx: &Cx, version: Option<u32>) -> Result<PublishedVersion> {
    let governance = &cx.governance;
    let is_fixed = version.is_some();
    let envelope = match version {
        Some(version) => store::envelope(governance, version).await?,
        None => store::newest(governance).await?.map(|newest| text(&newest)),
    };
    let envelope = envelope.ok_or_else(refuse::no_version)?;
    Ok(PublishedVersion { envelope, is_fixed })
}

fn text(signed: &SignedRegistry) -> String {
    signed.envelope.to_value().to_canonical()
}

/// Returns the key set of the service: active and retired keys without revoked ones. Without a registry, it
/// contains the current and replaced keys of this process. Served from the cache if the database is
/// unavailable.
///
/// # Errors
/// An internal error if the stored registry is inconsistent.
pub async fn signing_keys(governance: &Governance) -> Result<Value> {
    let newest = match store::newest(governance).await {
        Err(Error::Unavailable { .. }) => governance.proof().registries.cached(),
        result => result?,
    };
    Ok(key_set(governance, newest.as_deref()))
}

/// Returns the key set of a registry, or of this process.
pub(crate) fn key_set(governance: &Governance, newest: Option<&SignedRegistry>) -> Value {
    if let Some(newest) = newest {
        return jwks::build(trusted_keys(&newest.registry));
    }
    let Some(keys) = governance.keys() else { return jwks::build([]) };
    let own = keys.all().map(|(key, _)| key.public());
    jwks::build(own.chain(keys.replaced().map(|(key, _)| key)))
}

fn trusted_keys(registry: &TrustRegistry) -> impl Iterator<Item = &PublicKey> {
    service_keys(registry).filter(|key| !key.status.is_revoked()).map(|entry| &entry.key)
}

/// Returns the trust document for verifiers, `service-verifier-trust/v1`: the newest version, and the
/// fingerprints of its roots. It is only as trustworthy as the channel by which it is transferred.
///
/// # Errors
/// `NOT_FOUND` without a registry.
pub async fn trust_document(governance: &Governance) -> Result<Value> {
    let newest = store::newest(governance).await?.ok_or_else(refuse::registry_missing)?;
    let registry = &newest.registry;
    Ok(Object::from([
        ("schema", "service-verifier-trust/v1".into()),
        ("registry", newest.envelope.to_value()),
        ("root_keys", registry.root_keys.iter().map(String::as_str).collect()),
        ("root_threshold", registry.root_threshold.into()),
    ])
    .into())
}

/// The status of this process's signing keys in the newest registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningKeyStatus {
    /// The registry lists the keys as active, or the process signs nothing.
    Good,
    /// There is no registry.
    NoRegistry,
    /// A key is not active in the registry.
    NotActive {
        kid: String,
        /// The version that does not list it as active.
        version: u32,
    },
}

impl fmt::Display for SigningKeyStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good => f.write_str("the trust registry lists the signing key"),
            Self::NoRegistry => f.write_str(
                "no trust registry exists, so signatures verify with pinned keys only; \
                 create one with `govern trust init`",
            ),
            Self::NotActive { kid, version } => write!(
                f,
                "the signing key {kid} is not active in version {version} of the trust registry; \
                 list it with `govern trust rotate`, or configure an active key",
            ),
        }
    }
}

/// Returns the status of this process's signing keys in the newest registry.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn key_status(governance: &Governance) -> Result<SigningKeyStatus> {
    let Some(signers) = governance.keys() else { return Ok(SigningKeyStatus::Good) };
    let Some(newest) = store::newest(governance).await? else {
        return Ok(SigningKeyStatus::NoRegistry);
    };
    let registry = &newest.registry;
    let inactive = signers.all().find(|(key, kinds)| !signs(registry, key.kid(), kinds));
    Ok(inactive.map_or(SigningKeyStatus::Good, |(key, _)| SigningKeyStatus::NotActive {
        kid: key.kid().to_owned(),
        version: registry.version,
    }))
}

/// Returns whether the registry allows the key to sign all of these statements.
fn signs(registry: &TrustRegistry, kid: &str, payload_types: &[PayloadType]) -> bool {
    registry.key(kid).is_some_and(|entry| {
        entry.status == KeyStatus::Active
            && payload_types.iter().all(|kind| entry.has_purpose(kind.purpose()))
    })
}
