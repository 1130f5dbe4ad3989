//! Refusals of request contents (contract, section 1).

use contract::{
    codification,
    error::{ErrorCode, FieldError},
    json::{Object, Value},
};

use super::{Refusal, refusal};

/// Returns the refusal for a request with invalid values.
pub fn invalid(errors: &[FieldError]) -> Refusal {
    let message = match errors {
        [error] if error.path.is_empty() => format!("the body {}", error.message),
        [error] => format!("{}: {}", error.path, error.message),
        several => format!("{} fields are invalid", several.len()),
    };
    refusal(ErrorCode::ValidationError, message).with_details([("errors", errors_value(errors))])
}

/// Returns the refusal for a request with one invalid value.
pub fn invalid_field(path: &str, code: &str, message: &str) -> Refusal {
    invalid(&[FieldError {
        path: path.to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    }])
}

pub fn unsupported_rule_type(rule_code: &str, rule_type: &str, errors: &[FieldError]) -> Refusal {
    refusal(ErrorCode::UnsupportedRuleType, format!("`{rule_type}` is not a rule type"))
        .with_details([
            ("rule_code", Value::from(rule_code)),
            ("rule_type", Value::from(rule_type)),
            ("errors", errors_value(errors)),
        ])
}

/// Returns the refusal for clauses, ledger entries and rules that do not match each other.
pub fn codification_refused(refusals: &[codification::CodificationError]) -> Refusal {
    let message = match refusals {
        [refusal] => refusal.message.clone(),
        several => format!("codification failed with {} errors", several.len()),
    };
    let details = serde_json::to_value(refusals)
        .ok()
        .and_then(|details| serde_json::from_value::<Value>(details).ok());
    Refusal {
        details: details.map(|details| Object::from([("refusals", details)]).into()),
        ..refusal(ErrorCode::CodificationRefused, message)
    }
}

fn errors_value(errors: &[FieldError]) -> Value {
    errors
        .iter()
        .map(|error| {
            Object::from([
                ("path", Value::from(error.path.as_str())),
                ("code", Value::from(error.code.as_str())),
                ("message", Value::from(error.message.as_str())),
            ])
        })
        .collect()
}
