//! What is trusted: the only source of trust, given from outside the bundle (receipts, section 11).

mod document;

use std::collections::BTreeSet;

use receipt::{
    key::{PayloadType, PublicKey},
    log::{Vkey, VkeyKind},
    registry::SignedRegistry,
};

pub use self::document::{NoPin, Pin, TrustDocument, is_fingerprint};

/// The most bytes that a trust document or a key set can have.
pub const DOCUMENT_MAX: u32 = 64 << 20;

/// What a pin is for, when it does not say.
const DEFAULT_PURPOSES: [PayloadType; 4] = [
    PayloadType::Receipt,
    PayloadType::ChainLink,
    PayloadType::ChainSeal,
    PayloadType::BundleManifest,
];

/// Trust that holds together.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    pub(crate) registry: Option<SignedRegistry>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) keys: Vec<PublicKey>,
    pub(crate) logs: Vec<Vkey>,
    pub(crate) witnesses: Vec<Vkey>,
    pub(crate) witness_quorum: Option<u32>,
}

/// Why what was given cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustUnusable {
    /// A member of the document is missing or malformed.
    #[error("the trust document is not usable: `{0}` is missing or malformed")]
    Member(&'static str),
    /// It is neither a trust document nor the envelope of a registry.
    #[error("neither a trust document nor a trust registry")]
    Neither,
    /// There is a registry, but no key of its roots is pinned.
    #[error("a registry is trusted only with the key of a root; give `--root-key`")]
    NoRootKey,
    /// Root keys are pinned, but there is no registry.
    #[error("root keys are pinned, but there is no registry; give `--trust`")]
    NoRegistry,
    /// The registry is not signed by its own roots.
    #[error("too few of its own root keys signed the trusted registry")]
    Threshold,
    /// Too few of the pinned root keys signed the registry.
    #[error("too few of the pinned root keys signed the trusted registry")]
    RootKeys,
}

impl Trust {
    /// Takes a document, and checks the registry in it: it must meet its own threshold, and enough of
    /// the pinned root keys must have signed it (by default more than half of them).
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn new(document: TrustDocument) -> Result<Self, TrustUnusable> {
        let registry = match document.registry {
            Some(registry) => {
                check_roots(&registry, &document.root_keys, document.root_threshold)?;
                Some(registry)
            }
            None if document.root_keys.is_empty() => None,
            None => return Err(TrustUnusable::NoRegistry),
        };
        let kind = |vkeys: &[Vkey], kind| vkeys.iter().all(|vkey| vkey.kind() == kind);
        if !kind(&document.logs, VkeyKind::Note) {
            return Err(TrustUnusable::Member("logs"));
        }
        if !kind(&document.witnesses, VkeyKind::Cosignature) {
            return Err(TrustUnusable::Member("witnesses"));
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

    /// Whether any key is pinned that could speak for a receipt.
    pub(crate) fn is_pinned(&self) -> bool {
        self.registry.is_some() || !self.pins.is_empty()
    }
}

fn check_roots(
    registry: &SignedRegistry,
    root_keys: &[String],
    threshold: Option<u32>,
) -> Result<(), TrustUnusable> {
    let pinned: BTreeSet<&str> = root_keys.iter().map(String::as_str).collect();
    if pinned.is_empty() {
        return Err(TrustUnusable::NoRootKey);
    }
    registry.signed_by_roots(&registry.registry).map_err(|_| TrustUnusable::Threshold)?;
    let majority = (pinned.len() / 2).saturating_add(1);
    let needed = match threshold {
        Some(0) => return Err(TrustUnusable::Member("root_threshold")),
        Some(threshold) => usize::try_from(threshold).unwrap_or(usize::MAX),
        None => majority,
    };
    let roots = registry.registry.root_keys.iter().filter(|kid| pinned.contains(kid.as_str()));
    let keys = roots.filter_map(|kid| registry.registry.key(kid)).map(|entry| &entry.key);
    if registry.signers(keys) >= needed { Ok(()) } else { Err(TrustUnusable::RootKeys) }
}
