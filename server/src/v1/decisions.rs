//! Decisions.

use axum::response::{IntoResponse, Response};
use contract::{
    decision::{
        BatchEvaluated, BatchRequest, DecisionFilter, DecisionRecord, EvaluateRequest, Evaluated,
        PolicyDecisionFilter, RecordRequest, Recorded,
    },
    error::ErrorBody,
    id::{DecisionId, PolicyId},
    outcome::{DecisionOutcome, OutcomeRequest},
    page::Page,
    policy::Empty,
    replay::Replay,
    time::Timestamp,
};
use governance::decision;
use http::{StatusCode, header};

use super::log::{patiently, wait_for};
use crate::edge::{
    error::Reply,
    extract::{Api, Bodiless, Body, Json, Path, Query, Standing, json_text},
};

/// Evaluate a context; nothing is recorded.
#[utoipa::path(
    post, path = "/v1/decisions/evaluate", tag = "decisions", request_body = EvaluateRequest,
    responses(
        (status = 200, body = Evaluated),
        (status = 404, description = "`NO_ACTIVE_POLICIES`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn evaluate(Api(cx): Api, body: Body<EvaluateRequest>) -> Reply<Response> {
    Ok(json_text(decision::evaluate_text(&cx, body.read).await?).into_response())
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[utoipa::path(
    post, path = "/v1/decisions/dry-run", tag = "decisions", request_body = EvaluateRequest,
    responses((status = 200, body = Evaluated), (status = 404, body = ErrorBody))
)]
pub async fn dry_run(api: Api, body: Body<EvaluateRequest>) -> Reply<Response> {
    evaluate(api, body).await
}

/// Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
#[utoipa::path(
    post, path = "/v1/decisions/dryRun", tag = "decisions", request_body = EvaluateRequest,
    responses((status = 200, body = Evaluated), (status = 404, body = ErrorBody))
)]
pub async fn dry_run_camel(api: Api, body: Body<EvaluateRequest>) -> Reply<Response> {
    evaluate(api, body).await
}

/// Evaluate many contexts on the same policies; nothing is recorded.
///
/// A body that is not as it must be is refused as a whole, with a pointer for each fault. A context
/// that nothing governs is an `error` in its own place.
#[utoipa::path(
    post, path = "/v1/decisions/evaluate-batch", tag = "decisions", request_body = BatchRequest,
    responses(
        (status = 200, body = BatchEvaluated),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn evaluate_batch(Api(cx): Api, body: Body<BatchRequest>) -> Reply<Json<BatchEvaluated>> {
    Ok(Json(decision::evaluate_batch(&cx, body.read).await?))
}

/// Evaluate a context and record the decision, exactly once for each idempotency key.
#[utoipa::path(
    post, path = "/v1/decisions/record", tag = "decisions", request_body = RecordRequest,
    responses(
        (status = 201, description = "Recorded", body = Recorded),
        (status = 200, description = "Recorded before, by the same request", body = Recorded),
        (
            status = 404,
            description = "`NO_ACTIVE_POLICIES`; `NOT_FOUND` for a chain that is not yours",
            body = ErrorBody,
        ),
        (
            status = 409,
            description = "`CONFLICT`: the step is taken; `CHAIN_SEALED`",
            body = ErrorBody,
        ),
        (status = 422, description = "`VALIDATION_ERROR`, `IDEMPOTENCY_KEY_REUSED`", body = ErrorBody),
    )
)]
pub async fn record(Api(cx): Api, body: Body<RecordRequest>) -> Reply<Response> {
    let outcome = decision::record(&cx, &body.tree, body.read).await?;
    // The stored text goes out as it is: what was answered once is answered for ever.
    let text = format!("{{\"decision\":{},\"is_new\":{}}}", outcome.record, outcome.is_new);
    if !outcome.is_new {
        return Ok(json_text(text).into_response());
    }
    let location = format!("/v1/decisions/{}", outcome.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], json_text(text)).into_response())
}

/// Read one recorded decision, with its outcome once it has one.
#[utoipa::path(
    get, path = "/v1/decisions/{id}", tag = "decisions",
    params(
        ("id" = String, Path, description = "The decision"),
        ("wait_for" = Option<String>, Query, description = "`anchor`: wait up to 5 s until the receipt is in the transparency log"),
    ),
    responses((status = 200, body = DecisionRecord), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    standing: Standing,
) -> Reply<Json<DecisionRecord>> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || decision::read(&cx, id);
    let anchored = |decision: &DecisionRecord| decision.result.transparency_anchor.is_some();
    Ok(Json(patiently(&cx, wait, &standing, read, anchored).await?))
}

