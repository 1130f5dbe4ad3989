//! Application logging: one line per request, without secrets, bodies or addresses.

use std::{
    future::pending,
    io,
    sync::{Arc, Mutex},
};

use server::{
    config::{
        Environment,
        edge::{EdgeConfig, Rates},
    },
    edge::{Edge, listen, startup::StartupService},
    logging,
};
use tokio::net::TcpListener;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

use crate::prelude::*;

/// A log in memory.
#[derive(Clone, Default)]
pub(crate) struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl io::Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogBuffer {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl LogBuffer {
    /// Captures the log of this thread until the guard is dropped. A test runs on one thread.
    pub(crate) fn capture(environment: Environment, filter: &str) -> (Self, DefaultGuard) {
        let buffer = Self::default();
        let subscriber = logging::subscriber(environment, filter, false, buffer.clone());
        (buffer, tracing::subscriber::set_default(subscriber))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no writer panics").clone()).expect("a log is text")
    }

    pub(crate) fn json(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("each line is JSON");
        self.text().lines().map(parse).collect()
    }
}

#[tokio::test]
async fn production_logs_one_json_line_per_request() {
    let (buffer, _guard) = LogBuffer::capture(Environment::Production, logging::FILTER);
    let service = TestServiceBuilder::default().start().await;
    service.active("PAY-01").await;
    let call = service.key.post("/v1/decisions/record", &request("k-1", 1));
    call.header("x-correlation-id", "trace-1").await.expect(201);
    service.public.get("/v1/nothing").header("x-correlation-id", "trace-2").await;

    let lines = buffer.json();
    let lines_of = |id: &str| -> Vec<&Value> {
        lines.iter().filter(|line| line["correlation_id"] == id).collect()
    };
    let [recorded] = lines_of("trace-1")[..] else { panic!("one line for each request") };
    let fields = ["level", "message", "method", "route", "status", "tenant.id"];
    let tenant = service.tenant.to_string();
    assert_eq!(
        fields.map(|field| &recorded[field]),
        [
            &json!("INFO"),
            &json!("request"),
            &json!("POST"),
            &json!("/v1/decisions/record"),
            &json!(201),
            &json!(tenant),
        ]
    );
    assert!(recorded["elapsed_us"].is_u64() && recorded["timestamp"].is_string(), "{recorded}");
    assert!(recorded["key.id"].as_str().is_some_and(|id| id.len() == 36), "{recorded}");
    let [missing] = lines_of("trace-2")[..] else { panic!("one line for each request") };
    assert_eq!(missing["route"], "unmatched");
    assert_eq!(missing.get("tenant.id"), None);
}

#[tokio::test]
async fn secrets_bodies_and_addresses_are_not_logged() {
    for environment in [Environment::Production, Environment::Development] {
        // A filter that logs more than any configuration does, for all crates of the project.
        let (buffer, guard) =
            LogBuffer::capture(environment, "info,server=trace,governance=trace,app=trace");
        let edge =
            EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
        let service =
            TestServiceBuilder { edge, environment, ..TestServiceBuilder::default() }.start().await;
        service.active("PAY-01").await;
        let public = service.public.with("x-forwarded-for", "203.0.113.77");
        let marked = "a-marked-secret";
        public.sign_in(&service.admin_email, PASSWORD).await.expect(200);
        public.sign_in("marked@acme.example", marked).await.expect(401);
        public.post("/v1/session", &json!({"password": marked, marked: marked})).await.expect(422);
        let body = json!({"idempotency_key": marked, "context": {
            "decision_type": "payment", "fields": {"amount": 1, "purpose": marked},
        }});
        service.key.post("/v1/decisions/record", &body).await.expect(201);
        for (name, value) in [
            ("authorization", format!("Bearer svc_{marked}")),
            ("cookie", format!("govern={marked}")),
            ("x-api-key", marked.to_owned()),
            ("traceparent", format!("00-{marked}")),
            ("tracestate", format!("{marked}=1")),
        ] {
            public.get("/v1/policies").header(name, &value).await;
            let call = public.get(format!("/v1/policies/{marked}?cursor={marked}&{marked}=1"));
            call.header("x-service-tenant-id", service.tenant).header(name, &value).await;
        }
        public.call("POST", "/v1/session").body("application/json", format!("{{{marked}")).await;
        public.call(marked, format!("/{marked}")).await;
        let form = public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
        let fields = format!("email={marked}%40acme.example&password={marked}");
        let call = form.call("POST", "/console/log-in");
        call.body("application/x-www-form-urlencoded", fields).await;
        drop(guard);

        let text = buffer.text();
        assert!(text.contains("/v1/decisions/record"), "{text}");
        let secrets = [marked, "svc_", PASSWORD, "@acme.example", "203.0.113.77", "127.0.0.1"];
        for secret in secrets {
            let leaked = text.lines().find(|line| line.contains(secret));
            assert_eq!(leaked, None, "{secret}");
        }
        assert!(!text.contains('\u{1b}'), "a log that is not a terminal has no colors");
    }
}

#[tokio::test]
async fn requests_during_startup_are_not_logged() {
    let (buffer, _guard) = LogBuffer::capture(Environment::Production, logging::FILTER);
    let (starting, _) =
        StartupService::new(Edge::new(&EdgeConfig::default(), Environment::Development));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let public = Client::new(listener.local_addr().expect("a bound listener"));
    tokio::spawn(listen::serve(listener, starting, pending()));
    for _ in 0..3 {
        assert_eq!(public.get("/v1/ready").await.status, 503);
    }
    assert_eq!(buffer.text(), "");
}

#[test]
fn invalid_log_filter_is_rejected() {
    assert!(logging::filter("server=debug").is_ok());
    assert!(logging::filter("server=loud,=,").is_err());
}
