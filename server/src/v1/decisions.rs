//! Decisions.

use axum::response::{IntoResponse, Response};
use contract::{
    decision::{
        DecisionFilter, DecisionRecord, EvaluateRequest, Evaluated, RecordRequest, Recorded,
    },
    error::ErrorBody,
    id::DecisionId,
    page::Page,
};
use governance::decision;
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Path, Query, json_text},
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
pub async fn evaluate(Api(cx): Api, body: Body<EvaluateRequest>) -> Reply<Json<Evaluated>> {
    Ok(Json(decision::evaluate(&cx, body.read).await?))
}

/// The same under its older name.
#[utoipa::path(
    post, path = "/v1/decisions/dry-run", tag = "decisions", request_body = EvaluateRequest,
    responses((status = 200, body = Evaluated), (status = 404, body = ErrorBody))
)]
pub async fn dry_run(api: Api, body: Body<EvaluateRequest>) -> Reply<Json<Evaluated>> {
    evaluate(api, body).await
}

/// Evaluate a context and record the decision, exactly once for each idempotency key.
#[utoipa::path(
    post, path = "/v1/decisions/record", tag = "decisions", request_body = RecordRequest,
    responses(
        (status = 201, description = "Recorded", body = Recorded),
        (status = 200, description = "Recorded before, by the same request", body = Recorded),
        (status = 404, description = "`NO_ACTIVE_POLICIES`", body = ErrorBody),
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

/// Read one recorded decision.
#[utoipa::path(
    get, path = "/v1/decisions/{id}", tag = "decisions",
    params(("id" = String, Path, description = "The decision")),
    responses((status = 200, body = DecisionRecord), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id,)): Path<(DecisionId,)>,
    query: Query,
) -> Reply<Json<DecisionRecord>> {
    query.finish()?;
    Ok(Json(decision::read(&cx, id).await?))
}

/// List recorded decisions, newest first.
#[utoipa::path(
    get, path = "/v1/decisions", tag = "decisions",
    params(
        ("decision_type" = Option<String>, Query),
        ("decision" = Option<String>, Query, description = "`ALLOW`, `ALERT`, `REVIEW` or `DENY`"),
        ("correlation_id" = Option<String>, Query),
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
        decision_type: query.text("decision_type", 100),
        decision: query.parsed("decision", "ALLOW, ALERT, REVIEW or DENY"),
        correlation_id: query.text("correlation_id", 255),
        idempotency_key: query.text("idempotency_key", 255),
        policy_id: query.parsed("policy_id", "a UUID"),
        rule_code: query.text("rule_code", 100),
        actor_id: query.text("actor_id", 255),
        recorded_from: query.parsed("recorded_from", "an RFC 3339 date-time"),
        recorded_to: query.parsed("recorded_to", "an RFC 3339 date-time"),
    };
    if let (Some(from), Some(to)) = (filter.recorded_from, filter.recorded_to)
        && from > to
    {
        query.reject("recorded_from", "must not be after `recorded_to`");
    }
    let page = query.page();
    query.finish()?;
    Ok(Json(decision::list(&cx, filter, &page).await?))
}
