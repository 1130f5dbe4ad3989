//! Derives the verdict from violations, with and without shadow mode.

use contract::{
    evaluation::{Verdict, Violation},
    rule::Severity,
};

/// The highest severities so far, for enforced policies and for policies in shadow mode.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VerdictBuilder {
    enforced: Option<Severity>,
    shadow: Option<Severity>,
}

impl VerdictBuilder {
    pub(crate) fn add(&mut self, severity: Severity, is_shadow: bool) {
        let max_severity = if is_shadow { &mut self.shadow } else { &mut self.enforced };
        *max_severity = (*max_severity).max(Some(severity));
    }

    /// Returns the verdict. A policy in shadow mode contributes at most `ALERT`.
    pub(crate) fn decision(self) -> Verdict {
        verdict_for(self.enforced).max(verdict_for(self.shadow).min(Verdict::Alert))
    }

    /// Returns the verdict without shadow mode.
    pub(crate) fn original(self) -> Verdict {
        verdict_for(self.enforced.max(self.shadow))
    }
}

/// Returns the verdict of these violations alone. For the violations of one policy, a comparison with the
/// verdict of the decision shows whether that policy determined it.
pub fn verdict_of<'v>(violations: impl IntoIterator<Item = &'v Violation>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for violation in violations {
        builder.add(violation.severity, violation.is_shadow);
    }
    builder.decision()
}

fn verdict_for(max_severity: Option<Severity>) -> Verdict {
    match max_severity {
        Some(Severity::High | Severity::Critical) => Verdict::Deny,
        Some(Severity::Medium) => Verdict::Review,
        Some(Severity::Low) | None => Verdict::Allow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(violations: &[(Severity, bool)]) -> (Verdict, Verdict) {
        let mut builder = VerdictBuilder::default();
        for (severity, is_shadow) in violations {
            builder.add(*severity, *is_shadow);
        }
        (builder.decision(), builder.original())
    }

    #[test]
    fn verdict_follows_from_the_highest_severity() {
        use Severity::{Critical, High, Low, Medium};
        assert_eq!(verdicts(&[]).0, Verdict::Allow);
        assert_eq!(verdicts(&[(Low, false)]).0, Verdict::Allow);
        assert_eq!(verdicts(&[(Low, false), (Medium, false)]).0, Verdict::Review);
        assert_eq!(verdicts(&[(High, false), (Medium, false)]).0, Verdict::Deny);
        assert_eq!(verdicts(&[(Critical, false)]).0, Verdict::Deny);
    }

    #[test]
    fn shadow_mode_contributes_at_most_an_alert() {
        use Severity::{High, Low, Medium};
        assert_eq!(verdicts(&[(High, true)]), (Verdict::Alert, Verdict::Deny));
        assert_eq!(verdicts(&[(Medium, true)]), (Verdict::Alert, Verdict::Review));
        assert_eq!(verdicts(&[(Low, true)]), (Verdict::Allow, Verdict::Allow));
        assert_eq!(verdicts(&[(High, true), (Medium, false)]), (Verdict::Review, Verdict::Deny));
        assert_eq!(verdicts(&[(High, true), (High, false)]), (Verdict::Deny, Verdict::Deny));
    }
}
