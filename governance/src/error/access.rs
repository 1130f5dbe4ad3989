//! Refusals at the door: who is calling, and what that caller may do (contract, section 2).

use contract::{
    error::ErrorCode,
    json::{Object, Value},
    scope::Scope,
};

use super::{Refusal, refusal};

/// The credentials are missing, unknown, revoked or expired: all look alike.
pub fn unauthorized() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the credentials are missing or not valid")
}

/// The e-mail address or the password is wrong: both look alike.
pub fn log_in_failed() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the e-mail address or the password is wrong")
}

/// Too many requests of an address, a key or a person; `seconds` is how long to wait.
pub fn too_many_requests(whose: &str, seconds: u32) -> Refusal {
    Refusal {
        details: Some(Object::from([("retry_after", Value::from(seconds))]).into()),
        ..refusal(
            ErrorCode::TooManyRequests,
            format!("too many requests of this {whose}; wait {seconds} s and try again"),
        )
    }
}

/// Too many failed password checks; `seconds` is how long to wait.
pub fn too_many_attempts(seconds: u32) -> Refusal {
    Refusal {
        details: Some(Object::from([("retry_after", Value::from(seconds))]).into()),
        ..refusal(
            ErrorCode::TooManyRequests,
            format!("too many failed attempts; wait {seconds} s and try again"),
        )
    }
}

/// The key belongs to another tenant, or the person is no member.
pub fn foreign_tenant() -> Refusal {
    refusal(ErrorCode::Forbidden, "these credentials do not belong to this tenant")
}

/// The person's role lacks the right.
pub fn role_lacks(right: &str, role: &str) -> Refusal {
    refusal(ErrorCode::Forbidden, format!("{right} is not among the rights of the role `{role}`"))
}

/// The sign-in is too old for a signing act.
pub fn confirmation_required() -> Refusal {
    Refusal {
        details: Some(Object::from([("reason", Value::from("CONFIRMATION_REQUIRED"))]).into()),
        ..refusal(
            ErrorCode::Forbidden,
            "confirm your password first: the sign-in is older than 15 minutes",
        )
    }
}

/// The key lacks the scope.
pub fn insufficient_scope(required: Scope) -> Refusal {
    Refusal {
        details: Some(Object::from([("required", Value::from(required.as_str()))]).into()),
        ..refusal(ErrorCode::InsufficientScope, format!("the key lacks the scope `{required}`"))
    }
}

/// A key asks for what only a person may do.
pub fn human_required() -> Refusal {
    refusal(ErrorCode::HumanRequired, "only a signed-in person may do this, not an API key")
}

/// A key asks for a change that the tenant reserves for people.
pub fn human_changes_only() -> Refusal {
    refusal(
        ErrorCode::HumanRequired,
        "the setting `human_changes_only` is on: a signed-in person must make this change",
    )
}
