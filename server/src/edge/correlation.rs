//! The outermost layer: correlation id, limit by address, a place, the deadline, headers of every
//! answer, one log line, and its count.

use std::time::{Duration, Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governance::{CorrelationId, Error};
use http::{HeaderMap, Method, StatusCode};

use crate::{
    edge::{
        access::Known,
        error::{CORRELATION, Failure, Finish},
        page,
        rate_limit::{Exceeded, Quota},
    },
    metrics::{self, Answered, Refused},
    state::Service,
};

/// The route of a request that none of them takes: files of the site, and what is not there.
const UNMATCHED: &str = "unmatched";

/// Gives the request its correlation id and the answer its headers.
pub(crate) async fn correlate(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let correlation_id =
        own(request.headers()).unwrap_or_else(|| service.governance.correlation_id());
    let extensions = request.extensions_mut();
    extensions.insert(correlation_id.clone());
    extensions.insert(service.governance.clone());
    extensions.insert(service.edge.bounds);
    let matched = extensions.get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let method = request.method().clone();
    let is_page = page::is_wanted(&request);

    let (mut response, quota) = answer(&service, request, route, next).await;
    let known: Known = response.extensions_mut().remove().unwrap_or_default();
    let quota = known.quota.into_iter().chain(quota).reduce(Quota::tighter);
    let response =
        Finish { correlation_id: &correlation_id, quota, is_page, is_https: service.is_https }
            .finish(response);
    let line = Line {
        method,
        route,
        status: response.status(),
        known,
        correlation_id,
        took: start.elapsed(),
    };
    line.note(&service);
    response
}

/// The answer, and what its address may still send.
async fn answer(
    service: &Service,
    mut request: Request,
    route: &str,
    next: Next,
) -> (Response, Option<Quota>) {
    let now = service.governance.clock().now();
    let quota = match service.edge.admit(&mut request, now).await {
        Ok(quota) => quota,
        Err(Exceeded { quota, failure }) => {
            service.metrics.refused(Refused::Address);
            return (failure.into_response(), Some(quota));
        }
    };
    // Held until the answer is there: the request itself is gone when its handler has read it.
    let _place = match service.edge.take_place(&mut request, route) {
        Ok(place) => place,
        Err(overloaded) => {
            service.metrics.refused(Refused::Overload);
            return (Failure(overloaded).expected(), quota);
        }
    };
    let answered = tokio::time::timeout(service.edge.bounds.request, next.run(request)).await;
    (answered.unwrap_or_else(|_| Failure(overdue()).into_response()), quota)
}

/// One request, as the log tells it.
struct Line<'a> {
    method: Method,
    route: &'a str,
    status: StatusCode,
    known: Known,
    correlation_id: CorrelationId,
    took: Duration,
}

impl Line<'_> {
    fn note(&self, service: &Service) {
        let Self { method, route, status, known, correlation_id, took } = self;
        tracing::info!(
            method = metrics::known(method),
            route,
            status = status.as_u16(),
            elapsed_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            tenant.id = known.tenant_id.map(tracing::field::display),
            key.id = known.key_id.map(tracing::field::display),
            user.id = known.user_id.map(tracing::field::display),
            %correlation_id,
            "request"
        );
        let seconds = took.as_secs_f64();
        service.metrics.answered(&Answered { method, route, status: *status, seconds });
    }
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
