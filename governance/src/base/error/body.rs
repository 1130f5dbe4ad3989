//! Refusals of request contents (contract, section 1).

use contract::{
    codification,
    error::{ErrorCode, FieldError},
};

use super::{Details, Refusal, refusal};

/// Returns the refusal for a request with invalid values.
pub fn invalid(errors: &[FieldError]) -> Refusal {
    let message = match errors {
        [error] if error.path.is_empty() => format!("the body {}", error.message),
        [error] => format!("{}: {}", error.path, error.message),
        several => format!("{} fields are invalid", several.len()),
    };
    refusal(ErrorCode::ValidationError, message)
        .with_details(Details::Fields { errors: errors.to_vec() })
}

/// Returns the refusal for a request with one invalid value.
pub fn invalid_field(path: &str, code: &str, message: &str) -> Refusal {
    invalid(&[FieldError::new(path, code, message)])
}

pub fn unsupported_rule_type(rule_code: &str, rule_type: &str, errors: &[FieldError]) -> Refusal {
    refusal(ErrorCode::UnsupportedRuleType, format!("`{rule_type}` is not a rule type"))
        .with_details(Details::RuleType {
            rule_code: rule_code.to_owned(),
            rule_type: rule_type.to_owned(),
            errors: errors.to_vec(),
        })
}

/// Returns the refusal for clauses, ledger entries and rules that do not match each other.
pub fn codification_refused(refusals: &[codification::CodificationError]) -> Refusal {
    let message = match refusals {
        [refusal] => refusal.message.clone(),
        several => format!("codification failed with {} errors", several.len()),
    };
    refusal(ErrorCode::CodificationRefused, message)
        .with_details(Details::Codification { refusals: refusals.to_vec() })
}
