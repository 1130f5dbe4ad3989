//! The trust input of a verification. It comes from outside the bundle and is the only source of
//! trust (receipts, section 11).

mod document;

use std::collections::BTreeSet;

use receipt::{
    key::{PayloadType, PublicKey},
    transparency_log::{Vkey, VkeyKind},
    trust_registry::SignedRegistry,
};

pub use self::document::{ParsePinError, Pin, TrustDocument, is_fingerprint};

/// The maximum size of a trust document or key set in bytes.
pub const DOCUMENT_MAX: u32 = 64 << 20;

/// The purposes of a pin that names none.
const DEFAULT_PURPOSES: [PayloadType; 4] = [
    PayloadType::Receipt,
    PayloadType::ChainLink,
    PayloadType::ChainSeal,
    PayloadType::BundleManifest,
];

/// A trust input whose consistency was checked.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    pub(crate) registry: Option<SignedRegistry>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) keys: Vec<PublicKey>,
    pub(crate) logs: Vec<Vkey>,
    pub(crate) witnesses: Vec<Vkey>,
    pub(crate) witness_quorum: Option<u32>,
}

/// The reason why a trust document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// A member of the document is missing or malformed.
    #[error("invalid trust document: `{0}` is missing or malformed")]
    Member(&'static str),
    /// The input is neither a trust document nor a registry envelope.
    #[error("neither a trust document nor a trust registry")]
    Neither,
    /// The document has a registry, but no root key is pinned.
    #[error("a trust registry requires a pinned root key; use `--root-key`")]
    NoRootKey,
    /// Root keys are pinned, but the document has no registry.
    #[error("root keys are pinned, but there is no trust registry; use `--trust`")]
    NoRegistry,
    /// Too few of the registry's own root keys signed it.
    #[error("the trust registry is not signed by enough of its own root keys")]
    Threshold,
    /// Too few of the pinned root keys signed the registry.
    #[error("the trust registry is not signed by enough of the pinned root keys")]
    RootKeys,
}

impl Trust {
    /// Checks the registry of `document` and creates the trust input.
    ///
    /// The registry must meet its own threshold. In addition, enough of the pinned root keys must
    /// have signed it, by default more than half of them.
    ///
    /// # Errors
    /// Returns the reason why the document cannot be used.
    pub fn new(document: TrustDocument) -> Result<Self, TrustError> {
        let registry = match document.registry {
            Some(registry) => {
                check_roots(&registry, &document.root_keys, document.root_threshold)?;
                Some(registry)
            }
            None if document.root_keys.is_empty() => None,
            None => return Err(TrustError::NoRegistry),
        };
        let all_of_kind = |vkeys: &[Vkey], kind| vkeys.iter().all(|vkey| vkey.kind() == kind);
        if !all_of_kind(&document.logs, VkeyKind::Note) {
            return Err(TrustError::Member("logs"));
        }
        if !all_of_kind(&document.witnesses, VkeyKind::Cosignature) {
            return Err(TrustError::Member("witnesses"));
        }
        Ok(Self {
            registry,
            pins: document.pins,
            keys: document.keys,
            logs: document.logs,
            witnesses: document.witnesses,
            witness_quorum: document.witness_quorum,
        })
    }

    /// Returns whether any key is trusted, directly or through a registry.
    pub(crate) fn is_pinned(&self) -> bool {
        self.registry.is_some() || !self.pins.is_empty()
    }
}

fn check_roots(
    registry: &SignedRegistry,
    root_keys: &[String],
    threshold: Option<u32>,
) -> Result<(), TrustError> {
    let pinned: BTreeSet<&str> = root_keys.iter().map(String::as_str).collect();
    if pinned.is_empty() {
        return Err(TrustError::NoRootKey);
    }
    registry.check_root_signatures(&registry.registry).map_err(|_| TrustError::Threshold)?;
    let majority = (pinned.len() / 2).saturating_add(1);
    let required = match threshold {
        Some(0) => return Err(TrustError::Member("root_threshold")),
        Some(threshold) => usize::try_from(threshold).unwrap_or(usize::MAX),
        None => majority,
    };
    let roots = registry.registry.root_keys.iter().filter(|kid| pinned.contains(kid.as_str()));
    let keys = roots.filter_map(|kid| registry.registry.key(kid)).map(|entry| &entry.key);
    if registry.signer_count(keys) >= required { Ok(()) } else { Err(TrustError::RootKeys) }
}
