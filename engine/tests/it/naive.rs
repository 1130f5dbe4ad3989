//! The reference evaluator: the contract, sections 3 and 9, read aloud. It walks the JSON of the
//! rules, knows no slots and no index, and shares no code with the engine. Slow and plain.

mod check;
mod dates;
mod gate;

use contract::{
    evaluation::{NaRule, Outcome, RuleOutcome, Verdict, Violation},
    json::Value,
    rule::{Rule, Severity},
};
use engine::{Input, PolicyRules};

use self::{check::Check, gate::refusal};
use crate::given::Said;

/// What the contract says of a snapshot and an input.
pub(crate) fn evaluate(policies: &[PolicyRules<'_>], input: &Input<'_>) -> Said {
    let mut said = Said {
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
        let first = said.violations.len();
        for rule in policy.rules.iter().filter(|rule| rule.is_active != Some(false)) {
            let outcome = one_rule(policy, rule, input, &mut said);
            let (rule_code, policy_id) = (rule.code.clone(), policy.policy_id);
            said.rules.push(RuleOutcome { rule_code, policy_id, outcome });
        }
        let verdict = verdict(&said.violations[first..]);
        strictest = strictest.max(verdict);
        let contributed = match (policy.shadow_mode, verdict) {
            (true, Verdict::Deny | Verdict::Review) => Verdict::Alert,
            _ => verdict,
        };
        said.decision = said.decision.max(contributed);
    }
    if said.decision < strictest {
        said.shadow_converted = true;
        said.original_decision = Some(strictest);
    }
    said
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

fn one_rule(policy: &PolicyRules<'_>, rule: &Rule, input: &Input<'_>, said: &mut Said) -> Outcome {
    if let Some(when) = &rule.when
        && let Err(reason) = refusal(when, input.fields)
    {
        said.rules_na += 1;
        said.na_rules.push(NaRule {
            rule_code: rule.code.as_str().into(),
            policy_id: policy.policy_id,
            when: when.clone().into(),
            reason: reason.into(),
        });
        return Outcome::NotApplicable;
    }
    said.rules_evaluated += 1;
    let check = Check::run(rule, input);
    said.as_of_consulted |= check.as_of;
    let outcome = if check.found.is_empty() { Outcome::Pass } else { Outcome::Violation };
    said.violations.extend(check.found.into_iter().map(|found| Violation {
        rule_code: rule.code.clone(),
        severity: rule.severity,
        reason: found.reason,
        reason_code: found.code,
        field: found.field,
        actual_value: found.actual,
        expected_value: Some(Value::String(found.expected)),
        details: found.details,
        policy_id: policy.policy_id,
        is_shadow: policy.shadow_mode,
    }));
    outcome
}
