//! Texts of `/t/{tenant}/members` and of the pages below it.

use contract::{
    scope::{Right, Role},
    text::isolated,
};

use crate::text::number::count;

pub(crate) const TITLE: &str = "Members";
pub(crate) const INTRO: &str =
    "People in this tenant and their roles. Maker-checker compares people, not roles.";
pub(crate) const INVITATIONS: &str = "Invitations";
pub(crate) const ROLES_TAB: &str = "Roles";
pub(crate) const HEAD: [&str; 5] = ["Member", "Role", "Last active", "Since", "Actions"];
pub(crate) const INVITATIONS_HEAD: [&str; 5] = ["Person", "Role", "Status", "Since", "Actions"];
pub(crate) const LAST_ACTIVE_HELP: &str =
    "Last active: the last sign-in or change in the audit log of this tenant.";
pub(crate) const NO_ACTIVITY: &str = "Never";
pub(crate) const INVITE: &str = "Invite member";
pub(crate) const EMAIL: &str = "Email";
pub(crate) const ROLE: &str = "Role";
pub(crate) const ROLE_NOW: &str = "Current role";
pub(crate) const NAME: &str = "Name, for a new account";
pub(crate) const NAME_HINT: &str = "For a person who is new to this tenant. If the service sends mail, the person gets a link to choose a password by mail; otherwise the link is shown to you.";
pub(crate) const NO_ACCOUNT: &str =
    "No account with this email in this tenant. Enter a name to create one.";
pub(crate) const LINK: &str = "Link to choose a password";
pub(crate) const LINK_HELP: &str = "Send this link to the person. It is shown once, can be used once and expires after 7 days. To create another link, invite the person again with a name.";
pub(crate) const LINK_COPIED: &str = "I have copied it";
pub(crate) const ACTIVE: &str = "Active";
pub(crate) const INVITED: &str = "Invited";
pub(crate) const YOU: &str = "you";
pub(crate) const LAST_ADMIN: &str = "The last admin cannot be removed.";
pub(crate) const NO_INVITATIONS: &str = "No open invitations";
pub(crate) const NO_INVITATIONS_NEXT: &str =
    "People whom you invite are listed here until they accept.";
pub(crate) const CHANGE: &str = "Change role";
pub(crate) const CHANGE_HELP: &str = "The new role applies from the next request on.";
pub(crate) const KEYS: &str = "API keys";
pub(crate) const KEYS_HEAD: [&str; 4] = ["Key", "Scopes", "Expires (UTC)", "Last used"];
pub(crate) const KEYS_OF_CAPABILITY: &str = "authoring capability: revoked in either case";
pub(crate) const KEYS_CHOICE: &str = "What happens to these API keys";
pub(crate) const KEYS_REVOKE: &str = "Revoke";
pub(crate) const SINCE: &str = "Since";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const REMOVE_MEMBER: &str = "Remove member";
pub(crate) const REMOVE_HELP: &str = "This person loses access to this tenant immediately.";
pub(crate) const REMOVE_ME_HELP: &str =
    "You lose access to this tenant immediately. An admin can invite you again.";
pub(crate) const REMOVE_UNCHANGED: &str =
    "Drafts, submissions and signatures of this person stay unchanged.";
pub(crate) const SECOND_FACTOR: &str = "second factor";
pub(crate) const RESET: &str = "Reset second factors";
pub(crate) const RESET_HELP: &str = "The passkeys, the authenticator app and the recovery codes of this person are removed, and the person is signed out. The person then signs in with the password alone.";
pub(crate) const RESET_CHECK: &str =
    "First make sure that the request comes from this person, for example in a call.";
pub(crate) const FACTORS_RESET: &str = "Second factors reset.";
pub(crate) const WITHDRAW: &str = "Withdraw";
pub(crate) const WITHDRAW_INVITATION: &str = "Withdraw invitation";
pub(crate) const WITHDRAW_HELP: &str = "This person can no longer accept the invitation.";
pub(crate) const REMOVED: &str = "Member removed.";
pub(crate) const WITHDRAWN: &str = "Invitation withdrawn.";
pub(crate) const BACK: &str = "Back to the members";
pub(crate) const RIGHT: &str = "Right";
pub(crate) const YES: &str = "Yes";
pub(crate) const NO: &str = "No";
pub(crate) const RIGHTS_HELP: &str =
    "A role applies in this tenant only. API keys have scopes instead of a role.";

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

/// Returns the actions that a right permits. Rights that no role has are described too, so that the list is
/// complete.
pub(crate) const fn right(right: Right) -> &'static str {
    match right {
        Right::Read => "Read policies, decisions, alerts and forms",
        Right::Operate => {
            "Acknowledge alerts, manage webhooks and forms, record outcomes, try decisions"
        }
        Right::Audit => "Read and verify the audit log, export decisions",
        Right::Author => "Write, submit and recall drafts, issue authoring capabilities",
        Right::Review => "Review and reject versions",
        Right::Ratify => "Ratify, activate and deactivate versions",
        Right::Administer => "Manage members, API keys and settings",
        Right::UseCapability => "Use an authoring capability",
        Right::Provision => "Create tenants",
    }
}

/// Returns the label of a row's link, which is also the heading of its page.
pub(crate) fn change(name: &str) -> String {
    format!("Change the role of {}", isolated(name))
}

pub(crate) fn transfer_to(name: &str) -> String {
    format!("Transfer to {}", isolated(name))
}

pub(crate) fn remove(name: &str) -> String {
    format!("{REMOVE} {}", isolated(name))
}

pub(crate) fn reset(name: &str) -> String {
    format!("Reset the second factors of {}", isolated(name))
}

pub(crate) fn withdraw(name: &str) -> String {
    format!("{WITHDRAW} the invitation of {}", isolated(name))
}

/// Returns what happens to the keys of a member who is removed.
pub(crate) fn keys_of_removed(keys: usize, can_transfer: bool) -> String {
    let exception = exception(keys, can_transfer);
    format!("{} will be revoked{exception}.", count(keys, "API key", "API keys"))
}

/// Returns what happens to the keys of a member whose role changes.
pub(crate) fn keys_of_changed(keys: usize, can_transfer: bool) -> String {
    let exception = exception(keys, can_transfer);
    let keys = count(keys, "API key", "API keys");
    format!("A role with fewer rights revokes {keys}{exception}. Other roles revoke none.")
}

fn exception(keys: usize, can_transfer: bool) -> String {
    let them = if keys == 1 { "it" } else { "them" };
    let text = format!(", unless you transfer {them} to another admin");
    Some(text).filter(|_| can_transfer).unwrap_or_default()
}

/// Returns the notice for an account that was just created.
pub(crate) fn setup_link_notice(email: &str) -> String {
    format!("{} can choose a password with this link.", isolated(email))
}

/// Returns the notice for an invitation.
pub(crate) fn invited(email: &str, is_active: bool) -> String {
    let email = isolated(email);
    if is_active { format!("{email} is now a member.") } else { format!("{email} is invited.") }
}

/// Returns the notice for a changed role.
pub(crate) fn changed(email: &str, role: Role) -> String {
    format!("The role of {} is now {}.", isolated(email), crate::text::messages::role(role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_revoked_keys_is_stated() {
        assert_eq!(keys_of_removed(1, false), "1 API key will be revoked.");
        let two = "2 API keys will be revoked, unless you transfer them to another admin.";
        assert_eq!(keys_of_removed(2, true), two);
    }

    #[test]
    fn every_role_can_be_selected() {
        assert_eq!(ROLES.map(|(role, _)| role), Role::ALL.map(Role::as_str));
    }
}
