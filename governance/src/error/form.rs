//! Refusals of those who come to a hosted form (contract, section 6).

use contract::{
    error::ErrorCode,
    form::{AccessMode, BudgetWindow},
    json::{Object, Value},
    time::Timestamp,
};

use super::{Refusal, refusal};

/// The form asks for something that was not brought, or does not open it. Whether a token is forged,
/// expired, used up or revoked is not told.
pub fn access_refused(mode: AccessMode, is_given: bool) -> Refusal {
    let message = match (mode, is_given) {
        (AccessMode::Token, true) => "this access token does not open the form, or no longer",
        (AccessMode::Token, false) => "the form asks for an access token",
        (AccessMode::Password, true) => "this is not the password of the form",
        (AccessMode::Password, false) => "the form asks for a password",
        (_, true) => "the form is for members of the tenant that asks",
        (_, false) => "the form asks you to sign in",
    };
    let details = Object::from([("access_mode", Value::from(mode.as_str()))]);
    Refusal { details: Some(details.into()), ..refusal(ErrorCode::Forbidden, message) }
}

/// The form has taken as many submissions as its budget allows. A budget that never refills has no time after which
/// the caller should try again.
pub fn budget_exhausted(window: BudgetWindow, now: Timestamp) -> Refusal {
    let message = match window {
        BudgetWindow::Hour => "the form takes no more submissions this hour",
        BudgetWindow::Day => "the form takes no more submissions today",
        BudgetWindow::Total => "the form takes no more submissions",
    };
    let mut details = Object::from([("window", Value::from(window.as_str()))]);
    if let Some(seconds) = window.wait_seconds(now) {
        details.insert("retry_after", seconds);
    }
    Refusal { details: Some(details.into()), ..refusal(ErrorCode::FormBudgetExhausted, message) }
}
