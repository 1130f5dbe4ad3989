//! The span of a request (`docs/TRACES.md`).

use contract::id::TenantId;
use futures_util::future::Either;
use governance::{CorrelationId, base::trace::Tracer};
use http::{HeaderMap, Method, StatusCode};
use opentelemetry::{
    Context, KeyValue, TraceId,
    context::{FutureExt as _, WithContext},
    propagation::TextMapPropagator as _,
    trace::{Span as _, SpanBuilder, SpanKind, Status, TraceContextExt as _},
};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;

use crate::metrics::method_label;

/// The span of a request that is traced.
#[derive(Clone, Debug)]
pub(crate) struct RequestSpan(Context);

impl RequestSpan {
    /// Starts the span of a request, as a child of the caller's span if there is a valid `traceparent` header.
    /// Returns `None` if the request is not traced.
    pub(crate) fn start(
        tracer: &Tracer,
        (method, route): (&Method, &str),
        headers: &HeaderMap,
        correlation_id: &CorrelationId,
    ) -> Option<Self> {
        if !tracer.is_enabled() {
            return None;
        }
        let method = method_label(method);
        let span = SpanBuilder::from_name(format!("{method} {route}")).with_kind(SpanKind::Server);
        let caller = TraceContextPropagator::new()
            .extract_with_context(&Context::new(), &HeaderExtractor(headers));
        let mut span = tracer.start(span, &caller)?;
        if !span.span_context().is_sampled() {
            return None;
        }
        span.set_attributes([
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("correlation_id", correlation_id.to_string()),
        ]);
        Some(Self(Context::new().with_span(span)))
    }

    pub(crate) fn trace_id(&self) -> TraceId {
        self.0.span().span_context().trace_id()
    }

    /// Ends the span. A span that is dropped, because the caller has disconnected, ends without a status.
    pub(crate) fn end(&self, status: StatusCode, tenant: Option<TenantId>) {
        let span = self.0.span();
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
        if let Some(tenant) = tenant {
            span.set_attribute(KeyValue::new("tenant.id", tenant.to_string()));
        }
        if status.is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// Runs the future with the span as its current one. Without a span, the future is returned as it is.
pub(crate) fn within<F: Future>(
    span: Option<&RequestSpan>,
    future: F,
) -> Either<WithContext<F>, F> {
    match span {
        Some(RequestSpan(context)) => Either::Left(future.with_context(context.clone())),
        None => Either::Right(future),
    }
}
