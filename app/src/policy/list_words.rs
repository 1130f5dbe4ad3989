//! Texts of `/t/{tenant}/policies`.

pub(crate) const TITLE: &str = "Policies";
pub(crate) const EVERY_TYPE: &str = "Every type";
pub(crate) const NOT_ACTIVE: &str = "None";
pub(crate) use kit::text::verdict::{ENFORCING, SHADOW};

/// Texts of the list, which only the server renders.
#[cfg(feature = "ssr")]
pub(crate) mod list {
    use crate::text::number::{count, counted};

    pub(crate) const INTRO: &str =
        "Each version is written, reviewed, ratified by a second person and then activated.";
    pub(crate) const HEAD: [&str; 7] =
        ["Policy", "Active version", "Open draft", "Mode", "30 days", "DENY", "Last change"];
    pub(crate) const SEARCH: &str = "Name or code";
    pub(crate) const TYPE: &str = "Decision type";
    pub(crate) const STATE: &str = "State";
    pub(crate) const MODE: &str = "Mode";
    pub(crate) const GROUP: &str = "Group";
    pub(crate) const FILTERS: &str = "Active filters";
    pub(crate) const APPLY: &str = "Apply";
    pub(crate) const STATES: [(&str, &str); 3] = [
        ("active", "Active"),
        (crate::text::url::SHADOW, "Active in shadow mode"),
        ("inactive", "No active version"),
    ];
    pub(crate) const MODES: [(&str, &str); 2] =
        [("enforcing", super::ENFORCING), (crate::text::url::SHADOW, super::SHADOW)];
    pub(crate) const NO_DECISIONS: &str = "None";
    pub(crate) const NO_DRAFT: &str = "None";
    pub(crate) const EMPTY: &str = "No policies yet";
    pub(crate) const EMPTY_NEXT: &str = "Create a policy to define decision rules.";
    pub(crate) const SAMPLES: &str = "Start from a sample";
    pub(crate) const SAMPLES_HELP: &str =
        "A sample becomes a draft that you can change. It is not legal advice.";

    /// Returns, for example, "8 policies, 7 active, 3 with an open draft, 2 waiting".
    pub(crate) fn totals([policies, active, open, waiting]: [u64; 4]) -> String {
        let policies = count(usize::try_from(policies).unwrap_or(usize::MAX), "policy", "policies");
        let [active, open, waiting] = [active, open, waiting].map(counted);
        format!("{policies}, {active} active, {open} with an open draft, {waiting} waiting")
    }

    pub(crate) fn clear(filter: &str) -> String {
        format!("Clear filter: {filter}")
    }

    pub(crate) fn use_sample(name: &str) -> String {
        format!("Create from {}", contract::text::isolated(name))
    }
}
