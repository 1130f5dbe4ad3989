//! Refusals of those who issue versions of the trust registry, and of those who look for one.

use contract::error::ErrorCode;
use receipt::registry::{KeyUnchanged, RegistryFault};

use super::{Refusal, conflict, invalid_field, refusal};

/// There is no such version.
pub fn no_version() -> Refusal {
    refusal(ErrorCode::NotFound, "there is no such version of the trust registry here")
}

/// The registry has not begun.
pub fn not_begun() -> Refusal {
    refusal(ErrorCode::NotFound, "there is no trust registry yet; make it with `govern trust init`")
}

/// The registry has begun.
pub fn begun() -> Refusal {
    conflict("the trust registry exists; `govern trust rotate` issues its next version")
}

/// Somebody was faster.
pub fn issued_meanwhile(version: u32) -> Refusal {
    conflict(format!("somebody has issued version {version} of the trust registry meanwhile"))
}

/// There is no key to be listed.
pub fn unsigned() -> Refusal {
    conflict("this service has no signing key, and a trust registry would list none")
}

/// The version cannot be signed.
pub fn not_signed(fault: RegistryFault) -> Refusal {
    match fault {
        RegistryFault::Signature => {
            conflict("too few root keys of the trust registry were given to sign the next version")
        }
        RegistryFault::Malformed => invalid_field(
            "/threshold",
            "range",
            "must be at least 1, and at most the number of different root keys",
        ),
        RegistryFault::Rollback => conflict("the version does not follow the one before"),
    }
}

/// The key cannot be changed.
pub fn key_unchanged(kid: &str, why: KeyUnchanged) -> Refusal {
    match why {
        KeyUnchanged::Unknown => {
            refusal(ErrorCode::NotFound, format!("the trust registry has no key `{kid}`"))
        }
        KeyUnchanged::Revoked => {
            conflict(format!("the key `{kid}` was revoked, which is for good"))
        }
        KeyUnchanged::RootsNeeded => conflict(format!(
            "without the root key `{kid}` too few would be left to sign the next version"
        )),
        KeyUnchanged::NoRoot => {
            conflict(format!("the key `{kid}` is no root key of the trust registry"))
        }
        KeyUnchanged::Ended => {
            conflict(format!("the root key `{kid}` was retired; take a new one"))
        }
    }
}

/// The instant lies after the moment.
pub fn compromised_in_future() -> Refusal {
    invalid_field("/compromised_since", "range", "must not lie in the future")
}

/// The key that is to sign from now on has ended.
pub fn ended(kid: &str) -> Refusal {
    conflict(format!("the key `{kid}` was retired or revoked; take a new one"))
}
