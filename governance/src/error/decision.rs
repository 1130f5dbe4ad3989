//! Refusals of decisions and chains (contract, section 5).

use contract::error::ErrorCode;

use super::{Cause, Error, RETRY_AFTER, Refusal, conflict, invalid_field, refusal};

/// Nothing decides for this kind of request.
pub fn no_active_policies(decision_type: &str) -> Refusal {
    refusal(
        ErrorCode::NoActivePolicies,
        format!("no active policy governs decisions of type `{decision_type}`"),
    )
}

/// The idempotency key was used for another request.
pub fn idempotency_key_reused() -> Refusal {
    refusal(
        ErrorCode::IdempotencyKeyReused,
        "this idempotency key was used for another request; take a new one",
    )
}

/// The chain is sealed.
pub fn chain_sealed() -> Refusal {
    refusal(ErrorCode::ChainSealed, "this chain is sealed and takes no further step")
}

/// The step is taken.
pub fn step_taken(step: u32) -> Refusal {
    conflict(format!("step {step} of this chain is taken; take another, or leave it out"))
}

/// The highest step is the last one there can be.
pub fn no_step_left() -> Refusal {
    conflict("the highest step of this chain is the last there can be; name a free one")
}

/// The parent is no earlier decision of the chain.
pub fn parent_not_in_chain() -> Refusal {
    invalid_field(
        "/chain/parent_decision_id",
        "not_in_chain",
        "must be an earlier decision of the same chain",
    )
}

/// The chain is not what was recorded.
pub fn chain_broken() -> Refusal {
    conflict("this chain does not verify as it is stored, and is not sealed")
}

/// The decision has an outcome.
pub fn outcome_known() -> Refusal {
    conflict("an outcome of this decision was recorded before; it does not change")
}

/// A key cannot be used, or its signature does not verify: nothing is stored that would lack it.
pub(crate) fn not_signed(cause: impl Into<Cause>) -> Error {
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}
