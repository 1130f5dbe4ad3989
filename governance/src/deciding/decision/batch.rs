//! Dry runs of several contexts on the same policies.

use contract::{
    decision::{BatchItem, BatchRequest, DecisionContext, EvaluateBatchResponse},
    evaluation::EvaluationResult,
};

use crate::{
    access::permission,
    base::{error::batch_too_large, prelude::*, stored_json::json_size},
    deciding::{
        decision::evaluate::{EvaluationInput, dry_run, evaluate_on_snapshot},
        snapshot::{self, ActivePolicies, PolicySelection},
    },
};

/// The maximum size of the results of a batch as JSON, in bytes: that of the largest single result. A context of a few
/// bytes can violate a thousand rules.
const RESULTS_BYTES_MAX: usize = engine::RESULT_BYTES_MAX;

/// The size of the results that a response to several contexts has so far, as JSON in bytes.
#[derive(Debug, Default)]
pub struct ResultBytes(usize);

impl ResultBytes {
    /// Counts a result.
    ///
    /// # Errors
    /// Internal error if the result has no JSON form.
    pub fn add(&mut self, result: &impl Serialize) -> Result<()> {
        self.0 = self.0.saturating_add(json_size(result)?);
        Ok(())
    }

    /// Checks that the results are not too large together.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` with the code `too_large`.
    pub fn check(&self) -> Result<()> {
        if self.0 > RESULTS_BYTES_MAX { Err(batch_too_large().into()) } else { Ok(()) }
    }

    /// Counts a result if it fits. Returns whether it does.
    fn add_fitting(&mut self, result: &impl Serialize) -> Result<bool> {
        let bytes = self.0.saturating_add(json_size(result)?);
        let fits = bytes <= RESULTS_BYTES_MAX;
        if fits {
            self.0 = bytes;
        }
        Ok(fits)
    }
}

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
    let mut results = ResultBytes::default();
    for context in &request.contexts {
        let item = match item(&tenant, &active_policies, context).await {
            Ok(result) if results.add_fitting(&result)? => BatchItem::Result(Box::new(result)),
            Ok(_) => BatchItem::Error(Error::from(batch_too_large()).problem()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_limited_together() {
        let half = "x".repeat(RESULTS_BYTES_MAX / 2);
        let mut results = ResultBytes::default();
        assert!(results.add_fitting(&half).unwrap());
        assert!(!results.add_fitting(&half).unwrap(), "with the quotation marks it is too large");
        assert!(results.add_fitting(&1).unwrap(), "a smaller one still fits");
        assert!(results.check().is_ok());
        results.add(&half).unwrap();
        assert_eq!(results.check().unwrap_err().status(), 422);
    }
}
