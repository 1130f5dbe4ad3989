//! Decision endpoints.

use axum::response::{IntoResponse, Response};
use contract::{
    decision::{
        BatchRequest, DecisionFilter, DecisionRecord, EvaluateBatchResponse, EvaluateRequest,
        EvaluateResponse, PolicyDecisionFilter, RecordRequest, RecordResponse,
    },
    error::ErrorBody,
    id::{DecisionId, PolicyId},
    outcome::{DecisionOutcome, OutcomeRequest},
    pagination::Page,
    policy::EmptyBody,
    replay::Replay,
    time::Timestamp,
};
use governance::deciding::decision;
use http::{StatusCode, header};

use super::log::{wait_for, wait_until_anchored};
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json, NoBody, Path, Query, RequestStorePermit, json_text},
};

/// Evaluate a context without recording a decision.
#[utoipa::path(
    post, path = "/v1/decisions/evaluate", tag = "decisions", request_body = EvaluateRequest,
    responses(
        (status = 200, body = EvaluateResponse),
        (status = 404, description = "`NO_ACTIVE_POLICIES`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn evaluate(
    Authorized(cx): Authorized,
    body: Body<EvaluateRequest>,
) -> ApiResult<Response> {
    Ok(json_text(decision::evaluate_text(&cx, body.value).await?).into_response())
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[utoipa::path(
    post, path = "/v1/decisions/dry-run", tag = "decisions", request_body = EvaluateRequest,
    responses((status = 200, body = EvaluateResponse), (status = 404, body = ErrorBody))
)]
pub async fn dry_run(api: Authorized, body: Body<EvaluateRequest>) -> ApiResult<Response> {
    evaluate(api, body).await
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[utoipa::path(
    post, path = "/v1/decisions/dryRun", tag = "decisions", request_body = EvaluateRequest,
    responses((status = 200, body = EvaluateResponse), (status = 404, body = ErrorBody))
)]
pub async fn dry_run_camel(api: Authorized, body: Body<EvaluateRequest>) -> ApiResult<Response> {
    evaluate(api, body).await
}

/// Evaluate up to 100 contexts against the same policies without recording decisions.
///
/// An invalid body is rejected as a whole, with one error for each invalid value. A context without an active
/// policy has an `error` as its result.
#[utoipa::path(
    post, path = "/v1/decisions/evaluate-batch", tag = "decisions", request_body = BatchRequest,
    responses(
        (status = 200, body = EvaluateBatchResponse),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn evaluate_batch(
    Authorized(cx): Authorized,
    body: Body<BatchRequest>,
) -> ApiResult<Json<EvaluateBatchResponse>> {
    Ok(Json(decision::evaluate_batch(&cx, body.value).await?))
}

/// Evaluate a context and record the decision, exactly once per idempotency key.
#[utoipa::path(
    post, path = "/v1/decisions/record", tag = "decisions", request_body = RecordRequest,
    responses(
        (status = 201, description = "Recorded", body = RecordResponse),
        (status = 200, description = "Already recorded by the same request", body = RecordResponse),
        (
            status = 404,
            description = "`NO_ACTIVE_POLICIES`; `NOT_FOUND` for a chain of another tenant",
            body = ErrorBody,
        ),
        (
            status = 409,
            description = "`CONFLICT`: the chain already has this step; `CHAIN_SEALED`",
            body = ErrorBody,
        ),
        (status = 422, description = "`VALIDATION_ERROR`, `IDEMPOTENCY_KEY_REUSED`", body = ErrorBody),
    )
)]
pub async fn record(Authorized(cx): Authorized, body: Body<RecordRequest>) -> ApiResult<Response> {
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
#[utoipa::path(
    get, path = "/v1/decisions/{id}", tag = "decisions",
    params(
        ("id" = String, Path, description = "The ID of the decision"),
        ("wait_for" = Option<String>, Query, description = "`anchor` waits up to 5 s until the receipt is anchored in the transparency log"),
    ),
    responses((status = 200, body = DecisionRecord), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    permit: RequestStorePermit,
) -> ApiResult<Json<DecisionRecord>> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || decision::read(&cx, id);
    let is_anchored = |decision: &DecisionRecord| decision.result.transparency_anchor.is_some();
    Ok(Json(wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?))
}

/// Record the outcome of a decision.
///
/// An outcome cannot be changed.
#[utoipa::path(
    post, path = "/v1/decisions/{id}/outcome", tag = "decisions", request_body = OutcomeRequest,
    params(("id" = String, Path, description = "The ID of the decision")),
    responses(
        (status = 201, body = DecisionOutcome, example = json!({
            "decision_id": "6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6",
            "status": "overridden",
            "note": "Approved by the treasurer by telephone.",
            "recorded_at": "2026-09-01T11:32:07.514Z",
            "recorded_by": "0b9a8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d",
        })),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the decision already has an outcome", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn record_outcome(
    Authorized(cx): Authorized,
    Path((id,)): Path<(DecisionId,)>,
    body: Body<OutcomeRequest>,
) -> ApiResult<Response> {
    let outcome = decision::outcome::record(&cx, id, body.value).await?;
    let location = format!("/v1/decisions/{id}");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(outcome)).into_response())
}

