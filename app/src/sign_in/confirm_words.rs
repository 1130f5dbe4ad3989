//! Texts of `/login/confirm`.

pub(crate) const TITLE: &str = "Confirm your identity";
pub(crate) const WHY_PROVIDER: &str =
    "You signed in more than 15 minutes ago. Sign in again to sign this action.";
pub(crate) const WHY: &str =
    "You signed in more than 15 minutes ago. Enter your password to sign this action.";
pub(crate) const WHY_FACTOR: &str =
    "You signed in more than 15 minutes ago. Confirm that it is you to sign this action.";
pub(crate) const OR_PASSWORD: &str = "Or with your password:";
pub(crate) const CODE_HINT: &str = "6 digits, or a recovery code.";
pub(crate) const WRONG_FACTOR: &str = "Incorrect password or code.";
pub(crate) const CONFIRM: &str = "Confirm";
pub(crate) const WRONG: &str = "Incorrect password.";

pub(crate) fn sign_in_again(provider: &str) -> String {
    format!("Sign in again with {provider}")
}
