//! Texts of `/t/{tenant}/settings`.

use crate::view::settings::Setting;

pub(crate) const TITLE: &str = "Settings";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const CHANGE_TO: &str = "Change to";
pub(crate) const NOW: &str = "Now";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str = "The audit log binds these exact words by their digest and does not hold them: keep them yourself.";
pub(crate) const SAME: &str = "This is so already.";
pub(crate) const UPDATED: &str = "Last changed";
pub(crate) const SAVE: &str = "Make this change";
pub(crate) const NO_REASON: &str = "Reason: give 1 to 500 characters.";
pub(crate) const OFF: &str =
    "From then on whoever wrote a version may ratify it. Your password is asked for.";
pub(crate) const WAITING: &str = "Waiting for a ratifier now:";
pub(crate) const NONE_WAITING: &str = "No version waits for a ratifier now.";

pub(crate) const CONFIRMED: &str =
    "Your password is confirmed. Nothing has been changed yet: press the button again.";

const SWITCH: &[(&str, &str)] = &[("true", "On"), ("false", "Off")];

/// Returns the display name of a setting.
pub(crate) fn label(setting: Setting) -> &'static str {
    match setting {
        Setting::MakerCheckerEnabled => "Maker-checker",
        Setting::ReviewRequired => "Review before ratification",
        Setting::PublicReceiptRedaction => "Public receipts leave out",
        Setting::BundleIncludeContext => "Context in bundles",
        Setting::AlertMinSeverity => "Alerts from severity",
        Setting::HumanChangesOnly => "Changes by people only",
    }
}

/// Returns the description of a setting.
pub(crate) fn description(setting: Setting) -> &'static str {
    match setting {
        Setting::MakerCheckerEnabled => {
            "A version is ratified by somebody who neither wrote nor sent it."
        }
        Setting::ReviewRequired => "A version is ratified only after a reviewer has accepted it.",
        Setting::PublicReceiptRedaction => {
            "What anybody who has the link of a receipt does not see."
        }
        Setting::BundleIncludeContext => "Whether bundles hold what a decision was made on.",
        Setting::AlertMinSeverity => "The mildest violation that raises an alert.",
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
