//! Texts of `/t/{tenant}/policies/{policy}`.

pub(crate) const ACTIVE: &str = "Active version";
pub(crate) const SINCE: &str = "since";
pub(crate) const NO_ACTIVE: &str = "No active version. Decisions do not use this policy.";
pub(crate) const OPEN_DRAFT: &str = "Open draft";
pub(crate) const NO_DRAFT: &str = "No draft is open.";
pub(crate) const ABOUT: &str = "About";
pub(crate) const GOVERNS: &str = "Governs";
pub(crate) const REGULATORY_REFS: &str = "Regulatory references";
pub(crate) const CREATED: &str = "Created";
pub(crate) const VERSIONS: &str = "Versions";
pub(crate) const NO_VERSIONS: &str = "No versions yet.";
pub(crate) const DEACTIVATE: &str = "Deactivate";
pub(crate) const DEACTIVATE_HELP: &str = "This policy stops affecting decisions immediately. Decisions of a type that no other policy governs are rejected. A ratified version can be activated again.";
pub(crate) const BACK: &str = "Back to the policy";
pub(crate) const ANALYTICS: &str = "Analytics";

pub(crate) fn analytics(name: &str) -> String {
    format!("{ANALYTICS} of {name}")
}

pub(crate) fn deactivate(name: &str) -> String {
    format!("{DEACTIVATE} {name}")
}

pub(crate) fn deactivate_version(version: u32) -> String {
    format!("{DEACTIVATE} v{version}")
}
