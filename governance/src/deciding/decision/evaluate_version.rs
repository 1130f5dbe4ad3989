//! Evaluation of a single version.

use contract::{
    decision::{DecisionContext, EvaluateResponse},
    evaluation::EvaluationResult,
};
use engine::GateTrace;
use entity::policy as policies;

use super::{EvaluationInput, evaluate_on_snapshot};
use crate::{
    access::permission,
    authoring::policy::{rule_input::RuleSet, version},
    base::prelude::*,
    deciding::snapshot::{self, PolicySelection},
};

/// Evaluates a version alone on `context`, with `rules` instead of its own rules if present. Writes
/// nothing: the snapshot named in the response is not stored, and no decision is counted.
///
/// # Errors
/// `NOT_FOUND`; `FORBIDDEN` for a user without the right to evaluate.
pub async fn evaluate_version(
    cx: &Cx,
    id: PolicyId,
    number: u32,
    rules: Option<RuleSet>,
    context: &DecisionContext,
) -> Result<EvaluateResponse> {
    cx.tenant(permission::EVALUATE)?;
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let policy = tx.find_by_id::<policies::Entity>(id);
    let policy = policy.one(tx.connection()).await?;
    let row = version::find(&tx, id, number).one(tx.connection()).await?;
    tx.finish_read().await?;
    let policy = policy.or_not_found(ResourceKind::Policy)?;
    let row = row.or_not_found(ResourceKind::Version)?;
    let authored = rules.map_or_else(|| row.rules.clone(), |rules| rules.text);
    let snapshot = snapshot::single_version(cx, policy, &row, &authored).await?;
    let input = EvaluationInput {
        context,
        actor: None,
        action: None,
        narrowing: PolicySelection::default(),
        explain: true,
    };
    let evaluated = evaluate_on_snapshot(cx, snapshot, &input, cx.now).await?;
    Ok(EvaluateResponse {
        result: EvaluationResult { dry_run: true, ..evaluated.result },
        evaluated_policies: evaluated.snapshot.policies.clone(),
    })
}

/// Returns whether each of `gates` matches `context`, and `None` for a value that is not a valid gate.
pub fn matching_gates(gates: &[Value], context: &DecisionContext) -> Vec<Option<bool>> {
    let Some(fields) = context.fields() else { return Vec::new() };
    gates.iter().map(|gate| Some(GateTrace::new(gate, fields)?.matches)).collect()
}
