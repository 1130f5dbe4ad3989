//! Texts of `/t/{tenant}/settings`.

use contract::rule::Severity;

use crate::text::{number::count, verdict::severity};

pub(crate) const TITLE: &str = "Settings";
pub(crate) const INTRO: &str = "Each change needs a reason and is recorded in the audit log.";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const CHANGE_VALUE: &str = "Change…";
pub(crate) const TURN_ON: &str = "Turn on…";
pub(crate) const TURN_OFF: &str = "Turn off…";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str =
    "The audit log stores only a digest of this reason. Keep a copy.";
pub(crate) const UNCHANGED: &str = "Already set to this value.";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const NEVER_CHANGED: &str = "Never changed";
pub(crate) const CHANGED_BEFORE: &str = "Last change: see the audit log";
pub(crate) const HISTORY: &str = "Changes";
pub(crate) const NO_HISTORY: &str = "No setting was changed.";
pub(crate) const IN_AUDIT_LOG: &str = "All in the audit log";
pub(crate) const REASON_DIGEST: &str = "Digest of the reason";
pub(crate) const SECTIONS: &str = "Sections";
pub(crate) const SAVE: &str = "Save change";
pub(crate) const NO_REASON: &str = "Reason: enter 1 to 500 characters.";
pub(crate) const MAKER_CHECKER_OFF: &str = "Authors will be able to ratify their own versions.";
pub(crate) const WITHOUT_MAKER_CHECKER: &str =
    "Without maker-checker, authors can ratify their own versions.";
pub(crate) const WITHOUT_REVIEW: &str =
    "Without this setting, they can be ratified without a review.";
pub(crate) const REVIEW_OFF: &str = "Versions can be ratified without a review.";
pub(crate) const HUMAN_CHANGES_OFF: &str =
    "API keys will be able to make changes that affect verdicts and safeguards.";
pub(crate) const MORE_SIGN_INS: &str = "Other sign-ins will give access to this organization.";
pub(crate) const PASSWORD_ENOUGH: &str = "A password alone will give access to this organization.";
pub(crate) const REDACTION_OFF: &str = "Public receipts will show values.";
pub(crate) const FEWER_ALERTS: &str = "Violations of a lower severity will create no alerts.";
pub(crate) const KEYS_RESTRICTED: &str = "This setting applies to these API keys:";
pub(crate) const NO_KEYS_RESTRICTED: &str = "No API key has the scope policies:write.";

/// Returns the title of the card that confirms a change.
pub(crate) fn change(label: &str) -> String {
    format!("{CHANGE}: {label}")
}

/// Returns the name of the button with the text `action` of a setting.
pub(crate) fn change_to(label: &str, action: &str) -> String {
    format!("{label}: {action}")
}

pub(crate) fn new_value(label: &str) -> String {
    format!("{label}: new value")
}

/// Returns the number of versions that wait for a step, for example "2 versions are waiting for ratification."
pub(crate) fn waiting(step: &str, versions: usize) -> String {
    match versions {
        0 => format!("No versions are waiting for {step}."),
        1 => format!("1 version is waiting for {step}."),
        more => format!("{} are waiting for {step}.", count(more, "version", "versions")),
    }
}

/// Returns the sentence about the alert that a change creates.
pub(crate) fn creates_alert(level: Severity) -> String {
    format!("This change creates an alert with the severity {}.", severity(level))
}

/// Returns, for example, "from On to Off".
pub(crate) fn from_to(before: &str, after: &str) -> String {
    format!("from {before} to {after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_affected_versions_are_counted() {
        let texts = [0, 1, 2].map(|number| waiting("ratification", number));
        let expected = [
            "No versions are waiting for ratification.",
            "1 version is waiting for ratification.",
            "2 versions are waiting for ratification.",
        ];
        assert_eq!(texts, expected);
    }
}
