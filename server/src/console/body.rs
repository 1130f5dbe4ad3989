//! Bodies of console requests. They are read completely and with a size limit before a page or server
//! function runs.

use axum::{
    Extension,
    body::Body,
    extract::{MatchedPath, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorBody;
use governance::{CorrelationId, Error};
use http::{HeaderValue, StatusCode, header, request::Parts};
use http_body::Body as _;
use kit::{flash::PostedForm, problem::Problem, text::url::POSTED_PAGES};
use serde_json::Value;

use crate::edge::{
    ApiError,
    extract::{BODY_MAX, read_whole},
    html_form,
};

/// Reads the body of a request before the handler runs. A body that is too large or is no readable form is rejected
/// here, because the framework would report it as an internal error.
pub(super) async fn limit_body(
    Extension(correlation_id): Extension<CorrelationId>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_server_function_call = wants_json(&request);
    let read = read_whole(request, BODY_MAX).await.and_then(|(parts, bytes)| {
        if !bytes.is_empty() {
            html_form::check(&parts.headers, &bytes)?;
        }
        Ok((parts, bytes))
    });
    match read {
        Ok((mut parts, bytes)) => {
            if POSTED_PAGES.contains(&matched_path(&parts)) {
                parts.extensions.insert(PostedForm(bytes.to_vec().into()));
            }
            next.run(Request::from_parts(parts, Body::from(bytes))).await
        }
        Err(ApiError(Error::Refused(refusal))) if is_server_function_call => {
            server_function_error(&Error::Refused(refusal), &correlation_id)
        }
        Err(failure) => failure.into_response(),
    }
}

/// Returns the route of the request.
fn matched_path(parts: &Parts) -> &str {
    parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// Returns whether the script of a page calls a server function. Only then does the client accept nothing but
/// JSON.
fn wants_json(request: &Request) -> bool {
    request.headers().get(header::ACCEPT).is_some_and(|accept| accept == "application/json")
}

/// Returns a refusal for the script of a page. The body also has the members of an error body of `/v1`.
fn server_function_error(error: &Error, correlation_id: &CorrelationId) -> Response {
    let problem = Problem {
        correlation_id: Some(correlation_id.as_str().into()),
        ..Problem::of_error(error)
    };
    let envelope = ErrorBody {
        error: error.problem(),
        correlation_id: correlation_id.to_string(),
        retry_after: None,
    };
    let members = [serde_json::to_value(problem), serde_json::to_value(envelope)];
    let members = members.into_iter().flatten().filter_map(|value| match value {
        Value::Object(members) => Some(members),
        _ => None,
    });
    let body = Value::Object(members.flatten().collect()).to_string();
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let mut response = (status, body).into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
