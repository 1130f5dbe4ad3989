//! The outermost layer: correlation ID, rate limit by address, store permit, deadline, response headers,
//! access log line, request metrics and the span of the request.

use std::time::{Duration, Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governance::CorrelationId;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use opentelemetry::TraceId;

use crate::{
    edge::{
        access::CallerInfo,
        error::{ApiError, CORRELATION, ResponseFinisher, unavailable},
        error_page,
        quota::Quota,
        rate_limit::QuotaExceeded,
        request_span::{self, RequestSpan},
        store_limiter,
    },
    metrics::{self, CompletedRequest, EarlyRejection},
    state::Service,
};

/// The route label of requests without a route: files of the site and unknown paths.
const UNMATCHED: &str = "unmatched";

/// Handles a request: assigns the correlation ID, writes the response headers and logs the request.
pub(crate) async fn handle_request(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let correlation_id =
        incoming_id(request.headers()).unwrap_or_else(|| service.governance.correlation_id());
    let extensions = request.extensions_mut();
    extensions.insert(correlation_id.clone());
    extensions.insert(service.governance.clone());
    extensions.insert(service.edge.request_limits);
    let matched = extensions.get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let method = request.method().clone();
    let request_id = repeated_request_id(route, request.headers());
    let is_page = error_page::accepts_html_page(&request);

    // Files of the site and requests of monitoring are not traced.
    let span = if matched.is_some() && store_limiter::uses_store(route) {
        let tracer = service.governance.tracer();
        RequestSpan::start(tracer, (&method, route), request.headers(), &correlation_id)
    } else {
        None
    };
    let respond = respond(&service, request, route, next);
    let (mut response, quota) = request_span::within(span.as_ref(), respond).await;
    let caller: CallerInfo = response.extensions_mut().remove().unwrap_or_default();
    let quota = caller.quota.into_iter().chain(quota).reduce(Quota::stricter);
    let mut response = ResponseFinisher {
        correlation_id: &correlation_id,
        quota,
        is_page,
        is_https: service.is_https,
    }
    .finish(response);
    if let Some(id) = request_id {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let log_line = AccessLogLine {
        method,
        route,
        status: response.status(),
        caller,
        correlation_id,
        elapsed: start.elapsed(),
        trace_id: span.as_ref().map(RequestSpan::trace_id),
    };
    log_line.write(&service);
    if let Some(span) = span {
        span.end(response.status(), log_line.caller.tenant_id);
    }
    response
}

/// Returns the response, and the remaining requests of its address.
async fn respond(
    service: &Service,
    mut request: Request,
    route: &str,
    next: Next,
) -> (Response, Option<Quota>) {
    let now = service.governance.clock().now();
    let quota = match service.edge.check_rate_limit(&mut request, now).await {
        Ok(quota) => quota,
        Err(QuotaExceeded { quota, failure }) => {
            service.metrics.count_rejection(EarlyRejection::Address);
            return (failure.into_response(), Some(quota));
        }
    };
    // Lives until the response is ready, because the request is dropped when its handler has read it.
    let _permit = match service.edge.acquire_store_permit(&mut request, route) {
        Ok(permit) => permit,
        Err(overloaded) => {
            service.metrics.count_rejection(EarlyRejection::Overload);
            return (ApiError(overloaded).expected(), quota);
        }
    };
    let result =
        tokio::time::timeout(service.edge.request_limits.request_timeout, next.run(request)).await;
    (
        result
            .unwrap_or_else(|_| ApiError(unavailable(2, "the request timed out")).into_response()),
        quota,
    )
}

struct AccessLogLine<'a> {
    method: Method,
    route: &'a str,
    status: StatusCode,
    caller: CallerInfo,
    correlation_id: CorrelationId,
    elapsed: Duration,
    /// The trace of the request, if it is traced.
    trace_id: Option<TraceId>,
}

impl AccessLogLine<'_> {
    fn write(&self, service: &Service) {
        let Self { method, route, status, caller, correlation_id, elapsed, trace_id } = self;
        tracing::info!(
            method = metrics::method_label(method),
            route,
            status = status.as_u16(),
            elapsed_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            tenant.id = caller.tenant_id.map(tracing::field::display),
            key.id = caller.key_id.map(tracing::field::display),
            user.id = caller.user_id.map(tracing::field::display),
            %correlation_id,
            trace_id = trace_id.map(tracing::field::display),
            "request"
        );
        let seconds = elapsed.as_secs_f64();
        service.metrics.count_request(&CompletedRequest {
            method,
            route,
            status: *status,
            seconds,
            trace_id: *trace_id,
        });
    }
}

/// The header with which callers of the Authorization API identify a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the request ID that the response must repeat (Authorization API, "Request Identification").
fn repeated_request_id(route: &str, headers: &HeaderMap) -> Option<HeaderValue> {
    headers.get(REQUEST_ID).filter(|_| route.starts_with("/access/")).cloned()
}

/// Returns the correlation ID of the request, if it is well-formed.
pub(crate) fn incoming_id(headers: &HeaderMap) -> Option<CorrelationId> {
    CorrelationId::parse(headers.get(CORRELATION)?.to_str().ok()?)
}
