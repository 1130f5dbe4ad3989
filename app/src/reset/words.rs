//! Texts of `/reset`.

pub(crate) const TITLE: &str = "Reset your password";
pub(crate) const HELP: &str = "Enter the email address that you sign in with. If it has an account, you receive an email with a link to choose a new password.";
pub(crate) const SEND: &str = "Send the link";
pub(crate) const SENT: &str =
    "If an account uses this email, a link has been sent. It can be used once, within one hour.";
pub(crate) const NO_MAIL: &str =
    "This service does not send email. Ask its operator to restore your access.";
pub(crate) const BACK: &str = "Back to sign in";
