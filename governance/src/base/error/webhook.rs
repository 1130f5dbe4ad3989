//! Refusals of webhook operations (specification, "States and transitions").

use contract::error::ErrorCode;

use super::{Refusal, refusal};

pub fn already_delivered() -> Refusal {
    refusal(ErrorCode::AlreadyDelivered, "this delivery already succeeded")
}

/// Returns the refusal for a delivery that the worker has not attempted yet.
pub fn still_pending() -> Refusal {
    refusal(ErrorCode::StillPending, "this delivery has not been attempted yet")
}
