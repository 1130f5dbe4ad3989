//! Texts of `/reset`.

pub(crate) const TITLE: &str = "Reset your password";
pub(crate) const SAYS: &str = "Enter the e-mail address that you sign in with. If it has an account, you get a mail with a link to choose a new password.";
pub(crate) const SEND: &str = "Send the link";
pub(crate) const SENT: &str =
    "If this address has an account, a mail is on its way to it. Its link works once, for an hour.";
pub(crate) const NO_MAIL: &str =
    "This service sends no mail. Ask the people who operate it to restore your access.";
pub(crate) const BACK: &str = "Back to sign in";
