//! Refusals of alert operations (contract, section 6).

use contract::error::ErrorCode;

use super::{Refusal, invalid_field, invalid_transition, refusal};

/// Returns the refusal to assign or snooze an acknowledged alert.
pub fn acknowledged(requested: &'static str) -> Refusal {
    invalid_transition("ALERT_ACKNOWLEDGED", "acknowledged", requested)
}

/// Returns the refusal to change an alert that has changed since the caller read it.
pub fn changed() -> Refusal {
    refusal(ErrorCode::Conflict, "the alert has changed since it was read")
}

/// Returns the refusal to assign an alert to a user who is not an active member.
pub fn not_a_member() -> Refusal {
    invalid_field("/user_id", "unknown", "must be the id of an active member of this tenant")
}

pub fn snooze_in_past() -> Refusal {
    invalid_field("/until", "range", "must be in the future")
}

pub fn snooze_too_long() -> Refusal {
    invalid_field("/until", "range", "must be at most 30 days from now")
}
