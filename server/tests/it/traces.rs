//! Traces: the spans of requests, which a collector receives over OTLP, and the exemplars of the metrics.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::ready,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, body::Bytes, http::StatusCode, routing::post};
use governance::ServiceOptions;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value as AnyValue},
    trace::v1::{ResourceSpans, Span, span::SpanKind},
};
use prost::Message;
use server::{
    config::{
        Environment,
        traces::{TraceSampler, TracesConfig},
    },
    logging,
    traces::Traces,
};
use tokio::net::TcpListener;

use crate::{client::Call, logs::LogBuffer, prelude::*};

/// The time limit until the collector has received all spans of a test.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The ID of the caller's span.
const CALLER_SPAN: u64 = 0xb7ad_6b71_6920_3331;

/// A collector that stores what it receives.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ResourceSpans>>>);

impl Collector {
    /// Serves on a free port and returns the address.
    async fn serve(&self) -> SocketAddr {
        self.serve_on(TcpListener::bind("127.0.0.1:0").await.expect("a free port"))
    }

    fn serve_on(&self, listener: TcpListener) -> SocketAddr {
        let address = listener.local_addr().expect("a bound listener");
        let received = Arc::clone(&self.0);
        let receive = move |body: Bytes| {
            let request = ExportTraceServiceRequest::decode(body).expect("spans in protobuf");
            received.lock().expect("no test panics with the lock").extend(request.resource_spans);
            ready(StatusCode::OK)
        };
        let router = Router::new().route("/v1/traces", post(receive));
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn spans(&self) -> Vec<Span> {
        let received = self.0.lock().expect("no test panics with the lock");
        let scopes = received.iter().flat_map(|resource| &resource.scope_spans);
        scopes.flat_map(|scope| &scope.spans).cloned().collect()
    }

    /// Exports until the received spans meet the condition, and returns them.
    async fn spans_when(&self, traces: &Traces, is_met: impl Fn(&[Span]) -> bool) -> Vec<Span> {
        let export = async {
            loop {
                traces.flush().await;
                let spans = self.spans();
                if is_met(&spans) {
                    return spans;
                }
                tokio::task::yield_now().await;
            }
        };
        let result = tokio::time::timeout(TIMEOUT, export).await;
        result.unwrap_or_else(|_| panic!("spans are missing: {:#?}", self.spans()))
    }
}

/// Returns the exporter to `collector`. With `ParentbasedAlwaysOff`, only requests with a sampled `traceparent` are
/// traced.
fn traces(collector: SocketAddr, sampler: TraceSampler) -> Traces {
    let endpoint = Some(format!("http://{collector}").parse().expect("a URL"));
    let config = TracesConfig { endpoint, sampler, ..TracesConfig::default() };
    Traces::from_config(&config).expect("the settings are valid")
}

async fn traced_service(traces: &Traces) -> TestService {
    let options = ServiceOptions { tracer: traces.tracer(), ..ServiceOptions::default() };
    let service = test_service_with(options).await;
    service.active("PAY-01").await;
    service
}

fn evaluate(client: &Client) -> Call {
    client.post("/v1/decisions/evaluate", &json!({"context": payment(1)}))
}

/// Adds the header of a caller that traces the request, or decided not to, as `trace`.
fn traced(call: Call, trace: u128, is_sampled: bool) -> Call {
    let flags = u8::from(is_sampled);
    call.header("traceparent", format!("00-{trace:032x}-{CALLER_SPAN:016x}-{flags:02x}"))
}

fn of_trace(spans: &[Span], trace: u128) -> Vec<&Span> {
    spans.iter().filter(|span| span.trace_id == trace.to_be_bytes()).collect()
}

fn names<'s>(spans: &[&'s Span]) -> BTreeSet<&'s str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

fn named<'s>(spans: &[&'s Span], name: &str) -> &'s Span {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name}: {spans:#?}"))
}

/// The attributes by name, as text.
fn attributes(attributes: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |attribute: &KeyValue| match attribute.value.clone().and_then(|any| any.value) {
        Some(AnyValue::StringValue(text)) => text,
        Some(AnyValue::IntValue(number)) => number.to_string(),
        other => panic!("neither text nor a number: {other:?}"),
    };
    attributes.iter().map(|attribute| (attribute.key.as_str(), text(attribute))).collect()
}

const EVALUATE: &str = "POST /v1/decisions/evaluate";
const RECORD: &str = "POST /v1/decisions/record";
const GROUP: &str = "record group";

/// The phases of a record, in their order.
const PHASES: [&str; 6] = ["authentication", "snapshot", "engine", "sign", "queue", "commit"];

