//! Texts of `/t/{tenant}/groups`.

pub(crate) const TITLE: &str = "Policy groups";
pub(crate) const NAVIGATION: &str = "Groups";
pub(crate) const HEAD: [&str; 3] = ["Group", "Description", "Changed (UTC)"];
pub(crate) const POLICIES_HEAD: [&str; 4] = ["Policy", "Active", "Mode", "Act"];
pub(crate) const EMPTY: &str = "No groups.";
pub(crate) const EMPTY_NEXT: &str = "Policies work without one.";
pub(crate) const CREATE: &str = "Create a group";
pub(crate) const CODE: &str = "Code";
pub(crate) const CODE_HINT: &str = "Requests narrow to the group by it, whatever the case of its letters. When it changes, they must name the new one.";
pub(crate) const NAME: &str = "Name";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const DESCRIPTION_HINT: &str = "Optional: what its policies have in common.";
pub(crate) const POLICIES: &str = "Policies";
pub(crate) const NO_POLICIES: &str = "No policy belongs to this group yet.";
pub(crate) const ADD: &str = "Add";
pub(crate) const ADD_CODE: &str = "Code of a policy to add";
pub(crate) const ADD_HINT: &str =
    "A policy belongs to one group at most: it leaves the one it is in.";
pub(crate) const TAKE_OUT: &str = "Take out";
pub(crate) const EDIT: &str = "Change its details";
pub(crate) const SAVE: &str = "Save";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const ABOUT: &str = "About";
pub(crate) const DELETE: &str = "Delete this group";
pub(crate) const DELETE_SAYS: &str =
    "Requests that narrow to it are refused from then on. Its code is free again.";
pub(crate) const NOT_EMPTY: &str = "It has policies. Take them out of it first.";
pub(crate) const UNKNOWN_CODE: &str = "Code of a policy to add: no policy has this code.";

/// The labels of the wire members.
pub(crate) const FIELDS: [(&str, &str); 3] =
    [("/code", CODE), ("/name", NAME), ("/description", DESCRIPTION)];

/// Returns the label of the button of a row.
pub(crate) fn take_out(name: &str) -> String {
    format!("{TAKE_OUT}: {name}")
}
