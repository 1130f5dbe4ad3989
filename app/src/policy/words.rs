//! Texts of `/t/{tenant}/policies/{policy}`.

use contract::text::isolated;

pub(crate) const COMPARE: &str = "Compare";
pub(crate) const ACTIVE: &str = "Active version";
pub(crate) const SINCE: &str = "since";
pub(crate) const NO_ACTIVE: &str = "No active version. Decisions do not use this policy.";
pub(crate) const GOVERNS: &str = "Governs";
pub(crate) const DEACTIVATE: &str = "Deactivate";
pub(crate) const DEACTIVATE_HELP: &str = "This policy stops affecting decisions immediately. Decisions of a type that no other policy governs are rejected. A ratified version can be activated again.";
pub(crate) const BACK: &str = "Back to the policy";
pub(crate) const ANALYTICS: &str = "Analytics";

pub(crate) fn analytics(name: &str) -> String {
    format!("{ANALYTICS} of {}", isolated(name))
}

pub(crate) fn deactivate(name: &str) -> String {
    format!("{DEACTIVATE} {}", isolated(name))
}

pub(crate) fn deactivate_version(version: u32) -> String {
    format!("{DEACTIVATE} v{version}")
}

/// Texts of the page of a policy, which only the server renders.
#[cfg(feature = "ssr")]
pub(crate) mod page {
    pub(crate) const OPEN_DRAFT: &str = "Open draft";
    pub(crate) const NO_DRAFT: &str = "No draft is open.";
    pub(crate) const DRAFT_DELETED: &str = "Draft deleted.";
    pub(crate) const ABOUT: &str = "About";
    pub(crate) const REGULATORY_REFS: &str = "Regulatory references";
    pub(crate) const CREATED: &str = "Created";
    pub(crate) const NO_VERSIONS: &str = "No versions yet.";
    pub(crate) const OVERVIEW: &str = "Overview";
    pub(crate) const RULES: &str = "Rules";
    pub(crate) const VERSIONS: &str = "Versions";
    pub(crate) const DECISIONS: &str = "Decisions";
    pub(crate) const TABS: &str = "Parts of the policy";
    pub(crate) const GROUP: &str = "Group";
    pub(crate) const DRAFTED: &str = "Drafted";
    pub(crate) const SUBMITTED: &str = "Submitted";
    pub(crate) const REVIEW: &str = "Review";
    pub(crate) const SUBMISSION: &str = "Submission";
    pub(crate) const RATIFIED: &str = "Ratified";
    pub(crate) const RATIFICATION: &str = "Ratification";
    pub(crate) const ACTIVE: &str = "Active";
    pub(crate) const ACTIVATION: &str = "Activation";
    pub(crate) const NOT_YET: &str = "Not yet";
    pub(crate) const RECENT: &str = "Last 30 days";
    pub(crate) const RULES_HEAD: [&str; 3] = ["Rule", "Severity", "Violated"];
    pub(crate) const VIOLATED_HELP: &str = "Violated: decisions of the last 30 days (UTC) that violate a rule with this code, in any version and also in shadow mode.";
    pub(crate) const NEVER_APPLIED: &str = "Never applied";
    pub(crate) const NOT_CONSIDERED: &str = "No decisions";
    pub(crate) const DIGEST: &str = "Rules digest";
    pub(crate) const WAITS_SINCE: &str = "Since";
    pub(crate) const TRY: &str = "Try a decision";

    /// Returns the label of the main button for a version that is open.
    pub(crate) fn open(version: u32) -> String {
        format!("Open v{version}")
    }

    pub(crate) fn version(version: u32) -> String {
        format!("Version {version}")
    }

    /// Returns the number of a repeated submission.
    pub(crate) fn submission(number: usize) -> String {
        format!("Submission {number}")
    }

    pub(crate) fn replaces(active: u32) -> String {
        format!("Replaces v{active}")
    }

    /// Returns the name of the link to the decisions that violate a rule.
    pub(crate) fn violations_of(rule: &str, violated: i64) -> String {
        let violated = usize::try_from(violated).unwrap_or_default();
        let violated = crate::text::number::count(violated, "violation", "violations");
        format!("{violated} of {}", contract::text::isolated(rule))
    }

    pub(crate) fn more_rules(count: usize) -> String {
        format!("Show {}", crate::text::number::count(count, "more rule", "more rules"))
    }
}
