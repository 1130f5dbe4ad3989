//! Names and meanings of verdicts, severities and statuses.

use contract::{evaluation::Verdict, policy::VersionStage, rule::Severity, text::isolated};

/// The modes of a policy.
pub const SHADOW: &str = "Shadow";
pub const ENFORCING: &str = "Enforcing";

/// Returns the title of a decision.
pub fn title(verdict: Verdict, decision_type: &str) -> String {
    format!("{verdict} {}", isolated(decision_type))
}

pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "Allowed. Low-severity violations, if any, are only listed.",
        Verdict::Alert => "Allowed. A policy in shadow mode found violations.",
        Verdict::Review => "Needs human review: medium-severity violation.",
        Verdict::Deny => "Denied: high or critical violation.",
    }
}

/// Returns the effect of a violation of this severity on the verdict.
pub fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Only listed.",
        Severity::Medium => "Requires a review.",
        Severity::High | Severity::Critical => "Denies.",
    }
}

/// The values and the names of the severities, in filters and forms.
pub const SEVERITIES: [(&str, &str); 4] =
    [("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")];

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Low",
        Severity::Medium => "Medium",
        Severity::High => "High",
        Severity::Critical => "Critical",
    }
}

/// Returns the status of a version on all pages.
pub fn stage(stage: VersionStage) -> &'static str {
    match stage {
        VersionStage::Draft => "Draft",
        VersionStage::WaitingForReview => "Waiting for review",
        VersionStage::ChangesRequested => "Changes requested",
        VersionStage::WaitingForRatification => "Waiting for ratification",
        VersionStage::Ratified => "Ratified",
        VersionStage::Active => "Active",
        VersionStage::Inactive => "Inactive",
        VersionStage::Replaced => "Replaced",
        VersionStage::SetAside => "Set aside",
    }
}

pub fn stage_meaning(stage: VersionStage) -> &'static str {
    match stage {
        VersionStage::Draft => "In progress. Not submitted yet.",
        VersionStage::WaitingForReview => {
            "Submitted for review. A reviewer accepts it or requests changes."
        }
        VersionStage::ChangesRequested => {
            "A reviewer requested changes. The next submission must address them."
        }
        VersionStage::WaitingForRatification => "Submitted. A ratifier approves the rules.",
        VersionStage::Ratified => "Ratified. Takes effect when activated.",
        VersionStage::Active => "Active version.",
        VersionStage::Inactive => "Was active before. Decisions do not use its rules.",
        VersionStage::Replaced => "Superseded by another draft. It stays in the history.",
        VersionStage::SetAside => "Closed without being used. It stays in the history.",
    }
}
