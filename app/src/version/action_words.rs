//! The dialogs of the actions on a version, and their pages.

use contract::policy::VersionStage;

use crate::text::verdict::stage;

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
#[cfg(feature = "ssr")]
pub(crate) use crate::text::messages::IDENTITY_CONFIRMED;

/// Returns when the user last signed in or confirmed the identity. `time` is, for example, "4 min".
pub(crate) fn signed_in(time: &str) -> String {
    format!("You confirmed your identity {time} ago.")
}

pub(crate) fn confirm_reading(rules: &str) -> String {
    format!("I have read the {rules}")
}

pub(crate) fn unavailable(now: VersionStage) -> String {
    format!("This action is not available. Version status: {}.", stage(now).to_lowercase())
}
