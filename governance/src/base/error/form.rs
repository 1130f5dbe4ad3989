//! Refusals of form submitters (contract, section 6).

use contract::{
    error::ErrorCode,
    form::{AccessMode, BudgetWindow},
    time::Timestamp,
};

use super::{Details, Refusal, refusal};

/// Returns the refusal for missing or wrong credentials of a form. It does not reveal whether a token
/// is forged, expired, used up or revoked.
pub fn access_refused(mode: AccessMode, is_given: bool) -> Refusal {
    let message = match (mode, is_given) {
        (AccessMode::Token, true) => "the access token is not valid for this form",
        (AccessMode::Token, false) => "the form requires an access token",
        (AccessMode::Password, true) => "incorrect form password",
        (AccessMode::Password, false) => "the form requires a password",
        (_, true) => "only members of this tenant can submit the form",
        (_, false) => "the form requires you to sign in",
    };
    refusal(ErrorCode::Forbidden, message).with_details(Details::FormAccess { access_mode: mode })
}

/// Returns the refusal for an exhausted submission budget. For a budget that never refills, it contains
/// no time to retry after.
pub fn budget_exhausted(window: BudgetWindow, now: Timestamp) -> Refusal {
    let message = match window {
        BudgetWindow::Hour => "the form has reached its hourly submission limit",
        BudgetWindow::Day => "the form has reached its daily submission limit",
        BudgetWindow::Total => "the form has reached its submission limit",
    };
    let details = Details::Budget { window, retry_after: window.wait_seconds(now) };
    refusal(ErrorCode::FormBudgetExhausted, message).with_details(details)
}
