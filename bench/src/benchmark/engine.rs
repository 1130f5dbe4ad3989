//! The engine: evaluation of a parsed context of 40 fields to the full result.

use anyhow::{Context as _, Result, ensure};
use contract::{json::Object, rule::Rule};
use engine::{Input, PolicyRules, Program, ResultTooLarge, evaluate};
use serde_json::{Map, Value};

use crate::{
    report::{
        Figure::{self, Micros},
        Goal, ReportRow,
    },
    sample::Sample,
    stopwatch::median_us,
};

/// The numbers of rules, each with its target in microseconds.
const DENSE: [(usize, Option<f64>); 4] =
    [(10, Some(1.2)), (100, Some(5.0)), (1_000, Some(40.0)), (10_000, None)];

/// The number of rules of a sparse program. One in a hundred applies.
const SPARSE: usize = 10_000;

/// The target of a sparse evaluation in microseconds.
const SPARSE_US: f64 = 5.0;

pub(crate) fn measure() -> Result<Vec<ReportRow>> {
    let fields = Sample::WIDE.fields();
    let mut rows = Vec::new();
    for (rules, target) in DENSE {
        let program = compile((0..rules).map(|n| Sample::WIDE.rule(n)))?;
        let figure = time(&program, &fields)?;
        let row = ReportRow::new(format!("engine, {rules} rules"), figure);
        rows.push(match target {
            Some(us) => row.goal(Goal::AtMost(Micros(us))),
            None => row,
        });
    }
    rows.extend(sparse(&fields)?);
    Ok(rows)
}

fn sparse(fields: &Map<String, Value>) -> Result<[ReportRow; 2]> {
    let program = compile((0..SPARSE).map(|n| Sample::WIDE.gated_rule(n)))?;
    let object = object(fields)?;
    let input = input(&object)?;
    ensure!(evaluate(&program, &input)?.rules_evaluated == 100, "one gate in a hundred matches");
    let with_reasons = median_us(|| {
        let evaluation = evaluate(&program, &input)?;
        Ok::<_, ResultTooLarge>((evaluation.na_rules(&input)?, evaluation.decision))
    });
    Ok([
        ReportRow::new("engine, 10,000 rules, of which 100 apply", time(&program, fields)?)
            .goal(Goal::AtMost(Micros(SPARSE_US))),
        ReportRow::new("the same with the 9,900 not-applicable reasons", Micros(with_reasons)),
    ])
}

fn time(program: &Program, fields: &Map<String, Value>) -> Result<Figure> {
    let object = object(fields)?;
    let input = input(&object)?;
    Ok(Micros(median_us(|| evaluate(program, &input))))
}

pub(super) fn object(fields: &Map<String, Value>) -> Result<Object> {
    Ok(serde_json::from_value(Value::Object(fields.clone()))?)
}

pub(super) fn input(fields: &Object) -> Result<Input<'_>> {
    let as_of = "2026-09-01T10:00:00Z".parse().ok().context("a timestamp")?;
    Ok(Input { fields, evidence: &[], actor_id: Some("agent-7"), as_of })
}

pub(super) fn compile(rules: impl Iterator<Item = Value>) -> Result<Program> {
    let rules = rules.map(serde_json::from_value).collect::<Result<Vec<Rule>, _>>()?;
    let policy_id = "a0000000-0000-4000-8000-000000000001".parse().ok().context("an id")?;
    Ok(Program::compile(&[PolicyRules { policy_id, shadow_mode: false, rules: &rules }])?)
}
