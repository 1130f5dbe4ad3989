//! `regorus`: Rego rules that add their code to a set, compiled for the virtual machine of the crate.

use std::fmt::{self, Write as _};

use anyhow::Result;
use regorus::{Engine, Value, languages::rego::compiler::Compiler, rvm::RegoVM};
use serde_json::Map;

use super::CompetingEngine;
use crate::sample::{Check, ComparableRule, Gate};

/// The number of rules of a program. A program has at most 65,535 instructions, which are too few
/// for 10,000 rules.
const PROGRAM_RULES: usize = 1_000;

/// The rule that an evaluation returns.
const ENTRY_POINT: &str = "data.bench.violations";

/// Virtual machines with loaded programs.
pub(crate) struct Regorus {
    machines: Vec<RegoVM>,
}

impl fmt::Debug for Regorus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Regorus").finish_non_exhaustive()
    }
}

impl Regorus {
    pub(crate) fn new(rules: &[ComparableRule]) -> Result<Self> {
        Ok(Self { machines: rules.chunks(PROGRAM_RULES).map(machine).collect::<Result<_>>()? })
    }
}

fn machine(rules: &[ComparableRule]) -> Result<RegoVM> {
    let mut source = "package bench\n".to_owned();
    for rule in rules {
        let gate = rule.gate.as_ref().map(|gate| gate_expression(gate) + "; ").unwrap_or_default();
        let (code, violated) = (rule.code(), violation_expression(&rule.check));
        writeln!(source, "violations contains \"{code}\" if {{ {gate}{violated} }}")?;
    }
    let mut engine = Engine::new();
    engine.add_policy("bench.rego".to_owned(), source)?;
    let policy = engine.compile_with_entrypoint(&ENTRY_POINT.into())?;
    let mut machine = RegoVM::new();
    machine.load_program(Compiler::compile_from_policy(&policy, &[ENTRY_POINT])?);
    machine.set_max_instructions(usize::MAX); // the default is too small for 10,000 rules
    Ok(machine)
}

fn gate_expression(gate: &Gate) -> String {
    match gate {
        Gate::Equals { field, text } => format!("input.{field} == \"{text}\""),
        Gate::EqualsIgnoringCase { field, text } => {
            format!("lower(input.{field}) == \"{}\"", text.to_lowercase())
        }
        Gate::OneOf { field, texts: [a, b] } => format!("input.{field} in {{\"{a}\", \"{b}\"}}"),
        Gate::ExistsAndEquals { existing, field, text } => {
            format!("input.{existing} != null; input.{field} == \"{text}\"")
        }
    }
}

fn violation_expression(check: &Check) -> String {
    match check {
        Check::AtMost { field, max } => format!("input.{field} > {max}"),
        Check::NoneOf { field, forbidden: [a, b, c] } => {
            format!("input.{field} in {{\"{a}\", \"{b}\", \"{c}\", \"\"}}")
        }
        Check::Filled { field } => format!("input.{field} == \"\""),
        Check::NotAbove { left, right } => format!("input.{left} > input.{right}"),
    }
}

impl CompetingEngine for Regorus {
    fn name(&self) -> &'static str {
        "regorus"
    }

    fn set_context(&mut self, fields: &Map<String, serde_json::Value>) -> Result<()> {
        let input: Value = serde_json::Value::Object(fields.clone()).into();
        for machine in &mut self.machines {
            machine.set_input(input.clone());
        }
        Ok(())
    }

    fn violated_rules(&mut self) -> Result<Vec<String>> {
        let mut violated = Vec::new();
        for machine in &mut self.machines {
            for code in machine.execute()?.as_set()? {
                violated.push(code.as_string()?.as_ref().to_owned());
            }
        }
        Ok(violated)
    }
}
