//! Texts of `/t/{tenant}/policies`.

pub(crate) const TITLE: &str = "Policies";
pub(crate) const HEAD: [&str; 6] =
    ["Policy", "Decision types", "Active", "Draft", "Mode", "Changed (UTC)"];
pub(crate) const SEARCH: &str = "Name or code";
pub(crate) const TYPE: &str = "Decision type";
pub(crate) const STATE: &str = "State";
pub(crate) const STATES: [(&str, &str); 4] = [
    ("", "Any"),
    ("active", "Active"),
    (crate::text::url::SHADOW, "Active in shadow mode"),
    ("inactive", "Not active"),
];
pub(crate) const EVERY_TYPE: &str = "Every type";
pub(crate) const NOT_ACTIVE: &str = "None";
pub(crate) const SHADOW: &str = "Shadow";
pub(crate) const ENFORCING: &str = "Enforcing";
pub(crate) const EMPTY: &str = "No policies yet.";
pub(crate) const EMPTY_NEXT: &str = "Create a policy to define decision rules.";
