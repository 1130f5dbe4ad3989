//! Refusals of decisions and chains (contract, section 5).

use super::{Cause, Error, RETRY_AFTER, Refusal, invalid_field};

refusals! {
    no_active_policies(decision_type: &str) = NoActivePolicies,
        "no active policy governs decisions of type `{decision_type}`";
    /// Of a change after which the active versions of `scope` would have more than `mib` MiB of rules.
    too_many_active_rules(scope: &str, mib: i64) = Conflict,
        "the active versions {scope} would have more than {mib} MiB of rules; deactivate others or shorten this one";
    idempotency_key_reused() = IdempotencyKeyReused,
        "this idempotency key was used for a different request; use a new key";
    chain_sealed() = ChainSealed, "this chain is sealed";
    step_taken(step: u32) = Conflict, "step {step} already exists; use another step or omit it";
    /// For an omitted step in a chain whose highest step is the maximum.
    step_limit_reached() = Conflict, "the chain has reached the highest possible step; use an unused step";
    /// For another decision in a chain that has the maximum number of decisions.
    chain_full(decisions_max: u32) = Conflict,
        "a chain has at most {decisions_max} decisions; seal it and start another";
    /// For a chain that fails verification.
    chain_broken() = Conflict, "the stored chain failed verification and was not sealed";
    outcome_exists() = Conflict, "this decision already has an outcome";
}

/// Returns the refusal for a context whose values the violations would repeat too often.
pub fn result_too_large(error: engine::ResultTooLarge) -> Refusal {
    let message = format!("{error}; shorten the values that several rules read");
    invalid_field("/context", "too_large", &message)
}

/// Returns the refusal for a context of a batch whose results are too large together.
pub fn batch_too_large() -> Refusal {
    let mib = engine::RESULT_BYTES_MAX >> 20;
    let message =
        format!("the results of the batch would take more than {mib} MiB; send fewer contexts");
    invalid_field("/context", "too_large", &message)
}

/// Returns the refusal for a context whose result would be too large for a bundle. The policies and the violations have
/// more than `mebibytes`.
pub fn decision_too_large(mebibytes: usize) -> Refusal {
    let message = format!(
        "the policies and the violations would take more than {mebibytes} MiB of a bundle; shorten the values that \
         rules read, or limit which policies govern this decision type"
    );
    invalid_field("/context", "too_large", &message)
}

/// Returns the refusal for a decision type with more than `count` policies, or with policies of more than `mebibytes`.
pub fn policies_too_large(decision_type: &str, count: usize, mebibytes: usize) -> Refusal {
    let message = format!(
        "decisions of type `{decision_type}` are governed by more than {count} policies or by more than {mebibytes} \
         MiB of rules; limit the decision types of active policies, or deactivate some"
    );
    invalid_field("/context/decision_type", "too_large", &message)
}

/// Returns the refusal for a parent that is not an earlier decision of the same chain. `path` is the path of
/// the parent in the request.
pub fn parent_not_in_chain(path: &str) -> Refusal {
    invalid_field(path, "not_in_chain", "must be an earlier decision of the same chain")
}

/// Returns the error for a key that is unusable or whose signature fails verification. The caller
/// stores nothing unsigned.
pub(crate) fn not_signed(cause: impl Into<Cause>) -> Error {
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}
