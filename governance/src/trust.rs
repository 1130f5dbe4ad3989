//! The trust registry of the service: which keys are its own, were, and must not be believed any more
//! (receipts, section 11).
//!
//! Its versions are public, belong to no tenant, and are signed by root keys that the service does not
//! hold while it serves. What they say decides which old signatures the service itself believes.

mod issue;
mod keys;
mod published;
mod store;

pub use receipt::registry::{KeyStatus, RegistryKey, SignedRegistry};

pub use self::{
    issue::{Revocation, RootChange, Rotation, begin, change_roots, init, revoke, rotate},
    published::{Published, Standing, signing_keys, standing, trust_document, version},
    store::newest,
};
pub(crate) use self::{
    keys::Keys,
    published::key_set,
    store::{Registries, versions_before},
};
