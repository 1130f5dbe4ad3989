//! Spans of the recorder: the phases `queue` and `commit` of each traced record, and the span of its group.

use opentelemetry::{
    Context, KeyValue,
    global::BoxedSpan,
    trace::{Link, Span as _, SpanBuilder, SpanContext, Status, TraceContextExt as _},
};

use crate::base::trace::Tracer;

/// The current phase of a record whose request is traced.
#[derive(Debug)]
pub(super) struct RecordTrace {
    request: SpanContext,
    phase: BoxedSpan,
}

impl RecordTrace {
    /// Starts the phase `queue` of the current request. Returns `None` if the request is not traced.
    pub(super) fn start(tracer: &Tracer) -> Option<Self> {
        let phase = tracer.phase("queue")?;
        Some(Self { request: Context::current().span().span_context().clone(), phase })
    }

    /// Ends the current phase and starts the phase `queue` again, because the record was not written.
    pub(super) fn requeue(&mut self, tracer: &Tracer) {
        self.enter(tracer, "queue", Vec::new());
    }

    /// Marks the current phase as failed.
    pub(super) fn fail(&mut self) {
        self.phase.set_status(Status::error(""));
    }

    fn enter(&mut self, tracer: &Tracer, name: &'static str, links: Vec<Link>) {
        self.phase.end();
        let phase = SpanBuilder::from_name(name).with_links(links);
        if let Some(phase) = tracer.start(phase, &self.request()) {
            self.phase = phase;
        }
    }

    /// Returns the context of the request, as the parent of a span.
    fn request(&self) -> Context {
        Context::new().with_remote_span_context(self.request.clone())
    }
}

/// Starts the phase `commit` of the traced entries of a group of `records` entries. Returns the context of the group's span, which is
/// linked to the spans of their requests, or an empty context if no entry is traced.
///
/// The span of the group is a child of the first request, so that it is sampled whenever a request is.
pub(super) fn start_commit(
    tracer: &Tracer,
    records: usize,
    mut traces: Vec<&mut RecordTrace>,
) -> Context {
    let Some(first) = traces.first() else { return Context::new() };
    let links = traces.iter().map(|trace| Link::with_context(trace.request.clone()));
    let group = SpanBuilder::from_name("record group")
        .with_attributes([KeyValue::new("records", i64::try_from(records).unwrap_or(i64::MAX))])
        .with_links(links.collect());
    let Some(group) = tracer.start(group, &first.request()) else { return Context::new() };
    for trace in &mut traces {
        trace.enter(tracer, "commit", vec![Link::with_context(group.span_context().clone())]);
    }
    Context::new().with_span(group)
}
