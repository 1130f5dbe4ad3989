//! Other engines, given the same rules in their own words.

mod zen;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::sample::Sample;

/// An engine that can say which rules a context violates.
pub(crate) trait Rival {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Takes the fields of a context in its own form. Not part of what is timed.
    fn read(&mut self, fields: &Map<String, Value>) -> Result<()>;

    /// The codes of the rules that the context violates, in any order.
    fn violated(&mut self) -> Result<Vec<String>>;
}

/// Every rival, with the timeless rules of a sample.
pub(crate) fn all(sample: Sample, rules: usize) -> Result<Vec<Box<dyn Rival>>> {
    Ok(vec![Box::new(zen::Zen::new(sample, rules)?)])
}

/// Contexts in which everything is in order, one thing is not, or everything is not.
pub(crate) fn contexts(sample: Sample) -> Vec<Map<String, Value>> {
    let kept = sample.fields();
    let amounts = (0..sample.amounts).map(|n| (format!("amount_{n}"), json!(500_001 + n)));
    let forbidden = (0..sample.labels).map(|n| (format!("label_{n}"), json!("Beta")));
    let empty = (0..sample.labels).map(|n| (format!("label_{n}"), json!("")));
    let single: Vec<_> = amounts.chain(forbidden).chain(empty).collect();
    let mut contexts = vec![kept.clone()];
    for (field, value) in &single {
        let mut context = kept.clone();
        context.insert(field.clone(), value.clone());
        contexts.push(context);
    }
    let mut broken = kept;
    broken.extend(single);
    contexts.push(broken);
    contexts
}
