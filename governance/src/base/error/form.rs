//! Refusals of form submitters (contract, section 6).

use contract::{
    error::ErrorCode,
    form::{AccessMode, BudgetWindow},
    json::{Object, Value},
    time::Timestamp,
};

use super::{Refusal, refusal};

/// Returns the refusal for missing or wrong credentials of a form. It does not reveal whether a token
/// is forged, expired, used up or revoked.
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

/// Returns the refusal for an exhausted submission budget. For a budget that never refills, it contains
/// no time to retry after.
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
