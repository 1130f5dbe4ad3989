//! Endpoint for the outcomes of decisions.

use contract::{
    id::DecisionId,
    outcome::{DecisionOutcome, OutcomeRequest},
};
use governance::deciding::decision::outcome;

use crate::edge::{ApiResult, Authorized, Body, Created, Id};

/// Record the outcome of a decision.
///
/// An outcome cannot be changed.
#[post(
    "/v1/decisions/{id}/outcome", RECORD_OUTCOME, audit = "decision.outcome",
    example = {"status": "accepted", "note": "Paid on the due date.", "reference_id": "SEPA-88121"},
    answer_example = {
        "decision_id": "6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6",
        "status": "overridden",
        "note": "Approved by the treasurer by telephone.",
        "recorded_at": "2026-09-01T11:32:07.514Z",
        "recorded_by": "0b9a8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d",
    },
    409 = "`CONFLICT`: the decision already has an outcome",
)]
async fn record(
    cx: Authorized,
    Id(id): Id<DecisionId>,
    body: Body<OutcomeRequest>,
) -> ApiResult<Created<DecisionOutcome>> {
    let outcome = outcome::record(&cx, id, body.value).await?;
    Ok(Created(format!("/v1/decisions/{id}"), outcome))
}
