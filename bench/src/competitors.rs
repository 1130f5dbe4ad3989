//! Other engines, with the same rules in their own syntax.

mod zen;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::sample::Sample;

/// An engine that reports which rules a context violates.
pub(crate) trait CompetingEngine {
    /// Returns the name of the engine.
    fn name(&self) -> &'static str;

    /// Converts the fields of a context to the form of the engine. Not timed.
    fn set_context(&mut self, fields: &Map<String, Value>) -> Result<()>;

    /// Returns the codes of the violated rules, in any order.
    fn violated_rules(&mut self) -> Result<Vec<String>>;
}

/// Returns every other engine, with the rules of a sample that do not depend on time.
pub(crate) fn all(sample: Sample, rules: usize) -> Result<Vec<Box<dyn CompetingEngine>>> {
    Ok(vec![Box::new(zen::Zen::new(sample, rules)?)])
}

/// Returns contexts that violate no rule, one rule or every rule of a sample.
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
    contexts.push(all_violated);
    contexts
}
