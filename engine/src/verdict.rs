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

/// Returns the worst of these violations: the one that alone demands the strictest verdict, then the one with
/// the highest severity, then the first. Violations of an evaluation are in the order of the rules.
pub fn worst_violation<'v>(
    violations: impl IntoIterator<Item = &'v Violation>,
) -> Option<&'v Violation> {
    let rank = |violation: &'v Violation| (verdict_of([violation]), violation.severity);
    let worse = |worst, other| if rank(other) > rank(worst) { other } else { worst };
    violations.into_iter().reduce(worse)
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
    use contract::evaluation::ReasonCode;

    use super::*;

    fn violation(code: &str, severity: Severity, is_shadow: bool) -> Violation {
        Violation {
            rule_code: code.to_owned(),
            severity,
            reason: "amount is missing".to_owned(),
            reason_code: ReasonCode::FieldMissing,
            field: None,
            actual_value: None,
            expected_value: None,
            details: None,
            policy_id: "a0000000-0000-4000-8000-000000000001".parse().unwrap(),
            is_shadow,
        }
    }

    fn worst(violations: &[(&str, Severity, bool)]) -> Option<String> {
        let violation = |(code, severity, is_shadow): &(&str, Severity, bool)| {
            self::violation(code, *severity, *is_shadow)
        };
        let violations: Vec<_> = violations.iter().map(violation).collect();
        worst_violation(&violations).map(|worst| worst.rule_code.clone())
    }

    #[test]
    fn the_worst_violation_has_the_strictest_verdict_then_the_highest_severity_then_comes_first() {
        use Severity::{Critical, High, Low, Medium};
        assert_eq!(worst(&[]), None);
        let code = |violations: &[(&str, Severity, bool)]| worst(violations).unwrap();
        assert_eq!(code(&[("A", Medium, false), ("B", High, false)]), "B");
        assert_eq!(
            code(&[("A", High, false), ("B", Critical, false), ("C", Critical, false)]),
            "B"
        );
        assert_eq!(code(&[("A", Critical, true), ("B", Medium, false)]), "B", "ALERT < REVIEW");
        assert_eq!(code(&[("A", Low, false), ("B", Medium, true)]), "B", "ALLOW < ALERT");
    }
}
