//! Other engines with the same rules: a parsed context of 40 fields to the violated rules.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use engine::{Program, evaluate};
use serde_json::{Map, Value};

use super::engine::{compile, input, object};
use crate::{
    competitors::{self, CompetingEngine},
    context::BenchContext,
    report::{EngineRow, ReportRow},
    sample::{ComparableRule, Gates, Sample},
    stopwatch::median_us,
};

/// The numbers of rules, each with the target: at least this many times faster than every other
/// engine.
const RULES: [(usize, f64); 4] = [(10, 1.0), (100, 1.0), (1_000, 10.0), (10_000, 1.0)];

/// Fills the table of engines.
pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    for gates in [Gates::Dense, Gates::Sparse] {
        for (rules, target) in RULES {
            let row = compare(rules, gates, target)?;
            eprintln!("{}", row.to_markdown());
            cx.engines.push(row);
        }
    }
    Ok(Vec::new())
}

/// Measures every engine on the same rules, after checking that they report the same violations.
fn compare(rules: usize, gates: Gates, target: f64) -> Result<EngineRow> {
    let fields = Sample::WIDE.fields();
    let comparable = Sample::WIDE.comparable_rules(rules, gates);
    let program = compile(comparable.iter().map(ComparableRule::to_json))?;
    let mut competitors = competitors::all(&comparable)?;
    for competitor in &mut competitors {
        check_agreement(&program, competitor.as_mut())
            .with_context(|| format!("{rules} rules, {gates:?}"))?;
    }
    let object = object(&fields)?;
    let input = input(&object)?;
    let own_us = median_us(|| evaluate(&program, &input));
    let mut others = Vec::new();
    for competitor in &mut competitors {
        competitor.set_context(&fields)?;
        others.push((competitor.name(), median_us(|| competitor.violated_rules())));
    }
    Ok(EngineRow { rules, is_sparse: gates == Gates::Sparse, own_us, others, target })
}

/// Checks that both engines report the same violations in every kind of context.
fn check_agreement(program: &Program, competitor: &mut dyn CompetingEngine) -> Result<()> {
    for fields in competitors::contexts(Sample::WIDE) {
        let own = violated_rules(program, &fields)?;
        competitor.set_context(&fields)?;
        let other = BTreeSet::from_iter(competitor.violated_rules()?);
        let different: Vec<_> = own.symmetric_difference(&other).take(10).collect();
        ensure!(
            different.is_empty(),
            "only Govern or only {} reports {different:?} for {fields:?}",
            competitor.name(),
        );
    }
    Ok(())
}

fn violated_rules(program: &Program, fields: &Map<String, Value>) -> Result<BTreeSet<String>> {
    let object = object(fields)?;
    let evaluation = evaluate(program, &input(&object)?)?;
    Ok(evaluation.violations.iter().map(|violation| violation.rule_code.clone()).collect())
}
