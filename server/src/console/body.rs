//! Bodies that browsers send to the console: read whole and within a bound, before a page or function sees them.

use app::problem::Problem;
use axum::{
    Extension,
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorBody;
use governance::{CorrelationId, Error};
use http::{HeaderValue, StatusCode, header};
use http_body::Body as _;
use serde_json::Value;

use crate::edge::{
    error::Failure,
    extract::{BODY_MAX, read_whole},
};

/// Reads the body of a request before the rest of it is looked at. One that is too large is refused: the framework
/// would answer that with a fault of the service.
pub(super) async fn limited(
    Extension(correlation_id): Extension<CorrelationId>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_function = wants_json(&request);
    match read_whole(request, BODY_MAX).await {
        Ok((parts, bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(Failure(Error::Refused(refusal))) if is_function => {
            of_function(&Error::Refused(refusal), &correlation_id)
        }
        Err(failure) => failure.into_response(),
    }
}

/// Whether the code of a page calls a server function: it asks for JSON and nothing else.
fn wants_json(request: &Request) -> bool {
    request.headers().get(header::ACCEPT).is_some_and(|accept| accept == "application/json")
}

/// A refusal as the code of a page reads it. It is the error body of every refusal too.
fn of_function(error: &Error, correlation_id: &CorrelationId) -> Response {
    let problem = Problem {
        status: error.status(),
        correlation_id: Some(correlation_id.as_str().into()),
        ..error.problem().into()
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
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::PAYLOAD_TOO_LARGE);
    let mut response = (status, body).into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
