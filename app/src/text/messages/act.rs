//! The dialogs of the actions on a version, and their pages.

use contract::policy::VersionStatus;

use crate::{text::verdict::status, view::version_actions::VersionAction};

pub(crate) const POLICY: &str = "Policy";
pub(crate) const VERSION: &str = "Version";
pub(crate) const REVISION: &str = "draft revision";
pub(crate) const REPLACES: &str = "Replaces";
pub(crate) const REPLACES_NOTHING: &str = "Nothing; no version of this policy decides now";
pub(crate) const SINCE: &str = "active since";
pub(crate) const SIGNED_AS: &str = "Done as";
pub(crate) const SIGNED_WITH: &str = "Signed with key";
pub(crate) const NOTE: &str = "Note (optional)";
pub(crate) const NOTE_HINT: &str = "Becomes part of the record.";
pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str = "Becomes part of the record. Up to 500 characters.";
pub(crate) const MORE: &str = "More";
pub(crate) const REVIEW: &str = "Review";
pub(crate) const BACK: &str = "Back to the version";
pub(crate) const CONFIRMED: &str =
    "Your password is confirmed. Nothing has been signed yet: press the button again.";

/// Returns the heading of the dialog and of its page.
pub(crate) fn title(act: VersionAction, policy: &str, version: u32) -> String {
    let verb = match act {
        VersionAction::Send => "Send",
        VersionAction::Recall => "Recall",
        VersionAction::Reject => "Reject",
        VersionAction::Ratify => "Ratify",
        VersionAction::Activate => "Activate",
        VersionAction::Delete => "Delete",
        VersionAction::SetAside => "Set aside",
        VersionAction::Supersede => "Correct",
    };
    format!("{verb} {policy} v{version}")
}

/// Returns the label of the button on the page of the version.
pub(crate) fn button(act: VersionAction, version: u32) -> String {
    match act {
        VersionAction::Send => super::review::SEND.to_owned(),
        VersionAction::Recall => "Recall".to_owned(),
        VersionAction::Reject => "Reject".to_owned(),
        VersionAction::Ratify => format!("Ratify v{version}"),
        VersionAction::Activate => format!("Activate v{version}"),
        VersionAction::Delete => "Delete draft".to_owned(),
        VersionAction::SetAside => "Set aside".to_owned(),
        VersionAction::Supersede => "Correct in a new draft".to_owned(),
    }
}

/// Returns the label of the button that performs the action.
pub(crate) fn sign(act: VersionAction, version: u32) -> String {
    match act {
        VersionAction::Ratify => format!("Sign and ratify v{version}"),
        VersionAction::Reject => format!("Reject v{version}"),
        VersionAction::Delete => format!("Delete v{version}"),
        VersionAction::SetAside => format!("Set v{version} aside"),
        VersionAction::Send => format!("Seal and send v{version}"),
        VersionAction::Supersede => "Keep it and open a new draft".to_owned(),
        act => button(act, version),
    }
}

/// Returns the effect of the action.
pub(crate) fn description(act: VersionAction) -> &'static str {
    match act {
        VersionAction::Send => super::review::SEND_SAYS,
        VersionAction::Recall => "It becomes a draft again.",
        VersionAction::Reject => "It becomes a draft again, and its author reads your reason.",
        VersionAction::Ratify => {
            "You approve these exact rules. They decide once the version is activated."
        }
        VersionAction::Activate => "Every decision from now on uses these exact rules.",
        VersionAction::Delete => "Its rules are gone for good. Its number is not used again.",
        VersionAction::SetAside => {
            "It is closed without being used. It stays in the history, unchanged."
        }
        VersionAction::Supersede => {
            "This draft is kept as it is, and closed. A new one starts with the same rules."
        }
    }
}

/// Returns the label of the checkbox that confirms reading.
pub(crate) fn read(rules: &str) -> String {
    format!("I have read the {rules}")
}

/// Returns the message for an action that the status of the version does not permit.
pub(crate) fn not_now(now: VersionStatus) -> String {
    format!("This is not possible for you now. The version is: {}.", status(now).to_lowercase())
}
