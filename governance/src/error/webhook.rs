//! Refusals about webhooks (specification, "States and transitions").

use contract::error::ErrorCode;

use super::{Refusal, refusal};

/// The receiver has it.
pub fn already_delivered() -> Refusal {
    refusal(ErrorCode::AlreadyDelivered, "the receiver has taken this delivery already")
}

/// It will be tried by itself.
pub fn still_pending() -> Refusal {
    refusal(ErrorCode::StillPending, "this delivery has not been tried yet, and will be shortly")
}
