//! Texts of `/account`.

use contract::text::isolated;

pub(crate) const TITLE: &str = "Your account";
pub(crate) const ROLES: &str = "Your roles";
pub(crate) const PASSWORD: &str = "Change your password";
pub(crate) const HELP: &str = "You will be signed out on all other devices.";
pub(crate) const CURRENT: &str = "Current password";
pub(crate) const NEW: &str = "New password";
pub(crate) const CHANGE: &str = "Change password";
pub(crate) const CHANGED: &str = "Password changed. You were signed out on all other devices.";
pub(crate) const WRONG: &str = "Incorrect current password.";
pub(crate) const PROVIDER_SESSION: &str = "You signed in with an identity provider. Sign in with your password or a passkey to change the password or the second factors.";

pub(crate) const TIMES: &str = "Dates and times";
pub(crate) const TIME_ZONE: &str = "Time zone";
pub(crate) const TIME_ZONE_HINT: &str =
    "For example Europe/Berlin. Public pages, charts, and fields marked with UTC stay in UTC.";
pub(crate) const SAVE_TIME_ZONE: &str = "Save time zone";
pub(crate) const TIME_ZONE_SAVED: &str = "Time zone saved.";

pub(crate) const PREFERENCES: &str = "Browser preferences";

pub(crate) const SESSIONS: &str = "Active sessions";
pub(crate) const CURRENT_SESSION: &str = "This session";
pub(crate) const UNKNOWN_CLIENT: &str = "Unknown browser or program";
pub(crate) const SESSIONS_HEAD: [&str; 5] =
    ["Browser or program", "Network", "Last used", "Signed in", "Action"];
pub(crate) const END: &str = "End session";
pub(crate) const END_OTHERS: &str = "End other sessions";
pub(crate) const SESSION_ENDED: &str = "The session has ended.";
pub(crate) const OTHERS_ENDED: &str = "All other sessions have ended.";

/// Returns the label of the button that ends a session, for example "End session: Browser/1.0".
pub(crate) fn end(client: &str) -> String {
    format!("{END}: {}", isolated(client))
}