/// Evaluate a recorded decision again and compare the results.
///
/// The stored context is evaluated against the stored snapshot with the recorded time, independent of the
/// current policies. Nothing is recorded.
#[utoipa::path(
    post, path = "/v1/decisions/{id}/replay", tag = "decisions", request_body = EmptyBody,
    params(("id" = String, Path, description = "The ID of the decision")),
    responses((status = 200, body = Replay), (status = 404, body = ErrorBody))
)]
pub async fn replay(
    Authorized(cx): Authorized,
    Path((id,)): Path<(DecisionId,)>,
    _: NoBody,
) -> ApiResult<Json<Replay>> {
    Ok(Json(decision::replay(&cx, id).await?))
}

/// List recorded decisions, newest first.
///
/// The decisions of one chain are listed by step, the first step first.
#[utoipa::path(
    get, path = "/v1/decisions", tag = "decisions",
    params(
        ("decision_type" = Option<String>, Query, description = "Only decisions of this type"),
        ("decision" = Option<String>, Query, description = "Only decisions with this verdict: `ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("correlation_id" = Option<String>, Query, description = "Only decisions with this correlation ID"),
        ("chain_id" = Option<String>, Query, description = "Only decisions of this chain, by step"),
        ("idempotency_key" = Option<String>, Query, description = "Only the decision with this idempotency key"),
        ("policy_id" = Option<String>, Query, description = "Only decisions that evaluated this policy"),
        ("rule_code" = Option<String>, Query, description = "Only decisions that violate this rule"),
        ("actor_id" = Option<String>, Query, description = "Only decisions of this actor"),
        ("recorded_from" = Option<String>, Query, description = "Start of the time range, RFC 3339, inclusive"),
        ("recorded_to" = Option<String>, Query, description = "End of the time range, RFC 3339, inclusive"),
        ("limit" = Option<u32>, Query, description = "Page size, 1 to 200 (default 50)"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the previous page"),
    ),
    responses((status = 200, body = Page<DecisionRecord>), (status = 422, body = ErrorBody))
)]
pub async fn list(
    Authorized(cx): Authorized,
    mut query: Query,
) -> ApiResult<Json<Page<DecisionRecord>>> {
    let filter = DecisionFilter {
        recorded_from: timestamp(&mut query, "recorded_from"),
        recorded_to: timestamp(&mut query, "recorded_to"),
        ..filter(&mut query)
    };
    reject_reversed_range(&mut query, filter.recorded_from, filter.recorded_to);
    let page = query.page();
    query.finish()?;
    Ok(Json(decision::list(&cx, filter, &page).await?))
}

/// List the decisions that evaluated one version of a policy, newest first.
#[utoipa::path(
    get, path = "/v1/policies/{id}/decisions", tag = "policies",
    params(
        ("id" = String, Path, description = "The ID of the policy"),
        ("version" = Option<u32>, Query, description = "The number of the version (default: the active version)"),
        ("rule_code" = Option<String>, Query, description = "Only decisions that violate this rule"),
        ("decision" = Option<String>, Query, description = "Only decisions with this verdict: `ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("recorded_from" = Option<String>, Query, description = "Start of the time range, RFC 3339, inclusive"),
        ("recorded_to" = Option<String>, Query, description = "End of the time range, RFC 3339, inclusive"),
        ("limit" = Option<u32>, Query, description = "Page size, 1 to 200 (default 50)"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the previous page"),
    ),
    responses(
        (status = 200, body = Page<DecisionRecord>),
        (status = 404, description = "`NOT_FOUND`: the policy or its version", body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn of_policy(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    mut query: Query,
) -> ApiResult<Json<Page<DecisionRecord>>> {
    let version = query.parsed::<std::num::NonZeroU32>("version", "a whole number of at least 1");
    let filter = PolicyDecisionFilter {
        rule_code: query.text("rule_code", 100),
        decision: query.parsed("decision", VERDICTS),
        recorded_from: timestamp(&mut query, "recorded_from"),
        recorded_to: timestamp(&mut query, "recorded_to"),
        version: version.map(std::num::NonZeroU32::get),
    };
    reject_reversed_range(&mut query, filter.recorded_from, filter.recorded_to);
    let page = query.page();
    query.finish()?;
    Ok(Json(decision::of_policy(&cx, id, filter, &page).await?))
}

pub(super) const VERDICTS: &str = "ALLOW, ALERT, REVIEW or DENY";

/// The format of a timestamp parameter, for error messages.
pub(super) const TIMESTAMP_FORMAT: &str = "an RFC 3339 date-time";

fn timestamp(query: &mut Query, name: &'static str) -> Option<Timestamp> {
    query.parsed(name, TIMESTAMP_FORMAT)
}

/// Reads the filters of lists and exports, except the time range.
pub(super) fn filter(query: &mut Query) -> DecisionFilter {
    DecisionFilter {
        decision_type: query.text("decision_type", 100),
        decision: query.parsed("decision", VERDICTS),
        correlation_id: query.text("correlation_id", 255),
        chain_id: query.parsed("chain_id", "a UUID"),
        idempotency_key: query.text("idempotency_key", 255),
        policy_id: query.parsed("policy_id", "a UUID"),
        rule_code: query.text("rule_code", 100),
        actor_id: query.text("actor_id", 255),
        ..DecisionFilter::default()
    }
}

/// Rejects a time range that ends before it begins.
pub(super) fn reject_reversed_range(
    query: &mut Query,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        query.reject("recorded_from", "must not be after `recorded_to`");
    }
}
