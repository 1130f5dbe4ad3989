//! Texts of `/t/{tenant}/policies/new` and `/t/{tenant}/policies/{policy}/details`.

use contract::text::isolated;

pub(crate) const NEW: &str = "New policy";
#[cfg(feature = "ssr")]
pub(crate) const EDIT: &str = "Edit details";
pub(crate) const CODE: &str = "Code";
pub(crate) const CODE_HINT: &str =
    "Identifies the policy in every decision. Cannot be changed. Letters, digits, . _ and -";
pub(crate) const NAME: &str = "Name";
pub(crate) const DESCRIPTION: &str = "Description";
pub(crate) const TYPES: &str = "Decision types";
pub(crate) const TYPES_HINT: &str = "One per line. If empty, the policy governs every decision.";
pub(crate) const GROUP: &str = "Group";
pub(crate) const NO_GROUP: &str = "No group";
pub(crate) const REFS: &str = "Laws and standards";
pub(crate) const REFS_HINT: &str = "One per line, for example \"Directive 2014/24/EU\".";
pub(crate) const SHADOW: &str = "Shadow mode: evaluate without affecting verdicts";
pub(crate) const INHERITABLE: &str = "Inheritable: it governs child tenants too";
pub(crate) const CREATE: &str = "Create and write the first rule";
pub(crate) const SAVE: &str = "Save changes";

pub(crate) const FIELDS: [(&str, &str); 6] = [
    ("code", CODE),
    ("name", NAME),
    ("description", DESCRIPTION),
    ("decision_types", TYPES),
    ("policy_group_id", GROUP),
    ("regulatory_refs", REFS),
];

pub(crate) fn title(policy: &str) -> String {
    format!("Edit {}", isolated(policy))
}
