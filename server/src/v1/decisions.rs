//! Decision endpoints.

use axum::response::{IntoResponse, Response};
use contract::{
    decision::{
        BatchRequest, DecisionFilter, DecisionRecord, EvaluateBatchResponse, EvaluateRequest,
        EvaluateResponse, PolicyDecisionFilter, RecordRequest, RecordResponse,
    },
    filter::FilterReader as _,
    id::{DecisionId, PolicyId},
    pagination::Page,
    replay::Replay,
};
use governance::{
    PageRequest,
    deciding::decision::{self, StreamFilter},
};
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::anchor::{WaitFor, wait_until_anchored};
use crate::edge::{
    ApiResult, Authorized, Body, Created, Filters, FromQuery, Id, Json, JsonResult, Query,
    QueryReader, RequestStorePermit, access::ItemQuota, extract::json_text,
};

/// Evaluate a context without recording a decision.
#[post(
    "/v1/decisions/evaluate", EVALUATE, no_audit = "a dry run is not stored",
    example = {"context": payment()},
    answer = Json<EvaluateResponse>,
    404 = "`NO_ACTIVE_POLICIES`",
)]
async fn evaluate(cx: Authorized, body: Body<EvaluateRequest>) -> ApiResult<Response> {
    Ok(json_text(decision::evaluate_text(&cx, body.value).await?).into_response())
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[post(
    "/v1/decisions/dry-run", EVALUATE, no_audit = "a dry run is not stored",
    example = {"context": payment()},
    answer = Json<EvaluateResponse>,
    404,
)]
async fn dry_run(api: Authorized, body: Body<EvaluateRequest>) -> ApiResult<Response> {
    evaluate(api, body).await
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[post(
    "/v1/decisions/dryRun", EVALUATE, id = "postDecisionsDryRunCamelCase",
    no_audit = "a dry run is not stored",
    example = {"context": payment()},
    answer = Json<EvaluateResponse>,
    404,
)]
async fn dry_run_camel(api: Authorized, body: Body<EvaluateRequest>) -> ApiResult<Response> {
    evaluate(api, body).await
}

/// Evaluate up to 100 contexts against the same policies without recording decisions.
///
/// Each context counts as one request of the rate limit.
///
/// An invalid body is rejected as a whole, with one error for each invalid value. A context without an active
/// policy has an `error` as its result.
#[post(
    "/v1/decisions/evaluate-batch", EVALUATE, no_audit = "a dry run is not stored",
    example = {"contexts": [payment()]},
)]
async fn evaluate_batch(
    cx: Authorized,
    items: ItemQuota,
    body: Body<BatchRequest>,
) -> JsonResult<EvaluateBatchResponse> {
    items.count(&cx, body.value.contexts.len()).await?;
    Ok(Json(decision::evaluate_batch(&cx, body.value).await?))
}

/// Evaluate a context and record the decision, exactly once per idempotency key.
#[post(
    "/v1/decisions/record", RECORD, audit = "decision.record",
    example = {
        "idempotency_key": "invoice-2026-0417",
        "context": payment(),
        "actor": {"id": "erp-7", "type": "system"},
        "chain": {"chain_id": "c3a1b2d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d", "chain_step": 1},
    },
    answer = Created<RecordResponse>,
    201 = "Recorded",
    200 = "Already recorded by the same request",
    404 = "`NO_ACTIVE_POLICIES`; `NOT_FOUND` for a chain of another tenant",
    409 = "`CONFLICT`: the chain already has this step; `CHAIN_SEALED`",
    422 = "`VALIDATION_ERROR`, `IDEMPOTENCY_KEY_REUSED`",
)]
async fn record(cx: Authorized, body: Body<RecordRequest>) -> ApiResult<Response> {
    let result = decision::record(&cx, &body.json, body.value).await?;
    // The stored text is returned unchanged, so repeated requests get identical responses.
    let text = format!("{{\"decision\":{},\"is_new\":{}}}", result.record, result.is_new);
    if !result.is_new {
        return Ok(json_text(text).into_response());
    }
    let location = format!("/v1/decisions/{}", result.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], json_text(text)).into_response())
}

/// Read a recorded decision.
///
/// Includes its outcome, if one was recorded.
#[get("/v1/decisions/{id}", READ_DECISIONS)]
async fn read(
    cx: Authorized,
    Id(id): Id<DecisionId>,
    Query(wait): Query<Option<WaitFor>>,
    permit: RequestStorePermit,
) -> JsonResult<DecisionRecord> {
    let read = || decision::read(&cx, id);
    let is_anchored = |decision: &DecisionRecord| decision.result.transparency_anchor.is_some();
    Ok(Json(wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?))
}

/// Evaluate a recorded decision again and compare the results.
///
/// The stored context is evaluated against the stored snapshot with the recorded time, independent of the
/// current policies. Nothing is recorded.
#[post("/v1/decisions/{id}/replay", READ_DECISIONS, no_audit = "a replay is not stored")]
async fn replay(cx: Authorized, Id(id): Id<DecisionId>) -> JsonResult<Replay> {
    Ok(Json(decision::replay(&cx, id).await?))
}

/// List recorded decisions, newest first.
///
/// The decisions of one chain are listed by step, the first step first.
#[get("/v1/decisions", READ_DECISIONS)]
async fn list(
    cx: Authorized,
    Query((Filters(filter), page)): Query<(Filters<DecisionFilter>, PageRequest)>,
) -> JsonResult<Page<DecisionRecord>> {
    Ok(Json(decision::list(&cx, filter, &page).await?))
}

/// List the decisions that evaluated one version of a policy, newest first.
#[get(
    "/v1/policies/{id}/decisions", READ_POLICY_DECISIONS,
    404 = "`NOT_FOUND`: the policy or its version",
)]
async fn of_policy(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    Query((Filters(filter), page)): Query<(Filters<PolicyDecisionFilter>, PageRequest)>,
) -> JsonResult<Page<DecisionRecord>> {
    Ok(Json(decision::of_policy(&cx, id, filter, &page).await?))
}

impl FromQuery for StreamFilter {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self {
            decision_type: query.read(DecisionFilter::DECISION_TYPE),
            decision: query.read(DecisionFilter::DECISION),
        })
    }
}

/// The context of the examples.
fn payment() -> Value {
    json!({
        "decision_type": "payment",
        "fields": {"amount": 4200, "currency": "EUR", "supplier": "Nordwind GmbH"},
    })
}
