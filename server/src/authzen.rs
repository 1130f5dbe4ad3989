//! The Authorization API 1.0 of AuthZEN, for programs that know nothing of `/v1`.
//!
//! Its requests are decisions of `/v1` in other words (`contract::authzen`). Only errors differ: the standard asks for
//! status 400 for an invalid request, and for a message as body.

use axum::{
    Extension, Router,
    body::Body as ResponseBody,
    extract::Request,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use contract::{
    authzen::{AccessDecision, AccessRequest, AccessRequests, PolicyDecisionPoint},
    decision::{DecisionRecord, EvaluateRequest, RecordRequest},
    error::ErrorCode,
};
use governance::{
    Cx, Error,
    access::permission::EVALUATE,
    base::error::invalid,
    deciding::decision::{self, ResultBytes},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::{
    edge::{
        ApiResult, Authorized, Body, Json, Public,
        access::{self, ItemQuota, TenantOfKey},
        error,
        query::NoQuery,
        request_log::REQUEST_ID,
    },
    state::Service,
};

/// The path of the metadata (Authorization API, "Obtaining Policy Decision Point Metadata").
const METADATA: &str = "/.well-known/authzen-configuration";

const EVALUATION: &str = "/access/v1/evaluation";

const EVALUATIONS: &str = "/access/v1/evaluations";

/// The maximum number of characters of a correlation ID.
const CORRELATION_ID_MAX: usize = 255;

pub(crate) fn routes(service: &Service) -> Router<Service> {
    let guard = middleware::from_fn_with_state((service.clone(), EVALUATE), access::authorize);
    let layers = (middleware::from_fn(message_errors), Extension(TenantOfKey), guard);
    Router::new()
        .route(EVALUATION, post(evaluation))
        .route(EVALUATIONS, post(evaluations))
        .route_layer(layers)
        .route(METADATA, get(metadata))
}

/// Describes the endpoints.
async fn metadata(Public(cx): Public, _: NoQuery) -> impl IntoResponse {
    let link = |path| cx.governance().link(path);
    let metadata = PolicyDecisionPoint {
        policy_decision_point: link(""),
        access_evaluation_endpoint: link(EVALUATION),
        access_evaluations_endpoint: link(EVALUATIONS),
    };
    ([(header::CACHE_CONTROL, "public, max-age=3600")], Json(metadata))
}

/// Evaluates one request.
async fn evaluation(
    Authorized(cx): Authorized,
    headers: HeaderMap,
    body: Body<AccessRequest>,
) -> ApiResult<Json<AccessDecision>> {
    Ok(Json(decide(&cx, &headers, &body.value).await?))
}

/// Evaluates several requests, or one. Each counts as one request of the rate limit.
async fn evaluations(
    Authorized(cx): Authorized,
    items: ItemQuota,
    headers: HeaderMap,
    body: Body<AccessRequests>,
) -> ApiResult<Response> {
    let (evaluations, semantic) = match body.value {
        AccessRequests::Single(request) => {
            return Ok(Json(decide(&cx, &headers, &request).await?).into_response());
        }
        AccessRequests::Many { evaluations, semantic } => (evaluations, semantic),
    };
    items.count(&cx, evaluations.len()).await?;
    let mut decisions = Vec::with_capacity(evaluations.len());
    let mut results = ResultBytes::default();
    for evaluation in evaluations {
        // After too large results, an evaluation is neither evaluated nor recorded, so that the caller can send it again.
        let result = match (results.check(), evaluation) {
            (Err(error), _) => Err(error),
            (Ok(()), Ok(request)) => decide(&cx, &headers, &request).await,
            (Ok(()), Err(errors)) => Err(invalid(&errors).into()),
        };
        let decision = result.or_else(failure)?;
        results.add(&decision)?;
        let is_last = semantic.ends_with(decision.decision);
        decisions.push(decision);
        if is_last {
            break;
        }
    }
    Ok(Json(Decisions { evaluations: decisions }).into_response())
}

#[derive(Debug, Serialize)]
struct Decisions {
    evaluations: Vec<AccessDecision>,
}

/// Evaluates a request, and records the decision if the request has an idempotency key. A request for which no policy
/// is active is denied.
async fn decide(
    cx: &Cx,
    headers: &HeaderMap,
    access: &AccessRequest,
) -> Result<AccessDecision, Error> {
    let result = match access.idempotency_key() {
        Some(key) => record(cx, headers, access, key.to_owned()).await,
        None => evaluate(cx, headers, access).await,
    };
    match result {
        Err(error) if error.code() == ErrorCode::NoActivePolicies => failure(error),
        result => result,
    }
}

async fn evaluate(
    cx: &Cx,
    headers: &HeaderMap,
    access: &AccessRequest,
) -> Result<AccessDecision, Error> {
    let request = EvaluateRequest {
        context: access.to_context(correlation_id(headers)).map_err(|errors| invalid(&errors))?,
        actor: Some(access.actor()),
        policy_group_code: None,
        policy_ids: None,
        explain: None,
    };
    Ok(AccessDecision::new(decision::evaluate(cx, request).await?.result, None))
}

async fn record(
    cx: &Cx,
    headers: &HeaderMap,
    access: &AccessRequest,
    idempotency_key: String,
) -> Result<AccessDecision, Error> {
    let request = RecordRequest {
        context: access.to_context(correlation_id(headers)).map_err(|errors| invalid(&errors))?,
        idempotency_key,
        actor: Some(access.actor()),
        chain: None,
        action: None,
        policy_group_code: None,
        policy_ids: None,
    };
    let recorded = decision::record(cx, &access.to_json(), request).await?;
    let record = serde_json::from_str::<DecisionRecord>(&recorded.record);
    let record = record.map_err(|error| Error::Bug(error.into()))?;
    Ok(AccessDecision::new(record.result, Some(record.id)))
}

/// Returns the correlation ID of the decision: that of the request, if the caller sent one that can be stored.
fn correlation_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    (id.len() <= CORRELATION_ID_MAX && !id.trim().is_empty()).then_some(id)
}

/// Converts the failure of one evaluation to its denial.
///
/// # Errors
/// Returns an error that concerns the whole request: of the caller's rights, or of the service.
fn failure(error: Error) -> Result<AccessDecision, Error> {
    match error.status() {
        400 | 404 | 409 => Ok(AccessDecision::failed(error.status(), error.problem())),
        422 => Ok(AccessDecision::failed(400, error.problem())),
        _ => Err(error),
    }
}

/// Converts errors to the form of the standard: a status and a message.
async fn message_errors(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let status = match response.status() {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            StatusCode::BAD_REQUEST
        }
        status => status,
    };
    let has_message = matches!(status.as_u16(), 400 | 401 | 403 | 500);
    let Some(error) = has_message.then(|| error::take_pending(&mut response)).flatten() else {
        return response;
    };
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, text);
    *response.body_mut() = ResponseBody::from(message(&error));
    response
}

/// Returns the message of an error, with all errors of the body.
fn message(error: &Error) -> String {
    let errors = error.field_errors().unwrap_or_default();
    // The message of a single error contains its path.
    let errors = if errors.len() > 1 { errors } else { &[] };
    let lines = errors.iter().map(|error| format!("\n{}: {}", error.path, error.message));
    std::iter::once(error.message().to_owned()).chain(lines).collect()
}
