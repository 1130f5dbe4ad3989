//! The outermost layer: correlation id, headers of every answer, one log line, and the deadline.

use std::time::{Duration, Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governance::{CorrelationId, Error};
use http::{HeaderName, HeaderValue, header};

use crate::{
    edge::error::{Failure, finish},
    state::Service,
};

/// The header that names a request across services.
const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");

/// How long the whole work of a request may take (contract, section 1).
const DEADLINE: Duration = Duration::from_secs(30);

/// Gives the request its correlation id and the answer its headers.
pub(crate) async fn correlate(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let own = request.headers().get(CORRELATION).and_then(|value| value.to_str().ok());
    let correlation_id =
        own.and_then(CorrelationId::parse).unwrap_or_else(|| service.governance.correlation_id());
    request.extensions_mut().insert(correlation_id.clone());
    request.extensions_mut().insert(service.governance.clone());
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let start = Instant::now();

    let response = match tokio::time::timeout(DEADLINE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Failure(overdue()).into_response(),
    };

    let mut response = finish(response, &correlation_id);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(correlation_id.as_str()) {
        headers.insert(CORRELATION, value);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    tracing::info!(
        %method,
        route,
        status = response.status().as_u16(),
        elapsed_us = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
        %correlation_id,
        "request"
    );
    response
}

fn overdue() -> Error {
    Error::Unavailable {
        retry_after: Duration::from_secs(2),
        cause: "the request took longer than its deadline".into(),
    }
}
