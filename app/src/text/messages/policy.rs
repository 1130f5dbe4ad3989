//! Texts of `/t/{tenant}/policies/{policy}`.

pub(crate) const ACTIVE: &str = "Active version";
pub(crate) const SINCE: &str = "since";
pub(crate) const NO_ACTIVE: &str = "No active version. Decisions do not use this policy.";
pub(crate) const OPEN_DRAFT: &str = "Open draft";
pub(crate) const NO_DRAFT: &str = "No draft is open.";
pub(crate) const FACTS: &str = "About";
pub(crate) const GOVERNS: &str = "Governs";
pub(crate) const SERVES: &str = "Serves";
pub(crate) const MADE: &str = "Created";
pub(crate) const VERSIONS: &str = "Versions";
pub(crate) const NO_VERSIONS: &str = "No version has been written yet.";
pub(crate) const DEACTIVATE: &str = "Deactivate";
pub(crate) const DEACTIVATE_SAYS: &str = "No version of it decides any longer, from the very next decision on. A type of decision that no other policy governs is refused. A ratified version can be activated again.";
pub(crate) const BACK: &str = "Back to the policy";
pub(crate) const ANALYTICS: &str = "Analytics";

/// Returns, for example, "Analytics of Vendor payments".
pub(crate) fn analytics(name: &str) -> String {
    format!("{ANALYTICS} of {name}")
}

/// Returns, for example, "Deactivate Vendor payments".
pub(crate) fn deactivate(name: &str) -> String {
    format!("{DEACTIVATE} {name}")
}

/// Returns, for example, "Deactivate v18".
pub(crate) fn deactivate_version(version: u32) -> String {
    format!("{DEACTIVATE} v{version}")
}
