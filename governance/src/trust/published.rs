//! What anybody may read of the registry, and what verifiers start from.

use std::fmt;

use contract::json::{Object, Value};
use receipt::{
    jwks,
    key::{PayloadType, PublicKey},
    registry::{KeyStatus, SignedRegistry, TrustRegistry},
};

use super::{issue::service_keys, store};
use crate::{
    Governance,
    cx::Cx,
    error::{Error, Result, trust as refuse},
};

/// A version as it is published: the envelope, byte for byte, and whether a later one may take its
/// place.
#[derive(Clone, Debug)]
pub struct Published {
    /// The envelope.
    pub envelope: String,
    /// Whether it was asked for by its number: then it never changes.
    pub is_fixed: bool,
}

/// A version of the registry by its number, or the newest one.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn version(cx: &Cx, version: Option<u32>) -> Result<Published> {
    let governance = &cx.governance;
    let is_fixed = version.is_some();
    let envelope = match version {
        Some(version) => store::envelope(governance, version).await?,
        None => store::newest(governance).await?.map(|newest| text(&newest)),
    };
    let envelope = envelope.ok_or_else(refuse::no_version)?;
    Ok(Published { envelope, is_fixed })
}

fn text(signed: &SignedRegistry) -> String {
    signed.envelope.to_value().to_canonical()
}

/// The key set of what the service signs and has signed with: active and retired keys, no revoked ones.
/// Without a registry, the keys of this process and those that they replaced. It is answered from memory when the store is away.
///
/// # Errors
/// Those of a registry that does not hold together.
pub async fn signing_keys(governance: &Governance) -> Result<Value> {
    let newest = match store::newest(governance).await {
        Err(Error::Unavailable { .. }) => governance.registries().seen(),
        answer => answer?,
    };
    Ok(key_set(governance, newest.as_deref()))
}

/// The key set of a registry, or of this process.
pub(crate) fn key_set(governance: &Governance, newest: Option<&SignedRegistry>) -> Value {
    if let Some(newest) = newest {
        return jwks::build(believed(&newest.registry));
    }
    let Some(keys) = governance.keys() else { return jwks::build([]) };
    let own = keys.all().map(|(key, _)| key.public());
    jwks::build(own.chain(keys.replaced().map(|(key, _)| key)))
}

fn believed(registry: &TrustRegistry) -> impl Iterator<Item = &PublicKey> {
    service_keys(registry).filter(|key| !key.status.is_revoked()).map(|entry| &entry.key)
}

/// What a verifier needs to trust this service, `service-verifier-trust/v1`: the newest version, and
/// the fingerprints of its roots. Only as good as the way on which it is handed over.
///
/// # Errors
/// `NOT_FOUND` without a registry.
pub async fn trust_document(governance: &Governance) -> Result<Value> {
    let newest = store::newest(governance).await?.ok_or_else(refuse::not_begun)?;
    let registry = &newest.registry;
    Ok(Object::from([
        ("schema", "service-verifier-trust/v1".into()),
        ("registry", newest.envelope.to_value()),
        ("root_keys", registry.root_keys.iter().map(String::as_str).collect()),
        ("root_threshold", registry.root_threshold.into()),
    ])
    .into())
}

/// How the newest registry looks at what this process signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It lists the keys as active, or the process signs nothing.
    Good,
    /// There is no registry.
    NotBegun,
    /// A key is not active in it.
    NotActive {
        /// The key.
        kid: String,
        /// The version that does not list it as active.
        version: u32,
    },
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good => f.write_str("the trust registry lists the signing key"),
            Self::NotBegun => f.write_str(
                "there is no trust registry, so what is signed here verifies by pinned keys only; \
                 make it with `govern trust init`",
            ),
            Self::NotActive { kid, version } => write!(
                f,
                "the signing key {kid} is not active in version {version} of the trust registry; \
                 list it with `govern trust rotate`, or sign with one that is",
            ),
        }
    }
}

/// How the newest registry looks at what this process signs.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn standing(governance: &Governance) -> Result<Standing> {
    let Some(signers) = governance.keys() else { return Ok(Standing::Good) };
    let Some(newest) = store::newest(governance).await? else { return Ok(Standing::NotBegun) };
    let registry = &newest.registry;
    let lacking = signers.all().find(|(key, kinds)| !signs(registry, key.kid(), kinds));
    Ok(lacking.map_or(Standing::Good, |(key, _)| Standing::NotActive {
        kid: key.kid().to_owned(),
        version: registry.version,
    }))
}

/// Whether the registry lets the key sign all of this.
fn signs(registry: &TrustRegistry, kid: &str, payload_types: &[PayloadType]) -> bool {
    registry.key(kid).is_some_and(|entry| {
        entry.status == KeyStatus::Active
            && payload_types.iter().all(|kind| entry.has_purpose(kind.purpose()))
    })
}
