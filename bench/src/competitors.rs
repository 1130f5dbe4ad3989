//! Other engines, with the same rules in their own syntax.

mod cedar;
mod regorus;
mod zen;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::sample::{ComparableRule, Sample};

/// An engine that reports which rules a context violates.
pub(crate) trait CompetingEngine {
    /// Returns the name of the engine.
    fn name(&self) -> &'static str;

    /// Converts the fields of a context to the form of the engine. Not timed.
    fn set_context(&mut self, fields: &Map<String, Value>) -> Result<()>;

    /// Returns the codes of the violated rules, in any order.
    fn violated_rules(&mut self) -> Result<Vec<String>>;
}

/// Returns every other engine, with these rules compiled.
pub(crate) fn all(rules: &[ComparableRule]) -> Result<Vec<Box<dyn CompetingEngine>>> {
    Ok(vec![
        Box::new(zen::Zen::new(rules)?),
        Box::new(cedar::Cedar::new(rules)?),
        Box::new(regorus::Regorus::new(rules)?),
    ])
}

/// Returns contexts that violate no rule, one rule or every rule of a sample, and contexts in which
/// other gates match.
pub(crate) fn contexts(sample: Sample) -> Vec<Map<String, Value>> {
    let valid = sample.fields();
    let amounts = (0..sample.amounts).map(|n| (format!("amount_{n}"), json!(500_001 + n)));
    let forbidden = (0..sample.labels).map(|n| (format!("label_{n}"), json!("Beta")));
    let empty = (0..sample.labels).map(|n| (format!("label_{n}"), json!("")));
    let single: Vec<_> = amounts.chain(forbidden).chain(empty).collect();
    let mut contexts = vec![valid.clone()];
    for (field, value) in &single {
        let mut context = valid.clone();
        context.insert(field.clone(), value.clone());
        contexts.push(context);
    }
    let mut all_violated = valid;
    all_violated.extend(single);
    for (prefix, first) in [("R", 4), ("r", 4), ("Q", 804)] {
        let mut other_gates = all_violated.clone();
        let region = |n| (format!("region_{n}"), json!(format!("{prefix}-{}", first + n)));
        other_gates.extend((0..4).map(region));
        contexts.push(other_gates);
    }
    contexts.push(all_violated);
    contexts
}
