//! Traces: exports the spans of requests over OTLP, if a collector is configured (`docs/TRACES.md`).

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use governance::base::trace::Tracer;
use http::{Request, Response};
use opentelemetry::{KeyValue, trace::TracerProvider as _};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{Sampler, SdkTracerProvider},
};
use tokio::runtime::Handle;

use crate::{
    config::traces::{TraceSampler, TracesConfig},
    outbound::{CallError, Outbound, OutboundResponse},
};

/// The time limit of one export, and of the last export when the process stops.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum size of a response of the collector, which contains at most an error message.
const RESPONSE_BYTES_MAX: usize = 65_536;

/// The exporter of spans. A thread of its own exports them in batches from a bounded queue. Spans that do not fit
/// into the queue are dropped, so no request waits for the collector.
#[derive(Clone, Debug, Default)]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Creates the configured exporter. Without a collector, it exports nothing.
    ///
    /// # Errors
    /// Returns an error if the certificates of the machine cannot be read, or if a variable of the exporter is
    /// invalid.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn from_config(config: &TracesConfig) -> anyhow::Result<Self> {
        let Some(endpoint) = &config.endpoint else { return Ok(Self::default()) };
        let outbound =
            Outbound::for_operator(EXPORT_TIMEOUT).context("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        let calls = ExportCalls { outbound, is_failing: Arc::default() };
        let client = ExportClient { calls, runtime: Handle::current() };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_endpoint(format!("{}/v1/traces", endpoint.as_str().trim_end_matches('/')))
            .with_protocol(Protocol::HttpBinary)
            .build()
            .context("OTEL_EXPORTER_OTLP_*")?;
        let resource = Resource::builder()
            .with_service_name(config.service_name.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(sampler(config))
            .with_resource(resource.build());
        Ok(Self(Some(provider.build())))
    }

    /// Returns the source of the spans that are exported.
    pub fn tracer(&self) -> Tracer {
        let Some(provider) = &self.0 else { return Tracer::default() };
        Tracer::new(provider.tracer("govern"))
    }

    /// Exports the spans that have ended, within the time limit of an export.
    pub async fn flush(&self) {
        self.run_blocking(SdkTracerProvider::force_flush).await;
    }

    /// Exports the spans that have ended, within the time limit of an export, and no spans afterwards.
    pub async fn shutdown(&self) {
        self.run_blocking(|provider| provider.shutdown_with_timeout(EXPORT_TIMEOUT)).await;
    }

    /// Runs an operation that waits for the exporting thread. The client has logged an export that failed.
    async fn run_blocking(&self, operation: fn(&SdkTracerProvider) -> OTelSdkResult) {
        let Some(provider) = self.0.clone() else { return };
        let _ = tokio::task::spawn_blocking(move || operation(&provider)).await;
    }
}

fn sampler(config: &TracesConfig) -> Sampler {
    let parent_based = |root| Sampler::ParentBased(Box::new(root));
    match config.sampler {
        TraceSampler::AlwaysOn => Sampler::AlwaysOn,
        TraceSampler::AlwaysOff => Sampler::AlwaysOff,
        TraceSampler::Traceidratio => Sampler::TraceIdRatioBased(config.ratio),
        TraceSampler::ParentbasedAlwaysOn => parent_based(Sampler::AlwaysOn),
        TraceSampler::ParentbasedAlwaysOff => parent_based(Sampler::AlwaysOff),
        TraceSampler::ParentbasedTraceidratio => {
            parent_based(Sampler::TraceIdRatioBased(config.ratio))
        }
    }
}

/// The HTTP client of the exporter.
#[derive(Debug)]
struct ExportClient {
    calls: ExportCalls,
    /// The runtime that makes the calls. The exporter waits for them in its own thread.
    runtime: Handle,
}

#[async_trait::async_trait]
impl HttpClient for ExportClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let result = self.runtime.spawn(self.calls.clone().send(request)).await?;
        let OutboundResponse { status, headers, body } = result?;
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// The calls of the exporter, which are logged when they begin to fail and when they succeed again.
#[derive(Clone, Debug)]
struct ExportCalls {
    outbound: Outbound,
    is_failing: Arc<AtomicBool>,
}

impl ExportCalls {
    async fn send(self, request: Request<Bytes>) -> Result<OutboundResponse, CallError> {
        let (parts, body) = request.into_parts();
        let post = |client: &reqwest::Client| {
            client.post(parts.uri.to_string()).headers(parts.headers).body(body)
        };
        let result = self.outbound.call(RESPONSE_BYTES_MAX, post).await;
        match &result {
            Ok(response) if response.status.is_success() => self.log_success(),
            Ok(response) => {
                let status = response.status.as_u16();
                self.log_failure(&format_args!("responded with status {status}"));
            }
            Err(error) => self.log_failure(error),
        }
        result
    }

    fn log_success(&self) {
        if self.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!("traces are exported again");
        }
    }

    fn log_failure(&self, error: &dyn fmt::Display) {
        if !self.is_failing.swap(true, Ordering::Relaxed) {
            tracing::warn!(error = %format_args!("the collector {error}"), "traces are not exported");
        }
    }
}
