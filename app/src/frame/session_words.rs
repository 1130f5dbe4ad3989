//! Texts of the dialogs at the end of a session.

pub(crate) const ENDS: &str = "Your session ends in 2 minutes.";
pub(crate) const IDLE: &str = "Sessions end after 30 minutes without use.";
pub(crate) const LIMIT: &str =
    "Sessions end 12 hours after the sign-in. Sign in again to continue. Your text is preserved.";
pub(crate) const STAY: &str = "Stay signed in";
pub(crate) const SIGN_IN_AGAIN: &str = "Sign in again";
pub(crate) const EXPIRED: &str =
    "Your session has expired. Sign in to continue. Your text is preserved.";
pub(crate) const OTHER_ACCOUNT: &str = "Use another account";
/// The script replaces `{seconds}`.
pub(crate) const WAIT: &str = "Too many requests. Try again in {seconds} seconds.";
pub(crate) const FAILED: &str = "The sign-in failed. Try again.";