/// Tell what happened after a decision: once, and for good.
#[utoipa::path(
    post, path = "/v1/decisions/{id}/outcome", tag = "decisions", request_body = OutcomeRequest,
    params(("id" = String, Path, description = "The decision")),
    responses(
        (status = 201, body = DecisionOutcome, example = json!({
            "decision_id": "6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6",
            "status": "overridden",
            "note": "Approved by the treasurer by telephone.",
            "recorded_at": "2026-09-01T11:32:07.514Z",
            "recorded_by": "0b9a8c7d-6e5f-4a3b-9c2d-1e0f9a8b7c6d",
        })),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: it has an outcome", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn record_outcome(
    Api(cx): Api,
    Path((id,)): Path<(DecisionId,)>,
    body: Body<OutcomeRequest>,
) -> Reply<Response> {
    let outcome = decision::outcome::record(&cx, id, body.read).await?;
    let location = format!("/v1/decisions/{id}");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(outcome)).into_response())
}

/// Decide again from what was stored, and compare; nothing is written.
///
/// The stored context is evaluated on the stored snapshot as of the recorded instant, whatever
/// policies say today.
#[utoipa::path(
    post, path = "/v1/decisions/{id}/replay", tag = "decisions", request_body = Empty,
    params(("id" = String, Path, description = "The decision")),
    responses((status = 200, body = Replay), (status = 404, body = ErrorBody))
)]
pub async fn replay(
    Api(cx): Api,
    Path((id,)): Path<(DecisionId,)>,
    _: Bodiless,
) -> Reply<Json<Replay>> {
    Ok(Json(decision::replay(&cx, id).await?))
}

/// List recorded decisions, newest first; those of one chain by step, first step first.
#[utoipa::path(
    get, path = "/v1/decisions", tag = "decisions",
    params(
        ("decision_type" = Option<String>, Query),
        ("decision" = Option<String>, Query, description = "`ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("correlation_id" = Option<String>, Query),
        ("chain_id" = Option<String>, Query, description = "Decisions of this chain, by step"),
        ("idempotency_key" = Option<String>, Query),
        ("policy_id" = Option<String>, Query, description = "Decisions that looked at this policy"),
        ("rule_code" = Option<String>, Query, description = "Decisions that violate this rule"),
        ("actor_id" = Option<String>, Query),
        ("recorded_from" = Option<String>, Query, description = "RFC 3339, inclusive"),
        ("recorded_to" = Option<String>, Query, description = "RFC 3339, inclusive"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<DecisionRecord>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<DecisionRecord>>> {
    let filter = DecisionFilter {
        recorded_from: instant(&mut query, "recorded_from"),
        recorded_to: instant(&mut query, "recorded_to"),
        ..filter(&mut query)
    };
    in_order(&mut query, filter.recorded_from, filter.recorded_to);
    let page = query.page();
    query.finish()?;
    Ok(Json(decision::list(&cx, filter, &page).await?))
}

/// List the decisions that looked at one version of a policy, newest first.
#[utoipa::path(
    get, path = "/v1/policies/{id}/decisions", tag = "policies",
    params(
        ("id" = String, Path, description = "The policy"),
        ("version" = Option<u32>, Query, description = "The active version when absent"),
        ("rule_code" = Option<String>, Query, description = "Decisions that violate this rule"),
        ("decision" = Option<String>, Query, description = "`ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("recorded_from" = Option<String>, Query, description = "RFC 3339, inclusive"),
        ("recorded_to" = Option<String>, Query, description = "RFC 3339, inclusive"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = Page<DecisionRecord>),
        (status = 404, description = "`NOT_FOUND`: the policy, or its version", body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn of_policy(
    Api(cx): Api,
    Path((id,)): Path<(PolicyId,)>,
    mut query: Query,
) -> Reply<Json<Page<DecisionRecord>>> {
    let version = query.parsed::<std::num::NonZeroU32>("version", "a whole number of at least 1");
    let filter = PolicyDecisionFilter {
        rule_code: query.text("rule_code", 100),
        decision: query.parsed("decision", VERDICTS),
        recorded_from: instant(&mut query, "recorded_from"),
        recorded_to: instant(&mut query, "recorded_to"),
        version: version.map(std::num::NonZeroU32::get),
    };
    in_order(&mut query, filter.recorded_from, filter.recorded_to);
    let page = query.page();
    query.finish()?;
    Ok(Json(decision::of_policy(&cx, id, filter, &page).await?))
}

pub(super) const VERDICTS: &str = "ALLOW, ALERT, REVIEW or DENY";

/// What an instant of a query must be.
pub(super) const INSTANT: &str = "an RFC 3339 date-time";

fn instant(query: &mut Query, name: &'static str) -> Option<Timestamp> {
    query.parsed(name, INSTANT)
}

/// The filters of lists and exports, but for the range of time.
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

/// Notes a range of time that ends before it begins.
pub(super) fn in_order(query: &mut Query, from: Option<Timestamp>, to: Option<Timestamp>) {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        query.reject("recorded_from", "must not be after `recorded_to`");
    }
}
