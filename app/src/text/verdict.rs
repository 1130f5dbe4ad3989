//! Names and meanings of verdicts, severities and statuses.

use contract::{evaluation::Verdict, policy::VersionStatus, rule::Severity};

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

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Low",
        Severity::Medium => "Medium",
        Severity::High => "High",
        Severity::Critical => "Critical",
    }
}

pub fn status(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "Draft",
        VersionStatus::Submitted => "Submitted",
        VersionStatus::Ratified => "Ratified",
        VersionStatus::Replaced => "Replaced",
        VersionStatus::SetAside => "Set aside",
    }
}

pub fn status_meaning(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "In progress. Not submitted yet.",
        VersionStatus::Submitted => "Waiting for ratification. Its rules can no longer change.",
        VersionStatus::Ratified => "Ratified. Takes effect when activated.",
        VersionStatus::Replaced => "Superseded by another draft. It stays in the history.",
        VersionStatus::SetAside => "Closed without being used. It stays in the history.",
    }
}
