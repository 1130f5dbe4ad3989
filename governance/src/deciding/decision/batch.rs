//! Dry runs of several contexts on the same policies.

use contract::{
    decision::{BatchItem, BatchRequest, DecisionContext, EvaluateBatchResponse},
    evaluation::EvaluationResult,
};

use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{Error, Result, batch_too_large},
        json_size::json_size,
        tenancy::Tenant,
    },
    deciding::{
        decision::evaluate::{EvaluationInput, dry_run, evaluate_on_snapshot},
        snapshot::{self, ActivePolicies, PolicySelection},
    },
};

/// The maximum size of the results of a batch as JSON, in bytes: that of the largest single result. A context of a few
/// bytes can violate a thousand rules.
pub const RESULTS_BYTES_MAX: usize = engine::RESULT_BYTES_MAX;

/// Evaluates each context against one set of active policies and records nothing. A context that cannot be
/// evaluated yields an error item and does not affect the others. So does a context whose result is larger than what the
/// results before it leave.
///
/// # Errors
/// Permission, database and internal errors. An invalid context is reported in its item.
pub async fn evaluate_batch(cx: &Cx, request: BatchRequest) -> Result<EvaluateBatchResponse> {
    let tenant = cx.tenant(permission::EVALUATE)?;
    let phase = cx.governance.tracer().phase("snapshot");
    let active_policies = snapshot::active_policies(&tenant).await?;
    drop(phase);
    let mut items = Vec::with_capacity(request.contexts.len());
    let mut bytes_left = RESULTS_BYTES_MAX;
    for context in &request.contexts {
        let item = match item(&tenant, &active_policies, context).await {
            Ok(result) => match bytes_left.checked_sub(json_size(&result)?) {
                Some(left) => {
                    bytes_left = left;
                    BatchItem::Result(Box::new(result))
                }
                None => BatchItem::Error(Error::from(batch_too_large()).problem()),
            },
            Err(error @ Error::Refused(_)) => BatchItem::Error(error.problem()),
            Err(error) => return Err(error),
        };
        items.push(item);
    }
    Ok(EvaluateBatchResponse { items })
}

async fn item(
    tenant: &Tenant<'_>,
    active_policies: &ActivePolicies,
    context: &DecisionContext,
) -> Result<EvaluationResult> {
    let narrowing = PolicySelection::default();
    let snapshot = active_policies.snapshot(tenant, context.decision_type(), narrowing).await?;
    let input = EvaluationInput { context, actor: None, action: None, narrowing, explain: false };
    let evaluated = evaluate_on_snapshot(tenant.cx(), snapshot, &input, tenant.cx().now).await?;
    Ok(dry_run(tenant, evaluated.result))
}
