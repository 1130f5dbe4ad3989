//! The naive reference evaluator, written directly from the contract, sections 3 and 9.
//!
//! It traverses the JSON of the rules without slots or an index and shares no code with the engine.

mod check;
mod dates;
mod gate;

use contract::{
    evaluation::{NaRule, RuleResult, RuleStatus, Verdict, Violation},
    json::Value,
    rule::{Rule, Severity},
};
use engine::{Input, PolicyRules};

use self::{check::Check, gate::check_gate};
use crate::fixtures::FullEvaluation;

/// Evaluates a snapshot against an input according to the contract.
pub(crate) fn evaluate(policies: &[PolicyRules<'_>], input: &Input<'_>) -> FullEvaluation {
    let mut result = FullEvaluation {
        decision: Verdict::Allow,
        violations: Vec::new(),
        rules_evaluated: 0,
        rules_na: 0,
        is_shadow: !policies.is_empty() && policies.iter().all(|policy| policy.shadow_mode),
        shadow_converted: false,
        original_decision: None,
        as_of_consulted: false,
        na_rules: Vec::new(),
        rules: Vec::new(),
    };
    let mut strictest = Verdict::Allow;
    for policy in policies {
        let first = result.violations.len();
        for rule in policy.rules.iter().filter(|rule| rule.is_active != Some(false)) {
            let status = evaluate_rule(policy, rule, input, &mut result);
            let (rule_code, policy_id) = (rule.code.clone(), policy.policy_id);
            result.rules.push(RuleResult { rule_code, policy_id, outcome: status });
        }
        let verdict = verdict(&result.violations[first..]);
        strictest = strictest.max(verdict);
        let contribution = match (policy.shadow_mode, verdict) {
            (true, Verdict::Deny | Verdict::Review) => Verdict::Alert,
            _ => verdict,
        };
        result.decision = result.decision.max(contribution);
    }
    if result.decision < strictest {
        result.shadow_converted = true;
        result.original_decision = Some(strictest);
    }
    result
}

fn verdict(violations: &[Violation]) -> Verdict {
    let any = |severities: &[Severity]| violations.iter().any(|v| severities.contains(&v.severity));
    if any(&[Severity::Critical, Severity::High]) {
        Verdict::Deny
    } else if any(&[Severity::Medium]) {
        Verdict::Review
    } else {
        Verdict::Allow
    }
}

fn evaluate_rule(
    policy: &PolicyRules<'_>,
    rule: &Rule,
    input: &Input<'_>,
    result: &mut FullEvaluation,
) -> RuleStatus {
    if let Some(when) = &rule.when
        && let Err(reason) = check_gate(when, input.fields)
    {
        result.rules_na += 1;
        result.na_rules.push(NaRule {
            rule_code: rule.code.as_str().into(),
            policy_id: policy.policy_id,
            when: when.clone().into(),
            reason: reason.into(),
        });
        return RuleStatus::NotApplicable;
    }
    result.rules_evaluated += 1;
    let check = Check::run(rule, input);
    result.as_of_consulted |= check.as_of;
    let status = if check.failures.is_empty() { RuleStatus::Pass } else { RuleStatus::Violation };
    result.violations.extend(check.failures.into_iter().map(|failure| Violation {
        rule_code: rule.code.clone(),
        severity: rule.severity,
        reason: failure.reason,
        reason_code: failure.code,
        field: failure.field,
        actual_value: failure.actual,
        expected_value: Some(Value::String(failure.expected)),
        details: failure.details,
        policy_id: policy.policy_id,
        is_shadow: policy.shadow_mode,
    }));
    status
}
