//! Codification: maps clauses to rules and lints them. Runs before a transaction begins; the result is
//! stored with the rules.

pub mod lint_provider;
mod lint_request;

use contract::codification::{Codification, Lint};

pub use self::lint_provider::LintProvider;
use crate::{
    authoring::policy::{rule_input::RuleSet, stored_codification::StoredCodification},
    base::{error::codification_refused, prelude::*},
};

/// Returns the rules that `block` produces, each with the source of its clause, and lints them. Without
/// a block, returns the rules unchanged. Calls the lint provider, so no transaction may be open.
///
/// # Errors
/// `CODIFICATION_REFUSED` with all mismatches.
pub(crate) async fn codify_rules(
    cx: &Cx,
    rules: RuleSet,
    block: Option<Codification>,
) -> Result<RuleSet> {
    let Some(block) = block else { return Ok(rules) };
    let codified = codify::codify(&block, &rules.values()?)
        .map_err(|refusals| Error::from(codification_refused(&refusals)))?;
    let lint = lint(cx, &block, &codified.rules).await;
    let block_json = to_json(&block)?;
    let record = to_json(&codified.record(block, lint))?;
    let codification = StoredCodification { block: Some(block_json), record: Some(record) };
    Ok(RuleSet { codification: Some(codification), ..RuleSet::from(codified.rules) })
}

async fn lint(cx: &Cx, block: &Codification, rules: &[Value]) -> Lint {
    let clock = cx.governance.clock();
    let started_ms = clock.now().millis();
    let elapsed_ms = || u32::try_from(clock.now().millis().saturating_sub(started_ms)).unwrap_or(0);
    match cx.governance.lint_provider() {
        Some(provider) => {
            lint_request::request_lint(provider, block, rules).await.lint(block, elapsed_ms())
        }
        None => Lint { elapsed_ms: elapsed_ms(), ..codify::lint::builtin(block, rules, 0) },
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}
