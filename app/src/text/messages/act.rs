//! The dialogs of the actions on a version, and their pages.

use contract::policy::VersionStatus;

use crate::{text::verdict::status, view::version_actions::VersionAction};

pub(crate) const POLICY: &str = "Policy";
pub(crate) const VERSION: &str = "Version";
pub(crate) const REVISION: &str = "draft revision";
pub(crate) const REPLACES: &str = "Replaces";
pub(crate) const REPLACES_NOTHING: &str = "None. This policy has no active version.";
pub(crate) const SINCE: &str = "active since";
pub(crate) const SIGNED_AS: &str = "Signed in as";
pub(crate) const SIGNED_WITH: &str = "Signed with key";
pub(crate) const NOTE: &str = "Note (optional)";
pub(crate) const NOTE_HINT: &str = "Stored permanently with this action.";
pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str = "Stored permanently with this action. Up to 500 characters.";
pub(crate) const MORE: &str = "More";
pub(crate) const REVIEW: &str = "Review";
pub(crate) const BACK: &str = "Back to the version";
pub(crate) const PASSWORD_CONFIRMED: &str = "Password confirmed. Press the button again to sign.";

/// Returns the heading of the dialog and of its page.
pub(crate) fn title(act: VersionAction, policy: &str, version: u32) -> String {
    let verb = match act {
        VersionAction::Send => "Submit",
        VersionAction::Recall => "Recall",
        VersionAction::Reject => "Reject",
        VersionAction::Ratify => "Ratify",
        VersionAction::Activate => "Activate",
        VersionAction::Delete => "Delete",
        VersionAction::SetAside => "Set aside",
        VersionAction::Supersede => "Revise",
    };
    format!("{verb} {policy} v{version}")
}

/// Returns the label of the button on the page of the version.
pub(crate) fn button(act: VersionAction, version: u32) -> String {
    match act {
        VersionAction::Send => super::review::SUBMIT.to_owned(),
        VersionAction::Recall => "Recall".to_owned(),
        VersionAction::Reject => "Reject".to_owned(),
        VersionAction::Ratify => format!("Ratify v{version}"),
        VersionAction::Activate => format!("Activate v{version}"),
        VersionAction::Delete => "Delete draft".to_owned(),
        VersionAction::SetAside => "Set aside".to_owned(),
        VersionAction::Supersede => "Revise in a new draft".to_owned(),
    }
}

/// Returns the label of the button that performs the action.
pub(crate) fn sign(act: VersionAction, version: u32) -> String {
    match act {
        VersionAction::Ratify => format!("Sign and ratify v{version}"),
        VersionAction::Reject => format!("Reject v{version}"),
        VersionAction::Delete => format!("Delete v{version}"),
        VersionAction::SetAside => format!("Set v{version} aside"),
        VersionAction::Send => format!("Submit v{version} for review"),
        VersionAction::Supersede => "Close and create new draft".to_owned(),
        act => button(act, version),
    }
}

/// Returns the effect of the action.
pub(crate) fn description(act: VersionAction) -> &'static str {
    match act {
        VersionAction::Send => super::review::SUBMIT_HELP,
        VersionAction::Recall => "Returns the version to draft.",
        VersionAction::Reject => "Returns the version to draft. The author sees your reason.",
        VersionAction::Ratify => {
            "You approve exactly these rules. They take effect when the version is activated."
        }
        VersionAction::Activate => "All decisions from now on use exactly these rules.",
        VersionAction::Delete => {
            "The draft is permanently deleted. Its version number is not reused."
        }
        VersionAction::SetAside => "Closes the version without using it. It stays in the history.",
        VersionAction::Supersede => {
            "Closes this draft unchanged and opens a new one with the same rules."
        }
    }
}

/// Returns the label of the checkbox that confirms reading.
pub(crate) fn confirm_reading(rules: &str) -> String {
    format!("I have read the {rules}")
}

/// Returns the message for an action that the status of the version does not permit.
pub(crate) fn unavailable(now: VersionStatus) -> String {
    format!("This action is not available. Version status: {}.", status(now).to_lowercase())
}
