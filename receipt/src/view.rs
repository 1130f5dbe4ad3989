//! What a public receipt leaves out (receipts, section 5.2).

use std::sync::Arc;

use contract::evaluation::EvaluationResult;

/// Takes the values of the context out of `result`, as the setting `values` asks: a violation keeps
/// its codes, and no text that was made from a value remains.
pub fn redact_values(result: &mut EvaluationResult) {
    for violation in &mut result.violations {
        violation.actual_value = None;
        violation.details = None;
        violation.reason_code.as_str().clone_into(&mut violation.reason);
    }
    let reason: Arc<str> = "not applicable".into();
    for rule in &mut result.na_rules {
        rule.reason = Arc::clone(&reason);
    }
}
