//! Redaction of public receipts (receipts, section 5.2).

use std::sync::Arc;

use contract::{
    chain::ChainVerification,
    evaluation::{EvaluationResult, ReasonCode, Violation},
};

/// Removes the values of the context from `result`, for the redaction setting `values`. Violations
/// retain their codes; texts derived from values are removed or replaced.
pub fn redact_values(result: &mut EvaluationResult) {
    for violation in &mut result.violations {
        if expects_field(violation) {
            violation.expected_value = None;
        }
        violation.actual_value = None;
        violation.details = None;
        violation.reason_code.as_str().clone_into(&mut violation.reason);
    }
    let reason: Arc<str> = "not applicable".into();
    for rule in &mut result.na_rules {
        rule.reason = Arc::clone(&reason);
    }
}

/// Returns whether the expected value was read from the context. This applies to a `comparison`
/// with `right`, whose violations name that field in `details`.
fn expects_field(violation: &Violation) -> bool {
    let names_field =
        || violation.details.as_ref().is_some_and(|details| details.get("right").is_some());
    violation.reason_code == ReasonCode::ComparisonFailed && names_field()
}

/// Removes the display names of actors from a chain.
pub fn redact_names(chain: &mut ChainVerification) {
    for actor in chain.items.iter_mut().filter_map(|item| item.actor.as_mut()) {
        actor.display_name = None;
    }
}
