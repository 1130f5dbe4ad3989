//! Refusals about the transparency log and the audit log.

use contract::{
    error::ErrorCode,
    json::{Object, Value},
};

use super::{Refusal, invalid_field, refusal};

/// There is no key to sign checkpoints with.
pub fn no_key() -> Refusal {
    refusal(ErrorCode::Conflict, "there is no signing key, so there is no log")
}

/// A name that cannot be a tree's.
pub fn origin_refused(fault: &str) -> Refusal {
    invalid_field("/origin", "format", fault)
}

/// A name that a tree had before.
pub fn origin_used() -> Refusal {
    refusal(ErrorCode::Conflict, "a tree had this origin before; an origin is used once")
}

/// The store is behind what this service has signed, or differs from it. `checks` says what else was
/// looked at.
pub fn rollback_detected(checks: Object) -> Refusal {
    Refusal {
        details: Some(Object::from([("checks", Value::from(checks))]).into()),
        ..refusal(
            ErrorCode::ServiceUnavailable,
            "the store is not the one whose log was signed last; see `govern log show`",
        )
    }
}

/// How long a caller waits before it asks for another verification, in seconds.
const VERIFY_AGAIN_SECONDS: u32 = 5;

/// Another verification of the tenant's audit log is running.
pub fn verification_running() -> Refusal {
    let details = Object::from([
        ("reason", Value::from("VERIFICATION_RUNNING")),
        ("retry_after", VERIFY_AGAIN_SECONDS.into()),
    ]);
    Refusal {
        details: Some(details.into()),
        ..refusal(
            ErrorCode::Conflict,
            "another verification of this audit log is running; try again when it has ended",
        )
    }
}
