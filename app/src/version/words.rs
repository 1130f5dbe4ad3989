//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}`.

use contract::{policy::VersionStatus, text::isolated};

use crate::text::number::count;

pub(crate) const INACTIVE: &str = "Inactive";
pub(crate) const SOURCE: &str = "Source:";
pub(crate) const RULES: &str = "Rules";
pub(crate) const DIGEST: &str = "Rules digest";
pub(crate) const DIGEST_HELP: &str = "Fingerprint of the exact rules. Signatures cover it.";
pub(crate) const LIFECYCLE: &str = "Lifecycle";
pub(crate) const APPROVAL: &str = "Approval";
pub(crate) const APPROVAL_HELP: &str =
    "The signed record of the ratification. Receipts of decisions refer to it.";
pub(crate) const APPROVAL_DIGEST: &str = "Approval digest";
pub(crate) const RATIFIED: &str = "Ratified";
pub(crate) const NOT_SIGNED: &str = "Not signed";
pub(crate) const LOG: &str = "Transparency log";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const NOT_ANCHORED: &str = "Anchor pending";
pub(crate) const REPLACED_BY: &str = "It was replaced by";
pub(crate) const CLOSED_REASON: &str = "Reason:";
pub(crate) const TIMELINE: &str = "Timeline";
pub(crate) const CANONICAL: &str = "Canonical rules";
pub(crate) const REJECTED: &str = "Rejected:";
pub(crate) const NEWER: &str = "The newest version is";

pub(crate) fn title(policy: &str, version: u32) -> String {
    format!("{} v{version}", isolated(policy))
}

pub(crate) fn bytes(length: u32) -> String {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    format!("Show the exact bytes ({})", count(length, "byte", "bytes"))
}

/// Returns the message for a completed action, or `None` if the version's status does not confirm it.
pub(crate) fn done(act: &str, status: VersionStatus, is_active: bool) -> Option<fn(u32) -> String> {
    let message: (bool, fn(u32) -> String) = match act {
        "send" => (status == VersionStatus::Submitted, |version| {
            format!("Version {version} submitted for review.")
        }),
        "accept" => (true, |version| format!("Your acceptance of version {version} is recorded.")),
        "return" => {
            (true, |version| format!("Your request for changes to version {version} is recorded."))
        }
        "set-aside" => (status == VersionStatus::SetAside, |version| {
            format!("Version {version} is set aside.")
        }),
        "recall" => (status == VersionStatus::Draft, |version| {
            format!("Version {version} is a draft again.")
        }),
        "reject" => {
            (status == VersionStatus::Draft, |version| format!("Version {version} rejected."))
        }
        "ratify" => (status == VersionStatus::Ratified, |version| {
            format!("Version {version} is ratified. It takes effect when it is activated.")
        }),
        "activate" => (is_active, |version| format!("Version {version} is now active.")),
        _ => return None,
    };
    message.0.then_some(message.1)
}
