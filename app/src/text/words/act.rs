//! The dialogs of the acts on a version, and their pages.

use contract::policy::VersionStatus;

use crate::{text::verdict::status, view::acts::Act};

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

/// The heading of the dialog and of its page.
pub(crate) fn title(act: Act, policy: &str, version: u32) -> String {
    let verb = match act {
        Act::Send => "Send",
        Act::Recall => "Recall",
        Act::Reject => "Reject",
        Act::Ratify => "Ratify",
        Act::Activate => "Activate",
        Act::Delete => "Delete",
        Act::SetAside => "Set aside",
        Act::Supersede => "Correct",
    };
    format!("{verb} {policy} v{version}")
}

/// The button on the page of the version.
pub(crate) fn button(act: Act, version: u32) -> String {
    match act {
        Act::Send => super::review::SEND.to_owned(),
        Act::Recall => "Recall".to_owned(),
        Act::Reject => "Reject".to_owned(),
        Act::Ratify => format!("Ratify v{version}"),
        Act::Activate => format!("Activate v{version}"),
        Act::Delete => "Delete draft".to_owned(),
        Act::SetAside => "Set aside".to_owned(),
        Act::Supersede => "Correct in a new draft".to_owned(),
    }
}

/// The button that does it.
pub(crate) fn sign(act: Act, version: u32) -> String {
    match act {
        Act::Ratify => format!("Sign and ratify v{version}"),
        Act::Reject => format!("Reject v{version}"),
        Act::Delete => format!("Delete v{version}"),
        Act::SetAside => format!("Set v{version} aside"),
        Act::Send => format!("Seal and send v{version}"),
        Act::Supersede => "Keep it and open a new draft".to_owned(),
        act => button(act, version),
    }
}

/// What the act means.
pub(crate) fn says(act: Act) -> &'static str {
    match act {
        Act::Send => super::review::SEND_SAYS,
        Act::Recall => "It becomes a draft again.",
        Act::Reject => "It becomes a draft again, and its author reads your reason.",
        Act::Ratify => "You approve these exact rules. They decide once the version is activated.",
        Act::Activate => "Every decision from now on uses these exact rules.",
        Act::Delete => "Its rules are gone for good. Its number is not used again.",
        Act::SetAside => "It is closed without being used. It stays in the history, unchanged.",
        Act::Supersede => {
            "This draft is kept as it is, and closed. A new one starts with the same rules."
        }
    }
}

/// What the box says that must be ticked.
pub(crate) fn read(rules: &str) -> String {
    format!("I have read the {rules}")
}

/// Why the act is not possible: the state is another one.
pub(crate) fn not_now(now: VersionStatus) -> String {
    format!("This is not possible for you now. The version is: {}.", status(now).to_lowercase())
}
