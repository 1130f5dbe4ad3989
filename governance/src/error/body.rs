//! Refusals of what a request says (contract, section 1).

use contract::{
    codification,
    error::{ErrorCode, FieldError},
    json::{Object, Value},
};

use super::{Refusal, refusal};

/// The request is not as it must be.
pub fn invalid(errors: &[FieldError]) -> Refusal {
    let message = match errors {
        [only] => format!("{}: {}", only.path, only.message),
        several => format!("{} values of the request are not as they must be", several.len()),
    };
    Refusal {
        details: Some(Object::from([("errors", errors_value(errors))]).into()),
        ..refusal(ErrorCode::ValidationError, message)
    }
}

/// One value of the request is not as it must be.
pub fn invalid_field(path: &str, code: &str, message: &str) -> Refusal {
    invalid(&[FieldError {
        path: path.to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    }])
}

/// A rule has a type that does not exist.
pub fn unsupported_rule_type(rule_code: &str, rule_type: &str, errors: &[FieldError]) -> Refusal {
    let details = Object::from([
        ("rule_code", Value::from(rule_code)),
        ("rule_type", Value::from(rule_type)),
        ("errors", errors_value(errors)),
    ]);
    Refusal {
        details: Some(details.into()),
        ..refusal(ErrorCode::UnsupportedRuleType, format!("`{rule_type}` is not a rule type"))
    }
}

/// Clauses, ledger and rules do not fit each other.
pub fn codification_refused(refusals: &[codification::Refusal]) -> Refusal {
    let message = match refusals {
        [only] => only.message.clone(),
        several => format!("{} things keep the clauses from being codified", several.len()),
    };
    let facts = serde_json::to_value(refusals)
        .ok()
        .and_then(|facts| serde_json::from_value::<Value>(facts).ok());
    Refusal {
        details: facts.map(|facts| Object::from([("refusals", facts)]).into()),
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
