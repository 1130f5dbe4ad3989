//! What verdicts, severities and states mean, in a sentence each.

use contract::{evaluation::Verdict, policy::VersionStatus, rule::Severity};

/// What a verdict asks of its reader.
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "Go ahead. Low violations, if any, are listed and change nothing.",
        Verdict::Alert => "Go ahead. A policy in shadow mode would have said more.",
        Verdict::Review => "A person must look first: there is a medium violation.",
        Verdict::Deny => "Do not go ahead: there is a high or critical violation.",
    }
}

/// What a violation of this severity does to the verdict.
pub fn weight(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Listed; changes nothing.",
        Severity::Medium => "Asks for a review.",
        Severity::High | Severity::Critical => "Denies.",
    }
}

/// The word on the screen.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Low",
        Severity::Medium => "Medium",
        Severity::High => "High",
        Severity::Critical => "Critical",
    }
}

/// The word on the screen for where a version stands.
pub fn status(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "Draft",
        VersionStatus::Submitted => "Submitted",
        VersionStatus::Ratified => "Ratified",
        VersionStatus::Replaced => "Replaced",
        VersionStatus::SetAside => "Set aside",
    }
}

/// What that state means.
pub fn status_meaning(status: VersionStatus) -> &'static str {
    match status {
        VersionStatus::Draft => "Being written. Nothing rests on it yet.",
        VersionStatus::Submitted => "Waiting for ratification. Its rules can no longer change.",
        VersionStatus::Ratified => "Approved by a person. It decides once it is active.",
        VersionStatus::Replaced => "Superseded by another draft. Kept as history, unchanged.",
        VersionStatus::SetAside => "Closed without being used. Kept as history, unchanged.",
    }
}
