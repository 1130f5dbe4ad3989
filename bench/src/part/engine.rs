//! The engine: from a parsed context of 40 fields to the full result.

use anyhow::{Context as _, Result, ensure};
use contract::{json::Object, rule::Rule};
use engine::{Input, PolicyRules, Program, evaluate};
use serde_json::{Map, Value};

use crate::{
    report::{
        Figure::{self, Micros},
        Goal, Line,
    },
    rivals::{self, Rival},
    sample::Sample,
    stopwatch::median_us,
};

/// Rules, and the time that they may take, in microseconds.
const DENSE: [(usize, Option<f64>); 4] =
    [(10, Some(1.2)), (100, Some(5.0)), (1_000, Some(40.0)), (10_000, None)];

/// How many rules a sparse program has, of which one in a hundred applies.
const SPARSE: usize = 10_000;

/// What the time of a sparse evaluation may be, in microseconds.
const SPARSE_US: f64 = 5.0;

/// How many rules are given to all engines.
const COMPARED: [usize; 2] = [10, 100];

pub(crate) fn measure() -> Result<Vec<Line>> {
    let fields = Sample::WIDE.fields();
    let mut lines = Vec::new();
    for (rules, target) in DENSE {
        let program = compile((0..rules).map(|n| Sample::WIDE.rule(n)))?;
        let took = time(&program, &fields)?;
        let line = Line::new(format!("engine, {rules} rules"), took);
        lines.push(target.map_or(line.clone(), |us| line.goal(Goal::AtMost(Micros(us)))));
    }
    lines.extend(sparse(&fields)?);
    for rules in COMPARED {
        lines.extend(beside_others(rules, &fields)?);
    }
    Ok(lines)
}

fn sparse(fields: &Map<String, Value>) -> Result<[Line; 2]> {
    let program = compile((0..SPARSE).map(|n| Sample::WIDE.gated_rule(n)))?;
    let object = object(fields)?;
    let input = input(&object)?;
    ensure!(evaluate(&program, &input).rules_evaluated == 100, "one gate in a hundred matches");
    let whole = median_us(|| {
        let evaluation = evaluate(&program, &input);
        (evaluation.na_rules(&input), evaluation.decision)
    });
    Ok([
        Line::new("engine, 10,000 rules, of which 100 apply", time(&program, fields)?)
            .goal(Goal::AtMost(Micros(SPARSE_US))),
        Line::new("the same with the 9,900 reasons why a rule does not apply", Micros(whole)),
    ])
}

/// The engine and each rival on the same rules, once they agree on what is violated.
fn beside_others(rules: usize, fields: &Map<String, Value>) -> Result<Vec<Line>> {
    let program = compile((0..rules).map(|n| Sample::WIDE.timeless_rule(n)))?;
    let mut lines = Vec::new();
    for mut rival in rivals::all(Sample::WIDE, rules)? {
        agree(&program, rival.as_mut(), rules)?;
        let own = time(&program, fields)?;
        rival.read(fields)?;
        let others = Micros(median_us(|| rival.violated()));
        let what = format!("engine, {rules} rules that every engine has words for");
        lines.push(Line::new(what, own).beside(rival.name(), others));
    }
    Ok(lines)
}

/// Compares what is violated in contexts of every kind.
fn agree(program: &Program, rival: &mut dyn Rival, rules: usize) -> Result<()> {
    for fields in rivals::contexts(Sample::WIDE) {
        let object = object(&fields)?;
        let evaluation = evaluate(program, &input(&object)?);
        let mut own: Vec<String> =
            evaluation.violations.iter().map(|violation| violation.rule_code.clone()).collect();
        own.sort_unstable();
        rival.read(&fields)?;
        let mut others = rival.violated()?;
        others.sort_unstable();
        let name = rival.name();
        ensure!(own == others, "of {rules} rules, {own:?} are violated; {name} says {others:?}");
    }
    Ok(())
}

fn time(program: &Program, fields: &Map<String, Value>) -> Result<Figure> {
    let object = object(fields)?;
    let input = input(&object)?;
    Ok(Micros(median_us(|| evaluate(program, &input))))
}

fn object(fields: &Map<String, Value>) -> Result<Object> {
    Ok(serde_json::from_value(Value::Object(fields.clone()))?)
}

fn input(fields: &Object) -> Result<Input<'_>> {
    let as_of = "2026-09-01T10:00:00Z".parse().ok().context("an instant")?;
    Ok(Input { fields, evidence: &[], actor_id: Some("agent-7"), as_of })
}

fn compile(rules: impl Iterator<Item = Value>) -> Result<Program> {
    let rules = rules.map(serde_json::from_value).collect::<Result<Vec<Rule>, _>>()?;
    let policy_id = "a0000000-0000-4000-8000-000000000001".parse().ok().context("an id")?;
    Ok(Program::compile(&[PolicyRules { policy_id, shadow_mode: false, rules: &rules }])?)
}
