//! The trust registry of the service: its current, retired and revoked signing keys (receipts, section 11).
//!
//! Its versions are public, belong to no tenant, and are signed by root keys that are not available to the
//! running service. The registry also determines which of its own old signatures the service accepts.

mod issue;
mod keys;
mod published;
mod store;

pub use receipt::trust_registry::{KeyStatus, RegistryKey, SignedRegistry};

pub use self::{
    issue::{Revocation, RootChange, Rotation, change_roots, init, init_or_load, revoke, rotate},
    published::{
        PublishedVersion, SigningKeyStatus, key_status, signing_keys, trust_document, version,
    },
    store::newest,
};
pub(crate) use self::{
    keys::TrustedKeys,
    published::key_set,
    store::{RegistryCache, versions_before},
};
