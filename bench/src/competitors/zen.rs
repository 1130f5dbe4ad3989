//! `zen-expression`: one compiled expression for each rule.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};
use zen_expression::{Expression, Isolate, Variable, expression::Standard};

use super::CompetingEngine;
use crate::sample::{Check, ComparableRule, Gate};

/// An isolate with one expression for each rule, which is true if the rule is violated.
#[derive(Debug)]
pub(crate) struct Zen {
    isolate: Isolate,
    rules: Vec<(String, Expression<Standard>)>,
}

impl Zen {
    pub(crate) fn new(rules: &[ComparableRule]) -> Result<Self> {
        let mut isolate = Isolate::new();
        let compiled = rules.iter().map(|rule| {
            let violated = violation_expression(&rule.check);
            let source = match &rule.gate {
                Some(gate) => format!("{} and {violated}", gate_expression(gate)),
                None => violated,
            };
            Ok((rule.code(), isolate.compile_standard(&source)?))
        });
        let rules = compiled.collect::<Result<_>>()?;
        Ok(Self { isolate, rules })
    }
}

fn gate_expression(gate: &Gate) -> String {
    match gate {
        Gate::Equals { field, text } => format!("{field} == \"{text}\""),
        Gate::EqualsIgnoringCase { field, text } => {
            format!("lower({field}) == \"{}\"", text.to_lowercase())
        }
        Gate::OneOf { field, texts: [a, b] } => format!("{field} in [\"{a}\", \"{b}\"]"),
        Gate::ExistsAndEquals { existing, field, text } => {
            format!("{existing} != null and {field} == \"{text}\"")
        }
    }
}

fn violation_expression(check: &Check) -> String {
    match check {
        Check::AtMost { field, max } => format!("{field} > {max}"),
        Check::NoneOf { field, forbidden: [a, b, c] } => {
            format!("{field} in [\"{a}\", \"{b}\", \"{c}\", \"\"]")
        }
        Check::Filled { field } => format!("{field} == \"\""),
        Check::NotAbove { left, right } => format!("{left} > {right}"),
    }
}

impl CompetingEngine for Zen {
    fn name(&self) -> &'static str {
        "zen-expression"
    }

    fn set_context(&mut self, fields: &Map<String, Value>) -> Result<()> {
        self.isolate.set_environment(Variable::from(Value::Object(fields.clone())));
        Ok(())
    }

    fn violated_rules(&mut self) -> Result<Vec<String>> {
        let mut violated = Vec::new();
        for (code, rule) in &self.rules {
            let is_violated = self.isolate.run_compiled(rule.bytecode())?;
            if is_violated.as_bool().context("the result of a rule must be a boolean")? {
                violated.push(code.clone());
            }
        }
        Ok(violated)
    }
}
