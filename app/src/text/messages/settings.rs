//! Texts of `/t/{tenant}/settings`.

use crate::view::settings::Setting;

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

const SWITCH: &[(&str, &str)] = &[("true", "On"), ("false", "Off")];

/// Returns the display name of a setting.
pub(crate) fn label(setting: Setting) -> &'static str {
    match setting {
        Setting::MakerCheckerEnabled => "Maker-checker",
        Setting::ReviewRequired => "Review before ratification",
        Setting::PublicReceiptRedaction => "Redacted in public receipts",
        Setting::BundleIncludeContext => "Context in bundles",
        Setting::AlertMinSeverity => "Alerts from severity",
        Setting::HumanChangesOnly => "Changes by people only",
    }
}

/// Returns the description of a setting.
pub(crate) fn description(setting: Setting) -> &'static str {
    match setting {
        Setting::MakerCheckerEnabled => {
            "A version must be ratified by a person who neither wrote nor submitted it."
        }
        Setting::ReviewRequired => "A version is ratified only after a reviewer has accepted it.",
        Setting::PublicReceiptRedaction => "Data hidden from public receipts.",
        Setting::BundleIncludeContext => "Whether bundles include the context of a decision.",
        Setting::AlertMinSeverity => "Minimum severity that creates an alert.",
        Setting::HumanChangesOnly => {
            "API keys cannot change settings, reject versions, deactivate policies, or change how an \
             active policy or its group decides."
        }
    }
}

/// Returns the values of a setting, with their names.
pub(crate) fn values(setting: Setting) -> &'static [(&'static str, &'static str)] {
    match setting {
        Setting::MakerCheckerEnabled
        | Setting::ReviewRequired
        | Setting::BundleIncludeContext
        | Setting::HumanChangesOnly => SWITCH,
        Setting::PublicReceiptRedaction => &[("none", "Nothing"), ("values", "Values")],
        Setting::AlertMinSeverity => {
            &[("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")]
        }
    }
}

/// Returns the display name of a value.
pub(crate) fn value(setting: Setting, value: &str) -> String {
    let known = values(setting).iter().find(|(wire, _)| *wire == value);
    known.map_or(value, |(_, word)| word).to_owned()
}

/// Returns the heading of a change.
pub(crate) fn change(setting: Setting) -> String {
    format!("{CHANGE}: {}", label(setting))
}

/// Returns the label of the button that requests a value, for example "Maker-checker: Change to Off".
pub(crate) fn change_to(setting: Setting, word: &str) -> String {
    format!("{}: {CHANGE_TO} {word}", label(setting))
}

/// Returns the label of the list of values.
pub(crate) fn new_value(setting: Setting) -> String {
    format!("{}: new value", label(setting))
}
