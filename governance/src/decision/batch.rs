//! Many contexts, decided on the same policies.

use contract::{
    decision::{BatchEvaluated, BatchItem, BatchRequest, DecisionContext},
    evaluation::EvaluationResult,
};

use crate::{
    cx::Cx,
    decision::evaluate::{Question, dry_run, judge},
    error::{Error, Result},
    permission,
    snapshot::{self, InForce, Narrowing},
    tenancy::Tenant,
};

/// Evaluates each context and records nothing. All of them see the policies of one moment, and one
/// that cannot be decided says why in its own place.
///
/// # Errors
/// None but those of the caller, the store and ourselves: what is wrong with one context is its item.
pub async fn evaluate_batch(cx: &Cx, request: BatchRequest) -> Result<BatchEvaluated> {
    let tenant = cx.tenant(permission::EVALUATE)?;
    let in_force = snapshot::in_force(&tenant).await?;
    let mut items = Vec::with_capacity(request.contexts.len());
    for context in &request.contexts {
        let item = match item(&tenant, &in_force, context).await {
            Ok(result) => BatchItem::Result(Box::new(result)),
            Err(error @ Error::Refused(_)) => BatchItem::Error(error.problem()),
            Err(error) => return Err(error),
        };
        items.push(item);
    }
    Ok(BatchEvaluated { items })
}

async fn item(
    tenant: &Tenant<'_>,
    in_force: &InForce,
    context: &DecisionContext,
) -> Result<EvaluationResult> {
    let narrowing = Narrowing::default();
    let snapshot = in_force.snapshot(tenant, context.decision_type(), narrowing).await?;
    let question = Question { context, actor: None, action: None, narrowing, explain: false };
    let decided = judge(tenant.cx(), snapshot, &question, tenant.cx().now)?;
    Ok(dry_run(tenant, decided.result))
}
