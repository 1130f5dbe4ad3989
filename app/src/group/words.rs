//! Texts of `/t/{tenant}/groups`.

use contract::text::isolated;

pub(crate) const TITLE: &str = "Policy groups";
#[cfg(feature = "ssr")]
pub(crate) const NAVIGATION: &str = "Groups";
pub(crate) const HEAD: [&str; 4] = ["Group", "Description", "Policies", "Changed"];
pub(crate) const POLICIES_HEAD: [&str; 4] = ["Policy", "Active", "Mode", "Action"];
pub(crate) const EMPTY: &str = "No groups yet";
pub(crate) const EMPTY_NEXT: &str =
    "Groups are optional. Create a group to select policies by one code in requests.";
pub(crate) const CREATE: &str = "Create a group";
pub(crate) const CODE: &str = "Code";
pub(crate) const CODE_HINT: &str = "Requests use this code to select the group. Case-insensitive. If you change it, update the callers.";
pub(crate) const NAME: &str = "Name";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const DESCRIPTION_HINT: &str = "Optional: what its policies have in common.";
pub(crate) const POLICIES: &str = "Policies";
pub(crate) const NO_POLICIES: &str = "No policy belongs to this group yet.";
pub(crate) const ADD: &str = "Add";
pub(crate) const ADD_CODE: &str = "Code of a policy to add";
pub(crate) const ADD_HINT: &str =
    "A policy belongs to at most one group. Adding it here removes it from its current group.";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const EDIT: &str = "Edit details";
pub(crate) const SAVE: &str = "Save";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const ABOUT: &str = "About";
pub(crate) const DELETE: &str = "Delete this group";
pub(crate) const DELETE_HELP: &str =
    "Requests that select this group are rejected from then on. Its code can be used again.";
pub(crate) const NOT_EMPTY: &str = "The group contains policies. Remove them first.";
pub(crate) const UNKNOWN_CODE: &str = "Code of a policy to add: no policy has this code.";

pub(crate) const FIELDS: [(&str, &str); 3] =
    [("/code", CODE), ("/name", NAME), ("/description", DESCRIPTION)];

pub(crate) fn remove(name: &str) -> String {
    format!("{REMOVE}: {}", isolated(name))
}
