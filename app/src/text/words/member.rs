//! `/t/{tenant}/members`

use contract::scope::Role;

pub(crate) const TITLE: &str = "Members";
pub(crate) const HEAD: [&str; 4] = ["Member", "Role", "Since (UTC)", "Act"];
pub(crate) const INVITE: &str = "Invite somebody";
pub(crate) const EMAIL: &str = "E-mail";
pub(crate) const ROLE: &str = "Role";
pub(crate) const NAME: &str = "Name, for a new account";
pub(crate) const NAME_HINT: &str = "Leave it empty for somebody who has an account. With a name, an account is made, and you get a link with which the person chooses a password.";
pub(crate) const NO_ACCOUNT: &str =
    "Nobody has an account with this address. Give a name too, and one is made.";
pub(crate) const LINK: &str = "Link to choose a password";
pub(crate) const LINK_SAYS: &str = "Hand it over yourself. It is shown this once, works once, and for a week. To get another one, invite the person again with a name.";
pub(crate) const HANDED_OVER: &str = "I have copied it";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const SINCE: &str = "Since";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const ME: &str = "you";
pub(crate) const REMOVE_SAYS: &str = "No request of this person in this tenant is let in from then on. What the person wrote, sent and signed stays as it is.";
pub(crate) const REMOVE_ME_SAYS: &str =
    "You lose access to this tenant at once. An admin can invite you again.";
pub(crate) const BACK: &str = "Back to the members";

/// What the form calls the members of the wire.
pub(crate) const FIELDS: [(&str, &str); 3] =
    [("/email", EMAIL), ("/role", ROLE), ("/display_name", NAME)];

/// What each role may do.
pub(crate) const ROLES: [(&str, &str); 7] = [
    ("viewer", "Viewer: reads"),
    ("operator", "Operator: also alerts, webhooks, forms, outcomes"),
    ("auditor", "Auditor: also the audit log and exports"),
    ("author", "Author: also writes and sends drafts"),
    ("reviewer", "Reviewer: also accepts and returns"),
    ("ratifier", "Ratifier: also signs, ratifies, activates"),
    ("admin", "Admin: also settings, members, keys"),
];

/// The names of the roles, for narrow places.
pub(crate) fn roles() -> Vec<(&'static str, &'static str)> {
    Role::ALL.map(|role| (role.as_str(), crate::text::words::role(role))).into()
}

/// The name of a row's field.
pub(crate) fn role_of(name: &str) -> String {
    format!("{ROLE} of {name}")
}

/// The name of a row's act.
pub(crate) fn change(name: &str) -> String {
    format!("{CHANGE} the role of {name}")
}

/// The heading of a removal.
pub(crate) fn remove(name: &str) -> String {
    format!("{REMOVE} {name}")
}

/// What was just made.
pub(crate) fn made(email: &str) -> String {
    format!("{email} is a member, and can choose a password with this link.")
}
