//! Refusals of the transparency log and the audit log.

use contract::error::ErrorCode;

use super::{Details, ReadinessChecks, Refusal, invalid_field, refusal};

refusals! {
    /// For a service without a key that signs checkpoints.
    no_key() = Conflict, "the transparency log is disabled because no signing key is configured";
    /// For an origin that another tree has used.
    origin_used() = Conflict, "this origin was already used by another tree";
    verification_running() = Conflict,
        "another verification of this audit log is running; try again when it has ended",
        with_details(Details::Reason {
            reason: "VERIFICATION_RUNNING",
            retry_after: Some(VERIFY_RETRY_AFTER_SECONDS),
        });
}

/// Returns the refusal for an invalid origin of a tree.
pub fn origin_refused(message: &str) -> Refusal {
    invalid_field("/origin", "format", message)
}

/// Returns the refusal for a database that is older than the last signed tree head or differs from it.
/// `checks` contains the results of the other readiness checks.
pub fn rollback_detected(log: &'static str) -> Refusal {
    let checks = ReadinessChecks { database: "ok", log };
    refusal(
        ErrorCode::ServiceUnavailable,
        "the database does not match the last signed tree head; see `govern log show`",
    )
    .with_details(Details::Checks { checks })
}

/// The time in seconds before a caller should request another verification.
const VERIFY_RETRY_AFTER_SECONDS: u32 = 5;