#[tokio::test]
async fn requests_and_their_phases_are_spans_in_the_trace_of_the_caller() {
    let collector = Collector::default();
    let traces = traces(collector.serve().await, TraceSampler::ParentbasedAlwaysOff);
    let service = traced_service(&traces).await;
    let (evaluated, recorded) = (1, 2);
    traced(evaluate(&service.key), evaluated, true).await.expect(200);
    let mut body = request("a-marked-key", 1);
    body["context"]["fields"]["purpose"] = "a-marked-purpose".into();
    let call = service.key.post("/v1/decisions/record", &body);
    let call = traced(call, recorded, true).header("x-correlation-id", "order-7");
    let response = call.await;
    response.expect(201);
    assert_eq!(response.header("x-correlation-id"), Some("order-7"));

    let in_evaluation = BTreeSet::from([EVALUATE, "authentication", "engine", "snapshot"]);
    let in_record: BTreeSet<&str> = PHASES.into_iter().chain([RECORD, GROUP]).collect();
    let spans = collector.spans_when(&traces, |spans| {
        names(&of_trace(spans, evaluated)) == in_evaluation
            && names(&of_trace(spans, recorded)) == in_record
    });
    let spans = spans.await;
    for (trace, name) in [(evaluated, EVALUATE), (recorded, RECORD)] {
        let spans = of_trace(&spans, trace);
        let root = named(&spans, name);
        assert_eq!(root.parent_span_id, CALLER_SPAN.to_be_bytes());
        assert_eq!(root.kind, i32::from(SpanKind::Server));
        for span in spans.iter().filter(|span| span.name != name) {
            assert_eq!(span.parent_span_id, root.span_id, "{}", span.name);
        }
    }
    let spans_of_record = of_trace(&spans, recorded);
    let root = named(&spans_of_record, RECORD);
    assert_eq!(
        attributes(&root.attributes),
        BTreeMap::from([
            ("correlation_id", "order-7".to_owned()),
            ("http.request.method", "POST".to_owned()),
            ("http.response.status_code", "201".to_owned()),
            ("http.route", "/v1/decisions/record".to_owned()),
            ("tenant.id", service.tenant.to_string()),
        ])
    );
    let phases = PHASES.map(|name| named(&spans_of_record, name));
    for [before, after] in phases.array_windows() {
        assert!(before.end_time_unix_nano <= after.start_time_unix_nano, "{}", after.name);
    }
    assert!(phases[5].end_time_unix_nano <= root.end_time_unix_nano);
    let exported = format!("{spans:?}");
    for secret in ["marked", "svc_", service.admin_email.as_str()] {
        assert!(!exported.contains(secret), "{secret}");
    }
    let resources = collector.0.lock().expect("no test panics with the lock").clone();
    for resource in resources.into_iter().filter_map(|spans| spans.resource) {
        let service_name = resource.attributes.iter().find(|value| value.key == "service.name");
        let service_name = service_name.map(|value| attributes(std::slice::from_ref(value)));
        assert_eq!(service_name, Some(BTreeMap::from([("service.name", "govern".to_owned())])));
    }
    traces.shutdown().await;
}

