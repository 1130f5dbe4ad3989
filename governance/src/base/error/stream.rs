//! Refusals of event streams (contract, section 5).

use contract::error::ErrorCode;

use super::{Refusal, invalid_field, refusal};

/// The time in seconds after which a caller with too many streams should retry. The service detects
/// closed connections within this time.
const RETRY_AFTER_SECONDS: u32 = 15;

/// Returns the refusal for a caller with too many open streams.
pub fn too_many_streams(max: usize) -> Refusal {
    refusal(ErrorCode::TooManyRequests, format!("{max} streams are already open; close one first"))
        .with_wait(RETRY_AFTER_SECONDS)
}

/// Returns the refusal for a last event that is older than one hour or belongs to another tenant.
pub fn last_event_unknown() -> Refusal {
    let message = "is unknown or older than one hour; reconnect without it";
    invalid_field("/Last-Event-ID", "cursor", message)
}
