//! The outermost layer: correlation id, headers of every answer, one log line, and the deadline.

use std::time::{Duration, Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governance::{CorrelationId, Error};
use http::HeaderMap;

use crate::{
    edge::error::{CORRELATION, Failure, finish},
    state::Service,
};

/// How long the whole work of a request may take (contract, section 1).
const DEADLINE: Duration = Duration::from_secs(30);

/// Gives the request its correlation id and the answer its headers.
pub(crate) async fn correlate(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let correlation_id =
        own(request.headers()).unwrap_or_else(|| service.governance.correlation_id());
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

    let response = finish(response, &correlation_id);
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

/// The well-formed id that a request brought.
pub(crate) fn own(headers: &HeaderMap) -> Option<CorrelationId> {
    CorrelationId::parse(headers.get(CORRELATION)?.to_str().ok()?)
}

fn overdue() -> Error {
    Error::Unavailable {
        retry_after: Duration::from_secs(2),
        cause: "the request took longer than its deadline".into(),
    }
}
