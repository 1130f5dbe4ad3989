//! Texts of `/login/confirm`.

pub(crate) const TITLE: &str = "Confirm your password";
pub(crate) const WHY: &str =
    "You signed in more than 15 minutes ago. Enter your password to sign this action.";
pub(crate) const CONFIRM: &str = "Confirm";
pub(crate) const WRONG: &str = "Incorrect password.";
