//! Compiles the rules of a snapshot.

use contract::{
    json::Value,
    rule::{Rule, RuleType},
};
use engine::{PolicyRules, Program};
use receipt::{
    fields::Fields,
    statement::{SnapshotPolicy, read_snapshot},
};

use crate::{code::Code, judge::World};

/// How many patterns a snapshot may have: each may take megabytes when compiled.
const PATTERNS_MAX: usize = 4_096;

/// The policies of a snapshot, ready to be evaluated.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) policies: Vec<SnapshotPolicy>,
    pub(super) program: Program,
}

/// Compiles the snapshot `name`. A rule that is not known here belongs to a later evaluator.
pub(super) fn compile(world: &World<'_>, name: &str) -> Result<Compiled, Code> {
    let snapshot = world.bundle.json(name).map_err(|_| Code::NotEvaluated)?;
    let policies = read_snapshot(&snapshot).map_err(|_| Code::NotEvaluated)?;
    let rules: Option<Vec<Vec<Rule>>> = policies.iter().map(active).collect();
    let rules = rules.ok_or(Code::EvaluatorVersionUnsupported)?;
    let is_pattern = |rule: &&Rule| rule.rule_type == RuleType::Pattern;
    if rules.iter().flatten().filter(is_pattern).count() > PATTERNS_MAX {
        return Err(Code::NotEvaluated);
    }
    let pairs = policies.iter().zip(&rules);
    let rules: Vec<_> = pairs
        .map(|(policy, rules)| PolicyRules {
            policy_id: policy.policy_id,
            shadow_mode: policy.shadow_mode,
            rules,
        })
        .collect();
    let program = Program::compile(&rules).map_err(|_| Code::EvaluatorVersionUnsupported)?;
    Ok(Compiled { policies, program })
}

/// The active rules of a policy, as far as they decide.
fn active(policy: &SnapshotPolicy) -> Option<Vec<Rule>> {
    let active = |rule: &&Value| rule.get("is_active") != Some(&Value::Bool(false));
    policy.rules.iter().filter(active).map(rule).collect()
}

fn rule(value: &Value) -> Option<Rule> {
    let fields = Fields::of(value, "rules").ok()?;
    Some(Rule {
        code: fields.text("code").ok()?.to_owned(),
        name: None,
        rule_type: fields.text("rule_type").ok()?.parse().ok()?,
        condition: fields.value("condition").ok()?.clone(),
        severity: fields.text("severity").ok()?.parse().ok()?,
        description: None,
        is_active: None,
        when: fields.get("when").cloned(),
        source_ref: None,
        replaces_rule_code: None,
    })
}
