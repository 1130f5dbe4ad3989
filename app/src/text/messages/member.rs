//! Texts of `/t/{tenant}/members`.

pub(crate) const TITLE: &str = "Members";
pub(crate) const HEAD: [&str; 4] = ["Member", "Role", "Since (UTC)", "Action"];
pub(crate) const INVITE: &str = "Invite member";
pub(crate) const EMAIL: &str = "Email";
pub(crate) const ROLE: &str = "Role";
#[cfg(feature = "ssr")]
pub(crate) const ROLE_NOW: &str = "Current role";
pub(crate) const NAME: &str = "Name, for a new account";
pub(crate) const NAME_HINT: &str = "For a person who is new to this tenant. If the service sends mail, the person gets a link to choose a password by mail; otherwise the link is shown to you.";
pub(crate) const NO_ACCOUNT: &str =
    "This tenant knows no account with this email. Enter a name to create one.";
pub(crate) const LINK: &str = "Link to choose a password";
pub(crate) const LINK_HELP: &str = "Send this link to the person. It is shown once, can be used once and expires after 7 days. To create another link, invite the person again with a name.";
pub(crate) const LINK_COPIED: &str = "I have copied it";
pub(crate) const CHANGE: &str = "Change role";
#[cfg(feature = "ssr")]
pub(crate) const CHANGE_HELP: &str = "The new role applies from the next request on.";
pub(crate) const KEYS: &str = "API keys";
#[cfg(feature = "ssr")]
pub(crate) const KEYS_HEAD: [&str; 4] = ["Key", "Scopes", "Expires (UTC)", "Last used (UTC)"];
#[cfg(feature = "ssr")]
pub(crate) const KEYS_OF_REMOVED: &str = "These API keys act for this person. They are revoked together with the membership, unless another admin takes them over.";
#[cfg(feature = "ssr")]
pub(crate) const KEYS_OF_CHANGED: &str = "These API keys act for this person. A role with fewer rights revokes them, unless another admin takes them over. With more rights they stay as they are.";
#[cfg(feature = "ssr")]
pub(crate) const KEYS_OF_CAPABILITY: &str = "authoring capability: revoked in either case";
#[cfg(feature = "ssr")]
pub(crate) const KEYS_CHOICE: &str = "What happens to these API keys";
#[cfg(feature = "ssr")]
pub(crate) const KEYS_REVOKE: &str = "Revoke";
#[cfg(feature = "ssr")]
pub(crate) const SINCE: &str = "Since";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const YOU: &str = "you";
pub(crate) const INVITED: &str = "Invited";
#[cfg(feature = "ssr")]
pub(crate) const REMOVE_HELP: &str = "This person loses access to this tenant immediately. Drafts, submissions and signatures of this person stay unchanged.";
#[cfg(feature = "ssr")]
pub(crate) const REMOVE_ME_HELP: &str =
    "You lose access to this tenant immediately. An admin can invite you again.";
#[cfg(feature = "ssr")]
pub(crate) const BACK: &str = "Back to the members";

pub(crate) const FIELDS: [(&str, &str); 4] =
    [("/email", EMAIL), ("/role", ROLE), ("/display_name", NAME), ("/keys_to", KEYS)];

pub(crate) const ROLES: [(&str, &str); 7] = [
    ("viewer", "Viewer: reads"),
    ("operator", "Operator: also alerts, webhooks, forms, outcomes"),
    ("auditor", "Auditor: also the audit log and exports"),
    ("author", "Author: also writes and submits drafts"),
    ("reviewer", "Reviewer: also accepts and requests changes"),
    ("ratifier", "Ratifier: also signs, ratifies, activates"),
    ("admin", "Admin: also settings, members, keys"),
];

/// Returns the label of a row's button, which is also the heading of its page.
pub(crate) fn change(name: &str) -> String {
    format!("Change the role of {name}")
}

#[cfg(feature = "ssr")]
pub(crate) fn transfer_to(name: &str) -> String {
    format!("Transfer to {name}")
}

pub(crate) fn remove(name: &str) -> String {
    format!("{REMOVE} {name}")
}

/// Returns the notice for an account that was just created.
pub(crate) fn setup_link_notice(email: &str) -> String {
    format!("{email} can choose a password with this link.")
}
