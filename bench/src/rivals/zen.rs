//! The expressions of `zen`: one compiled expression for each rule.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};
use zen_expression::{Expression, Isolate, Variable, expression::Standard};

use super::Rival;
use crate::sample::{Check, Sample, code};

/// Expressions that are true where a rule is violated.
#[derive(Debug)]
pub(crate) struct Zen {
    isolate: Isolate,
    rules: Vec<(String, Expression<Standard>)>,
}

impl Zen {
    pub(crate) fn new(sample: Sample, rules: usize) -> Result<Self> {
        let mut isolate = Isolate::new();
        let compiled = (0..rules).map(|n| {
            let source = violated(&sample.check(n));
            Ok((code(n), isolate.compile_standard(&source)?))
        });
        let rules = compiled.collect::<Result<_>>()?;
        Ok(Self { isolate, rules })
    }
}

fn violated(check: &Check) -> String {
    match check {
        Check::AtMost { field, max } => format!("{field} > {max}"),
        Check::NoneOf { field, forbidden: [a, b, c] } => {
            format!("{field} in [\"{a}\", \"{b}\", \"{c}\", \"\"]")
        }
        Check::Filled { field } => format!("{field} == \"\""),
        Check::NotAbove { left, right } => format!("{left} > {right}"),
    }
}

impl Rival for Zen {
    fn name(&self) -> &'static str {
        "zen-expression"
    }

    fn read(&mut self, fields: &Map<String, Value>) -> Result<()> {
        self.isolate.set_environment(Variable::from(Value::Object(fields.clone())));
        Ok(())
    }

    fn violated(&mut self) -> Result<Vec<String>> {
        let mut violated = Vec::new();
        for (code, rule) in &self.rules {
            let is_violated = self.isolate.run_compiled(rule.bytecode())?;
            if is_violated.as_bool().context("a rule is true or false")? {
                violated.push(code.clone());
            }
        }
        Ok(violated)
    }
}
