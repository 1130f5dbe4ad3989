//! Fixtures: builders of the engine's input.

use contract::{
    evaluation::{NaRule, RuleResult, Verdict, Violation},
    id::PolicyId,
    json::{Limits, Object, Value},
    rule::Rule,
    time::Timestamp,
};
use engine::{Evidence, Input, PolicyRules, Program, evaluate};
use serde_json::Value as Json;

/// Parses a JSON value as the service does.
pub(crate) fn value(json: &Json) -> Value {
    Value::parse(json.to_string().as_bytes(), &Limits::REQUEST).expect("a value within the limits")
}

/// Returns an object of fields.
pub(crate) fn fields(json: &Json) -> Object {
    value(json).as_object().expect("an object").clone()
}

/// Returns a rule without validating it.
pub(crate) fn rule(json: Json) -> Rule {
    serde_json::from_value(json).expect("the shape of a rule")
}

#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub(crate) id: PolicyId,
    pub(crate) shadow_mode: bool,
    pub(crate) rules: Vec<Rule>,
}

impl Policy {
    /// Creates a policy with an ID derived from `number`.
    pub(crate) fn new(number: u128, shadow_mode: bool, rules: Vec<Rule>) -> Self {
        let id = format!("a0000000-0000-4000-8000-{number:012x}").parse().expect("a UUID");
        Self { id, shadow_mode, rules }
    }
}

/// Returns the policies in the input form of the engine.
pub(crate) fn snapshot(policies: &[Policy]) -> Vec<PolicyRules<'_>> {
    policies
        .iter()
        .map(|policy| PolicyRules {
            policy_id: policy.id,
            shadow_mode: policy.shadow_mode,
            rules: &policy.rules,
        })
        .collect()
}

pub(crate) fn program(policies: &[Policy]) -> Program {
    Program::compile(&snapshot(policies)).expect("rules that compile")
}

/// An owned decision context.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) fields: Object,
    pub(crate) evidence: Vec<Item>,
    pub(crate) actor_id: Option<String>,
    pub(crate) as_of: Timestamp,
}

/// An owned item of evidence.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Option<String>,
    pub(crate) hash: Option<String>,
    pub(crate) data_digest: Option<String>,
}

impl Context {
    /// Creates a context with fields only, at 2026-09-01T10:00:00Z.
    pub(crate) fn new(fields: Object) -> Self {
        let as_of = "2026-09-01T10:00:00Z".parse().expect("a timestamp");
        Self { fields, evidence: Vec::new(), actor_id: None, as_of }
    }

    /// Calls `then` with the input form of the engine.
    pub(crate) fn input<T>(&self, then: impl FnOnce(&Input<'_>) -> T) -> T {
        let evidence: Vec<_> = self.evidence.iter().map(Item::as_evidence).collect();
        then(&Input {
            fields: &self.fields,
            evidence: &evidence,
            actor_id: self.actor_id.as_deref(),
            as_of: self.as_of,
        })
    }
}

impl Item {
    fn as_evidence(&self) -> Evidence<'_> {
        Evidence {
            kind: self.kind.as_deref(),
            hash: self.hash.as_deref(),
            data_digest: self.data_digest.as_deref(),
        }
    }
}

/// All results of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FullEvaluation {
    pub(crate) decision: Verdict,
    pub(crate) violations: Vec<Violation>,
    pub(crate) rules_evaluated: u32,
    pub(crate) rules_na: u32,
    pub(crate) is_shadow: bool,
    pub(crate) shadow_converted: bool,
    pub(crate) original_decision: Option<Verdict>,
    pub(crate) as_of_consulted: bool,
    pub(crate) na_rules: Vec<NaRule>,
    pub(crate) rules: Vec<RuleResult>,
}

/// Evaluates a context with the engine.
pub(crate) fn run(program: &Program, context: &Context) -> FullEvaluation {
    context.input(|input| {
        let evaluation = evaluate(program, input).expect("a result within the limit");
        FullEvaluation {
            na_rules: evaluation.na_rules(input).expect("reasons within the limit"),
            rules: evaluation.rules(),
            decision: evaluation.decision,
            violations: evaluation.violations,
            rules_evaluated: evaluation.rules_evaluated,
            rules_na: evaluation.rules_na,
            is_shadow: evaluation.is_shadow,
            shadow_converted: evaluation.shadow_converted,
            original_decision: evaluation.original_decision,
            as_of_consulted: evaluation.as_of_consulted,
        }
    })
}
