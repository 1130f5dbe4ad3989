//! Texts of `/t/{tenant}/capabilities`.

use contract::text::isolated;

use crate::text::number::{count, whole};

pub(crate) const TITLE: &str = "Authoring capabilities";
pub(crate) const HEAD: [&str; 7] =
    ["Program", "Version", "Allowed actions", "Status", "Writes and validity", "Lineage", "Action"];
pub(crate) const INTRO: &str = "A capability lets a program work on exactly one version of one policy. It does not permit reviewing, ratifying or activating.";
pub(crate) const EMPTY: &str = "No capabilities yet";
pub(crate) const EMPTY_NEXT: &str = "Issue a capability to let a program edit a draft.";
pub(crate) const GRANT: &str = "Issue to a program";
pub(crate) const ISSUE: &str = "Issue capability";
pub(crate) const NO_OPEN: &str =
    "There is no open draft. Create a draft of a policy first, then issue a capability for it.";
pub(crate) const VERSION: &str = "Version to work on";
pub(crate) const CHOOSE: &str = "Choose a version";
pub(crate) const NAME: &str = "Name of the program";
pub(crate) const NOT_BEFORE: &str = "Starts (UTC, optional)";
pub(crate) const EXPIRES: &str = "Expires (UTC, optional)";
pub(crate) const MAX_USES: &str = "Maximum writes (optional)";
pub(crate) const ALLOWS: &str = "Allowed actions";
pub(crate) const BINDING_NOTE: &str = "While the capability is active, the version cannot be superseded. Set the version aside and carry the capability over to the next draft.";
pub(crate) const SECRET: &str = "Program's key";
pub(crate) const FROM: &str = "From";
pub(crate) const UNTIL: &str = "Until";
pub(crate) const AND_UNTIL: &str = "until";
pub(crate) const ALWAYS: &str = "At any time";
pub(crate) const CHAIN: &str = "Lineage, oldest first";
pub(crate) const DIGEST: &str = "grant digest";
pub(crate) const CARRY: &str = "Carry over";
pub(crate) const CARRY_HELP: &str = "The same key works on the new version, with the same terms and the same use count. The previous version is no longer bound.";
pub(crate) const NO_SUCCESSOR: &str =
    "This policy has no later draft. Set the version aside and create a new draft first.";
pub(crate) const NOT_CARRIED: &str = "This capability has ended and cannot be carried over.";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_FINAL: &str =
    "The program loses access immediately. This cannot be undone.";
pub(crate) const REVOKED_BEFORE: &str = "This capability is already revoked.";
pub(crate) const BACK: &str = "Back to the capabilities";
pub(crate) const NO_VERSION: &str = "Version: choose one.";
pub(crate) const BAD_NAME: &str = "Name: enter 1 to 200 characters.";
pub(crate) const NO_ACTION: &str = "Allowed actions: select at least one.";
pub(crate) const BAD_NOT_BEFORE: &str =
    "Starts: enter a date and time, for example 2027-11-20T23:04.";
pub(crate) const BAD_EXPIRES: &str =
    "Expires: enter a date and time, for example 2027-11-20T23:04.";
pub(crate) const ENDS_BEFORE: &str = "Expires: must be after the start.";
pub(crate) const BAD_USES: &str = "Maximum writes: enter a whole number from 1.";

pub(crate) const ACTIONS: [(&str, &str); 5] = [
    ("policy.read", "Read the version"),
    ("policy.draft.edit", "Edit the draft"),
    ("review.seal", "Submit for review"),
    ("policy.submit", "Submit for ratification"),
    ("review.retrieve", "Read review records"),
];

pub(crate) fn action(word: &str) -> &str {
    ACTIONS.iter().find(|(action, _)| *action == word).map_or(word, |(_, description)| description)
}

/// Returns the use count, for example "3 of 40 writes made".
pub(crate) fn uses(uses: u32, max: Option<u32>) -> String {
    match max {
        Some(max) => format!("{} of {} writes made", whole(uses.into()), whole(max.into())),
        None => format!(
            "{} made, no limit",
            count(uses.try_into().unwrap_or(usize::MAX), "write", "writes")
        ),
    }
}

/// Returns the label of the revoke button, which is also the title of its page.
pub(crate) fn revoke(name: &str) -> String {
    format!("{REVOKE} the capability of {}", isolated(name))
}

/// Returns the label of the carry button, which is also the title of its page.
pub(crate) fn carry(name: &str) -> String {
    format!("{CARRY} the capability of {}", isolated(name))
}

pub(crate) fn carry_to(version: u32) -> String {
    format!("{CARRY} to version {version}")
}

pub(crate) fn issued(name: &str) -> String {
    format!("Capability for {} issued. This is its key.", isolated(name))
}

#[cfg(feature = "ssr")]
pub(crate) fn open_version(code: &str, version: u32, status: &str, name: &str) -> String {
    format!("{code} v{version} ({}): {name}", status.to_lowercase())
}
