//! Texts of `/t/{tenant}/settings`.

pub(crate) const TITLE: &str = "Settings";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const CHANGE_TO: &str = "Change to";
pub(crate) const NOW: &str = "Now";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str =
    "The audit log stores only a digest of this reason. Keep a copy.";
pub(crate) const UNCHANGED: &str = "Already set to this value.";
pub(crate) const UPDATED: &str = "Last changed";
pub(crate) const SAVE: &str = "Save change";
pub(crate) const NO_REASON: &str = "Reason: enter 1 to 500 characters.";
pub(crate) const OFF: &str =
    "Authors will be able to ratify their own versions. You must confirm your password.";
pub(crate) const WAITING: &str = "Waiting for a ratifier now:";
pub(crate) const NONE_WAITING: &str = "No version is waiting for a ratifier.";

pub(crate) const PASSWORD_CONFIRMED: &str =
    "Password confirmed. Press the button again to save the change.";

pub(crate) fn change(label: &str) -> String {
    format!("{CHANGE}: {label}")
}

pub(crate) fn change_to(label: &str, word: &str) -> String {
    format!("{label}: {CHANGE_TO} {word}")
}

pub(crate) fn new_value(label: &str) -> String {
    format!("{label}: new value")
}
