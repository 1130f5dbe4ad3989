//! Spans of the phases of a request (`docs/TRACES.md`). The SDK behind the tracer reads its own clock and randomness,
//! which no use case depends on.

use opentelemetry::{
    Context, TraceId,
    global::{BoxedSpan, BoxedTracer, ObjectSafeTracer},
    trace::{SpanBuilder, TraceContextExt as _},
};

/// The source of spans. By default, there are none.
#[derive(Debug, Default)]
pub struct Tracer(Option<BoxedTracer>);

impl Tracer {
    /// Creates a source whose spans `tracer` creates.
    pub fn new(tracer: impl ObjectSafeTracer + Send + Sync + 'static) -> Self {
        Self(Some(BoxedTracer::new(Box::new(tracer))))
    }

    /// Returns whether there are spans.
    pub fn is_enabled(&self) -> bool {
        self.0.is_some()
    }

    /// Starts a span as a child of the span of `parent`, if there is one. The span ends when it is dropped.
    #[must_use = "the span ends when it is dropped"]
    pub fn start(&self, span: SpanBuilder, parent: &Context) -> Option<BoxedSpan> {
        Some(span.start_with_context(self.0.as_ref()?, parent))
    }

    /// Starts the span of a phase of the current request. The phase ends when the span is dropped. Returns `None`
    /// if the request is not traced.
    #[must_use = "the phase ends when its span is dropped"]
    pub fn phase(&self, name: &'static str) -> Option<BoxedSpan> {
        let tracer = self.0.as_ref()?;
        current_trace_id()?;
        Some(SpanBuilder::from_name(name).start_with_context(tracer, &Context::current()))
    }
}

/// Returns the ID of the trace of the current request, if the request is traced.
pub fn current_trace_id() -> Option<TraceId> {
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        span.is_sampled().then(|| span.trace_id())
    })
}
