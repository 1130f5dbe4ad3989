//! `/account`

pub(crate) const TITLE: &str = "Your account";
pub(crate) const ROLES: &str = "Your roles";
pub(crate) const PASSWORD: &str = "Change your password";
pub(crate) const SAYS: &str = "Every other sign-in of yours ends at once; this one goes on.";
pub(crate) const CURRENT: &str = "Current password";
pub(crate) const NEW: &str = "New password";
pub(crate) const CHANGE: &str = "Change password";
pub(crate) const CHANGED: &str =
    "Your password is changed. You are signed out everywhere but here.";
pub(crate) const WRONG: &str = "The current password is wrong.";
pub(crate) const PREFERENCES: &str = "In this browser";
