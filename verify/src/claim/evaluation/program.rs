//! Compilation of the rules of a snapshot.

use contract::{json::Value, rule::Rule};
use engine::{PolicyRules, Program};
use receipt::{
    object_reader::SignedObjectReader,
    statement::{SnapshotPolicy, read_snapshot},
};

use crate::{code::Code, context::VerificationContext};

/// The maximum memory of the compiled patterns of a bundle in bytes. A pattern of a thousand characters can use
/// megabytes, so that a small hostile bundle could otherwise use all memory. The patterns that a version can have use
/// less than a tenth.
pub(super) const PATTERN_BYTES_MAX: usize = 256 << 20;

/// The policies of a snapshot with their compiled program.
#[derive(Debug)]
pub(super) struct CompiledPolicies {
    pub(super) policies: Vec<SnapshotPolicy>,
    pub(super) program: Program,
}

/// Compiles the snapshot `name`. An unknown rule indicates a later evaluator version.
/// Its patterns may use `pattern_bytes_max`.
pub(super) fn compile(
    cx: &VerificationContext<'_>,
    name: &str,
    pattern_bytes_max: usize,
) -> Result<CompiledPolicies, Code> {
    let snapshot = cx.bundle.json(name).map_err(|_| Code::NotEvaluated)?;
    let policies = read_snapshot(&snapshot).map_err(|_| Code::NotEvaluated)?;
    let rules: Option<Vec<Vec<Rule>>> = policies.iter().map(active_rules).collect();
    let rules = rules.ok_or(Code::EvaluatorVersionUnsupported)?;
    let pairs = policies.iter().zip(&rules);
    let rules: Vec<_> = pairs
        .map(|(policy, rules)| PolicyRules {
            policy_id: policy.policy_id,
            shadow_mode: policy.shadow_mode,
            rules,
        })
        .collect();
    let program = Program::compile_within(&rules, pattern_bytes_max).map_err(|error| {
        if error.is_too_large() { Code::NotEvaluated } else { Code::EvaluatorVersionUnsupported }
    })?;
    Ok(CompiledPolicies { policies, program })
}

/// Returns the active rules of a policy, reduced to the members that affect a decision.
fn active_rules(policy: &SnapshotPolicy) -> Option<Vec<Rule>> {
    let is_active = |rule: &&Value| rule.get("is_active") != Some(&Value::Bool(false));
    policy.rules.iter().filter(is_active).map(to_rule).collect()
}

fn to_rule(value: &Value) -> Option<Rule> {
    let fields = SignedObjectReader::new(value, "rules").ok()?;
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
