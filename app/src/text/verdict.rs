//! Names and meanings of verdicts, severities and statuses.

use contract::{evaluation::Verdict, policy::VersionStatus, rule::Severity};

/// Returns the meaning of a verdict.
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "Go ahead. Low violations, if any, are listed and change nothing.",
        Verdict::Alert => "Go ahead. A policy in shadow mode would have said more.",
        Verdict::Review => "A person must look first: there is a medium violation.",
        Verdict::Deny => "Do not go ahead: there is a high or critical violation.",
    }
}

/// Returns the effect of a violation of this severity on the verdict.
pub fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Listed; changes nothing.",
        Severity::Medium => "Asks for a review.",
        Severity::High | Severity::Critical => "Denies.",
    }
}

/// Returns the display name of a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Low",
        Severity::Medium => "Medium",
        Severity::High => "High",
        Severity::Critical => "Critical",
    }
}

/// Returns the display name of a version status.
pub fn status(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "Draft",
        VersionStatus::Submitted => "Submitted",
        VersionStatus::Ratified => "Ratified",
        VersionStatus::Replaced => "Replaced",
        VersionStatus::SetAside => "Set aside",
    }
}

/// Returns the meaning of a version status.
pub fn status_meaning(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "Being written. Nothing rests on it yet.",
        VersionStatus::Submitted => "Waiting for ratification. Its rules can no longer change.",
        VersionStatus::Ratified => "Approved by a person. It decides once it is active.",
        VersionStatus::Replaced => "Superseded by another draft. Kept as history, unchanged.",
        VersionStatus::SetAside => "Closed without being used. Kept as history, unchanged.",
    }
}