#[tokio::test]
async fn the_span_of_a_group_is_linked_to_its_requests() {
    let collector = Collector::default();
    let traces = traces(collector.serve().await, TraceSampler::ParentbasedAlwaysOff);
    let service = traced_service(&traces).await;
    let calls = (1..=8).map(|trace| {
        let body = request(&format!("k-{trace}"), 1);
        let call = traced(service.key.post("/v1/decisions/record", &body), trace, true);
        tokio::spawn(async move { call.await.expect(201) })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.expect("the decision is recorded");
    }

    let groups_of = |spans: &[Span], trace: u128| -> Vec<(Vec<u8>, Span)> {
        let spans_of_trace = of_trace(spans, trace);
        let request = spans_of_trace.iter().find(|span| span.name == RECORD);
        let commit = spans_of_trace.iter().find(|span| span.name == "commit");
        let (Some(request), Some(commit)) = (request, commit) else { return Vec::new() };
        let linked = commit.links.iter().filter_map(|link| {
            spans
                .iter()
                .find(|span| (&span.trace_id, &span.span_id) == (&link.trace_id, &link.span_id))
        });
        linked.map(|group| (request.span_id.clone(), group.clone())).collect()
    };
    let spans = collector
        .spans_when(&traces, |spans| (1..=8).all(|trace| groups_of(spans, trace).len() == 1));
    let spans = spans.await;
    for trace in 1..=8 {
        for (request, group) in groups_of(&spans, trace) {
            assert_eq!(group.name, GROUP);
            let mut links = group.links.iter();
            assert!(
                links.any(|link| link.trace_id == trace.to_be_bytes() && link.span_id == request),
                "{group:#?}"
            );
            let records = attributes(&group.attributes)["records"].clone();
            assert_eq!(records, group.links.len().to_string(), "each request is traced");
        }
    }
    traces.shutdown().await;
}

#[tokio::test]
async fn requests_are_traced_only_with_a_collector_and_if_the_caller_samples() {
    let collector = Collector::default();
    let traces = traces(collector.serve().await, TraceSampler::default());
    let service = traced_service(&traces).await;
    traced(evaluate(&service.key), 1, false).await.expect(200);
    service.public.get("/v1/health").await.expect(200);
    evaluate(&service.key).header("x-correlation-id", "last").await.expect(200);
    let is_last = |span: &Span| attributes(&span.attributes).values().any(|value| value == "last");
    let spans = collector.spans_when(&traces, |spans| spans.iter().any(is_last)).await;
    assert!(of_trace(&spans, 1).is_empty(), "the caller decided not to trace the request");
    assert!(!spans.iter().any(|span| span.name.contains("/v1/health")));
    traces.shutdown().await;

    let disabled = Traces::from_config(&TracesConfig::default()).expect("the settings are valid");
    assert!(!disabled.tracer().is_enabled());
    let service = traced_service(&disabled).await;
    traced(evaluate(&service.key), 2, true).await.expect(200);
    disabled.shutdown().await;
    assert!(of_trace(&collector.spans(), 2).is_empty());
}

#[tokio::test]
async fn a_collector_that_does_not_respond_is_logged_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound listener");
    drop(listener);
    let traces = traces(address, TraceSampler::ParentbasedAlwaysOff);
    let service = traced_service(&traces).await;
    let (log, _guard) = LogBuffer::capture(Environment::Production, logging::FILTER);
    for trace in 1..=3 {
        traced(evaluate(&service.key), trace, true).await.expect(200);
        traces.flush().await;
    }
    let lines_about_traces = || -> Vec<String> {
        let lines = log.json().into_iter().filter(|line| line["target"] == "server::traces");
        lines
            .map(|line| format!("{} {} {}", line["level"], line["message"], line["error"]))
            .collect()
    };
    assert_eq!(
        lines_about_traces(),
        [r#""WARN" "traces are not exported" "the collector cannot be reached""#]
    );

    let collector = Collector::default();
    collector.serve_on(TcpListener::bind(address).await.expect("the port is free again"));
    for trace in 4..=5 {
        traced(evaluate(&service.key), trace, true).await.expect(200);
        collector.spans_when(&traces, |spans| !of_trace(spans, trace).is_empty()).await;
    }
    assert_eq!(lines_about_traces()[1..], [r#""INFO" "traces are exported again" null"#]);
    let requests = log.json().into_iter().filter(|line| line["message"] == "request");
    let trace_ids: Vec<String> =
        requests.filter_map(|line| line["trace_id"].as_str().map(str::to_owned)).collect();
    assert_eq!(trace_ids, [1, 2, 3, 4, 5].map(|trace| format!("{trace:032x}")));
    traces.shutdown().await;
}

#[tokio::test]
async fn openmetrics_has_the_traces_of_observations_as_exemplars() {
    let collector = Collector::default();
    let traces = traces(collector.serve().await, TraceSampler::ParentbasedAlwaysOff);
    let service = traced_service(&traces).await;
    let call = service.key.post("/v1/decisions/record", &request("k-1", 1));
    traced(call, 7, true).await.expect(201);

    let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3";
    let page = service.public.get("/metrics").header("accept", accept).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(
        page.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    assert!(page.text.ends_with("\n# EOF\n"), "{}", page.text);
    let exemplar = format!(" # {{trace_id=\"{:032x}\"}} ", 7);
    for series in [
        "govern_http_request_duration_seconds_bucket{method=\"POST\",\
         route=\"/v1/decisions/record\",status_class=\"2xx\",le=",
        "govern_evaluation_seconds_bucket{le=",
        "govern_signing_seconds_bucket{le=",
        "govern_record_seconds_bucket{le=",
        "govern_record_group_records_bucket{le=\"1\"} 1",
    ] {
        let mut lines = page.text.lines().filter(|line| line.starts_with(series));
        assert!(lines.any(|line| line.contains(&exemplar)), "{series}: {}", page.text);
    }
    let plain = service.public.get("/metrics").header("accept", "text/plain").await;
    assert_eq!(plain.header("content-type"), Some("text/plain; version=0.0.4"));
    assert!(!plain.text.contains("trace_id"), "{}", plain.text);
    traces.shutdown().await;
}
