//! Refusals of decisions and chains (contract, section 5).

use contract::error::ErrorCode;

use super::{Cause, Error, RETRY_AFTER, Refusal, conflict, invalid_field, refusal};

pub fn no_active_policies(decision_type: &str) -> Refusal {
    refusal(
        ErrorCode::NoActivePolicies,
        format!("no active policy governs decisions of type `{decision_type}`"),
    )
}

pub fn idempotency_key_reused() -> Refusal {
    refusal(
        ErrorCode::IdempotencyKeyReused,
        "this idempotency key was used for another request; take a new one",
    )
}

pub fn chain_sealed() -> Refusal {
    refusal(ErrorCode::ChainSealed, "this chain is sealed and takes no further step")
}

pub fn step_taken(step: u32) -> Refusal {
    conflict(format!("step {step} of this chain is taken; take another, or leave it out"))
}

/// Returns the refusal for an omitted step in a chain whose highest step is the maximum.
pub fn step_limit_reached() -> Refusal {
    conflict("the highest step of this chain is the last there can be; name a free one")
}

/// Returns the refusal for a parent that is not an earlier decision of the same chain.
pub fn parent_not_in_chain() -> Refusal {
    invalid_field(
        "/chain/parent_decision_id",
        "not_in_chain",
        "must be an earlier decision of the same chain",
    )
}

/// Returns the refusal for a chain that fails verification.
pub fn chain_broken() -> Refusal {
    conflict("this chain does not verify as it is stored, and is not sealed")
}

pub fn outcome_exists() -> Refusal {
    conflict("an outcome of this decision was recorded before; it does not change")
}

/// Returns the error for a key that is unusable or whose signature fails verification. The caller
/// stores nothing unsigned.
pub(crate) fn not_signed(cause: impl Into<Cause>) -> Error {
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}
