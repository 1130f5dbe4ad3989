//! Refusals of trust registry operations.

use contract::error::ErrorCode;
use receipt::trust_registry::{KeyChangeError, RegistryError};

use super::{Refusal, conflict, invalid_field, refusal};

refusals! {
    no_version() = NotFound, "trust registry version not found";
    /// For a service whose trust registry was not initialized.
    registry_missing() = NotFound, "no trust registry exists; create one with `govern trust init`";
    registry_exists() = Conflict,
        "the trust registry already exists; issue its next version with `govern trust rotate`";
    /// For a version of the registry that another process issued at the same time.
    issued_concurrently(version: u32) = Conflict,
        "version {version} of the trust registry was issued concurrently; try again";
    /// For a service without signing keys to list.
    unsigned() = Conflict, "this service has no signing key to list in a trust registry";
    /// For a retired or revoked key that is supposed to sign.
    key_inactive(kid: &str) = Conflict, "the key `{kid}` was retired or revoked; use a new one";
}

/// Returns the refusal for a version of the registry that cannot be signed.
pub fn not_signed(error: RegistryError) -> Refusal {
    match error {
        RegistryError::Signature => {
            conflict("too few root keys to sign the next version of the trust registry")
        }
        RegistryError::Malformed => invalid_field(
            "/threshold",
            "range",
            "must be at least 1, and at most the number of different root keys",
        ),
        RegistryError::Rollback => conflict("the version does not follow the previous one"),
    }
}

/// Returns the refusal for a key that cannot be changed.
pub fn key_unchanged(kid: &str, error: KeyChangeError) -> Refusal {
    match error {
        KeyChangeError::Unknown => {
            refusal(ErrorCode::NotFound, format!("the trust registry has no key `{kid}`"))
        }
        KeyChangeError::Revoked => conflict(format!("the key `{kid}` was permanently revoked")),
        KeyChangeError::RootsNeeded => conflict(format!(
            "without the root key `{kid}`, too few root keys remain to sign the next version"
        )),
        KeyChangeError::NoRoot => {
            conflict(format!("the key `{kid}` is not a root key of the trust registry"))
        }
        KeyChangeError::Ended => {
            conflict(format!("the root key `{kid}` was retired; use a new one"))
        }
    }
}

pub fn compromised_at_in_future() -> Refusal {
    invalid_field("/compromised_since", "range", "must not be in the future")
}
