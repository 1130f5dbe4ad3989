//! `zen-expression`: one compiled expression for each rule.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};
use zen_expression::{Expression, Isolate, Variable, expression::Standard};

use super::CompetingEngine;
use crate::sample::{Check, Sample, code};

/// An isolate with one expression for each rule, which is true if the rule is violated.
#[derive(Debug)]
pub(crate) struct Zen {
    isolate: Isolate,
    rules: Vec<(String, Expression<Standard>)>,
}

impl Zen {
    pub(crate) fn new(sample: Sample, rules: usize) -> Result<Self> {
        let mut isolate = Isolate::new();
        let compiled = (0..rules).map(|n| {
            let source = violation_expression(&sample.check(n));
            Ok((code(n), isolate.compile_standard(&source)?))
        });
        let rules = compiled.collect::<Result<_>>()?;
        Ok(Self { isolate, rules })
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
