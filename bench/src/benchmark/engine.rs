//! The engine: evaluation of a parsed context of 40 fields to the full result.

use anyhow::{Context as _, Result, ensure};
use contract::{json::Object, rule::Rule};
use engine::{Input, PolicyRules, Program, evaluate};
use serde_json::{Map, Value};

use crate::{
    competitors::{self, CompetingEngine},
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

/// The numbers of rules for the comparison with other engines.
const COMPARED: [usize; 2] = [10, 100];

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
    for rules in COMPARED {
        rows.extend(compare(rules, &fields)?);
    }
    Ok(rows)
}

fn sparse(fields: &Map<String, Value>) -> Result<[ReportRow; 2]> {
    let program = compile((0..SPARSE).map(|n| Sample::WIDE.gated_rule(n)))?;
    let object = object(fields)?;
    let input = input(&object)?;
    ensure!(evaluate(&program, &input).rules_evaluated == 100, "one gate in a hundred matches");
    let with_reasons = median_us(|| {
        let evaluation = evaluate(&program, &input);
        (evaluation.na_rules(&input), evaluation.decision)
    });
    Ok([
        ReportRow::new("engine, 10,000 rules, of which 100 apply", time(&program, fields)?)
            .goal(Goal::AtMost(Micros(SPARSE_US))),
        ReportRow::new("the same with the 9,900 not-applicable reasons", Micros(with_reasons)),
    ])
}

/// Measures the engine and each other engine on the same rules, after checking that they report the
/// same violations.
fn compare(rules: usize, fields: &Map<String, Value>) -> Result<Vec<ReportRow>> {
    let program = compile((0..rules).map(|n| Sample::WIDE.rule_without_time(n)))?;
    let mut rows = Vec::new();
    for mut competitor in competitors::all(Sample::WIDE, rules)? {
        check_agreement(&program, competitor.as_mut(), rules)?;
        let own = time(&program, fields)?;
        competitor.set_context(fields)?;
        let baseline = Micros(median_us(|| competitor.violated_rules()));
        let name = format!("engine, {rules} rules that every engine supports");
        rows.push(ReportRow::new(name, own).with_baseline(competitor.name(), baseline));
    }
    Ok(rows)
}

/// Checks that both engines report the same violations in every kind of context.
fn check_agreement(
    program: &Program,
    competitor: &mut dyn CompetingEngine,
    rules: usize,
) -> Result<()> {
    for fields in competitors::contexts(Sample::WIDE) {
        let object = object(&fields)?;
        let evaluation = evaluate(program, &input(&object)?);
        let mut own: Vec<String> =
            evaluation.violations.iter().map(|violation| violation.rule_code.clone()).collect();
        own.sort_unstable();
        competitor.set_context(&fields)?;
        let mut other = competitor.violated_rules()?;
        other.sort_unstable();
        let name = competitor.name();
        ensure!(own == other, "of {rules} rules, {own:?} are violated; {name} reports {other:?}");
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
    let as_of = "2026-09-01T10:00:00Z".parse().ok().context("a timestamp")?;
    Ok(Input { fields, evidence: &[], actor_id: Some("agent-7"), as_of })
}

fn compile(rules: impl Iterator<Item = Value>) -> Result<Program> {
    let rules = rules.map(serde_json::from_value).collect::<Result<Vec<Rule>, _>>()?;
    let policy_id = "a0000000-0000-4000-8000-000000000001".parse().ok().context("an id")?;
    Ok(Program::compile(&[PolicyRules { policy_id, shadow_mode: false, rules: &rules }])?)
}
