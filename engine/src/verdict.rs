//! From violations to the verdict, with and without shadow mode.

use contract::{
    evaluation::{Verdict, Violation},
    rule::Severity,
};

/// The worst violations so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    enforced: Option<Severity>,
    shadow: Option<Severity>,
}

impl Tally {
    /// Counts a violation in.
    pub(crate) fn note(&mut self, severity: Severity, is_shadow: bool) {
        let worst = if is_shadow { &mut self.shadow } else { &mut self.enforced };
        *worst = (*worst).max(Some(severity));
    }

    /// The verdict: a policy in shadow mode contributes at most `ALERT`.
    pub(crate) fn decision(self) -> Verdict {
        demanded(self.enforced).max(demanded(self.shadow).min(Verdict::Alert))
    }

    /// The verdict if every policy were enforced.
    pub(crate) fn original(self) -> Verdict {
        demanded(self.enforced.max(self.shadow))
    }
}

/// The verdict that these violations demand by themselves: it tells which policy decided.
pub fn verdict_of<'v>(violations: impl IntoIterator<Item = &'v Violation>) -> Verdict {
    let mut tally = Tally::default();
    for violation in violations {
        tally.note(violation.severity, violation.is_shadow);
    }
    tally.decision()
}

fn demanded(worst: Option<Severity>) -> Verdict {
    match worst {
        Some(Severity::High | Severity::Critical) => Verdict::Deny,
        Some(Severity::Medium) => Verdict::Review,
        Some(Severity::Low) | None => Verdict::Allow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(violations: &[(Severity, bool)]) -> (Verdict, Verdict) {
        let mut tally = Tally::default();
        for (severity, is_shadow) in violations {
            tally.note(*severity, *is_shadow);
        }
        (tally.decision(), tally.original())
    }

    #[test]
    fn the_worst_violation_decides() {
        use Severity::{Critical, High, Low, Medium};
        assert_eq!(tally(&[]).0, Verdict::Allow);
        assert_eq!(tally(&[(Low, false)]).0, Verdict::Allow);
        assert_eq!(tally(&[(Low, false), (Medium, false)]).0, Verdict::Review);
        assert_eq!(tally(&[(High, false), (Medium, false)]).0, Verdict::Deny);
        assert_eq!(tally(&[(Critical, false)]).0, Verdict::Deny);
    }

    #[test]
    fn shadow_mode_alerts_at_most() {
        use Severity::{High, Low, Medium};
        assert_eq!(tally(&[(High, true)]), (Verdict::Alert, Verdict::Deny));
        assert_eq!(tally(&[(Medium, true)]), (Verdict::Alert, Verdict::Review));
        assert_eq!(tally(&[(Low, true)]), (Verdict::Allow, Verdict::Allow));
        assert_eq!(tally(&[(High, true), (Medium, false)]), (Verdict::Review, Verdict::Deny));
        assert_eq!(tally(&[(High, true), (High, false)]), (Verdict::Deny, Verdict::Deny));
    }
}
