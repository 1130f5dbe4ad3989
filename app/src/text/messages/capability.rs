//! Texts of `/t/{tenant}/capabilities`.

use crate::{
    text::number::{count, whole},
    view::capability::GrantState,
};

pub(crate) const TITLE: &str = "Authoring grants";
pub(crate) const NAVIGATION: &str = "Grants";
pub(crate) const HEAD: [&str; 7] =
    ["Program", "Version", "Allows", "State", "Terms", "Chain", "Act"];
pub(crate) const LEAD: &str = "A grant lets a program work on one version of one policy, and on nothing else. It cannot review, ratify or activate.";
pub(crate) const EMPTY: &str = "No grants.";
pub(crate) const EMPTY_NEXT: &str = "Issue one to a program that shall write a draft.";
pub(crate) const GRANT: &str = "Grant to a program";
pub(crate) const ISSUE: &str = "Issue a grant";
pub(crate) const NO_OPEN: &str = "There is no draft to work on. Begin a draft of a policy first, then grant a program work on it.";
pub(crate) const VERSION: &str = "Version to work on";
pub(crate) const CHOOSE: &str = "Choose a version";
pub(crate) const NAME: &str = "Name of the program";
pub(crate) const NOT_BEFORE: &str = "From (UTC); empty for at once";
pub(crate) const EXPIRES: &str = "Expires (UTC); empty for never";
pub(crate) const MAX_USES: &str = "Writes; empty for any number";
pub(crate) const ALLOWS: &str = "It may";
pub(crate) const BINDS: &str = "While the grant is live, the version cannot be superseded: it is set aside instead, and the grant carried to the next draft.";
pub(crate) const SECRET: &str = "Program's key";
pub(crate) const FROM: &str = "From";
pub(crate) const UNTIL: &str = "Until";
pub(crate) const AND_UNTIL: &str = "until";
pub(crate) const ALWAYS: &str = "At any time";
pub(crate) const CHAIN: &str = "Chain, first grant first";
pub(crate) const DIGEST: &str = "grant digest";
pub(crate) const CARRY: &str = "Carry";
pub(crate) const CARRY_SAYS: &str = "The same key goes on with the new version, on the same terms and with the writes made so far. The version before is free again.";
pub(crate) const NO_SUCCESSOR: &str = "There is no later draft of this policy. Set the version aside, begin a new draft, and come back.";
pub(crate) const NOT_CARRIED: &str = "This grant has ended, and cannot be carried.";
pub(crate) const REVOKE: &str = "Revoke";
pub(crate) const REVOKE_FINAL: &str = "The program can do nothing more with its key from then on. That is final: a revoked grant does not come back.";
pub(crate) const REVOKED_BEFORE: &str = "This grant is revoked already.";
pub(crate) const BACK: &str = "Back to the grants";
pub(crate) const NO_VERSION: &str = "Version: choose one.";
pub(crate) const BAD_NAME: &str = "Name: give 1 to 200 characters.";
pub(crate) const NO_ACTION: &str = "It may: tick at least one.";
pub(crate) const BAD_NOT_BEFORE: &str = "From: give a date and time, such as 2027-11-20T23:04.";
pub(crate) const BAD_EXPIRES: &str = "Expires: give a date and time, such as 2027-11-20T23:04.";
pub(crate) const ENDS_BEFORE: &str = "Expires: must lie after its start.";
pub(crate) const BAD_USES: &str = "Writes: give a whole number from 1.";

/// The actions, with their descriptions.
pub(crate) const ACTIONS: [(&str, &str); 5] = [
    ("policy.read", "Read the version"),
    ("policy.draft.edit", "Edit the draft"),
    ("review.seal", "Seal it for review"),
    ("policy.submit", "Send it to its ratifiers"),
    ("review.retrieve", "Read what reviewers answered"),
];

/// Returns the description of an action.
pub(crate) fn action(word: &str) -> &str {
    ACTIONS.iter().find(|(action, _)| *action == word).map_or(word, |(_, description)| description)
}

/// Returns the display name of a capability state.
pub(crate) fn state(state: GrantState) -> &'static str {
    match state {
        GrantState::Live => "Live",
        GrantState::NotYetValid => "Not yet valid",
        GrantState::Exhausted => "Used up",
        GrantState::Expired => "Expired",
        GrantState::Revoked => "Revoked",
        GrantState::Missing => "Grant missing",
        GrantState::Broken => "Not as signed",
    }
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
    format!("{REVOKE} the grant of {name}")
}

/// Returns the label of the carry button, which is also the title of its page.
pub(crate) fn carry(name: &str) -> String {
    format!("{CARRY} the grant of {name}")
}

/// Returns the label of the button that carries over.
pub(crate) fn carry_to(version: u32) -> String {
    format!("{CARRY} to version {version}")
}

/// Returns the notice for a capability that was just issued.
pub(crate) fn made(name: &str) -> String {
    format!("The grant of {name} is issued. This is its key.")
}

/// Returns the label of an open version in the form.
#[cfg(feature = "ssr")]
pub(crate) fn open(code: &str, version: u32, status: &str, name: &str) -> String {
    format!("{code} v{version} ({}): {name}", status.to_lowercase())
}
