//! What the process writes about itself: a line for each request, and nothing that is nobody's business.

use std::{
    future::pending,
    io,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
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

use crate::{
    client::Client,
    service::{PASSWORD, TestServiceBuilder, request},
};

/// A log that can be read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Lines {
    /// From here on this thread, on which all of a test runs, writes its log here.
    fn begin(environment: Environment, filter: &str) -> (Self, DefaultGuard) {
        let lines = Self::default();
        let log = logging::subscriber(environment, filter, false, lines.clone());
        (lines, tracing::subscriber::set_default(log))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panics").clone()).expect("a log is text")
    }

    fn json(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("each line is JSON");
        self.text().lines().map(parse).collect()
    }
}

#[tokio::test]
async fn in_production_each_request_is_one_line_of_json() {
    let (lines, _guard) = Lines::begin(Environment::Production, logging::FILTER);
    let world = TestServiceBuilder::default().world().await;
    world.active("PAY-01").await;
    let call = world.key.post("/v1/decisions/record", &request("k-1", 1));
    call.header("x-correlation-id", "trace-1").await.expect(201);
    world.public.get("/v1/nothing").header("x-correlation-id", "trace-2").await;

    let lines = lines.json();
    let of = |id: &str| -> Vec<&Value> {
        lines.iter().filter(|line| line["correlation_id"] == id).collect()
    };
    let [recorded] = of("trace-1")[..] else { panic!("one line for each request") };
    let fields = ["level", "message", "method", "route", "status", "tenant.id"];
    let tenant = world.tenant.to_string();
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
    let [missing] = of("trace-2")[..] else { panic!("one line for each request") };
    assert_eq!(missing["route"], "unmatched");
    assert_eq!(missing.get("tenant.id"), None);
}

#[tokio::test]
async fn no_secret_body_or_address_is_ever_logged() {
    for environment in [Environment::Production, Environment::Development] {
        // More than anybody logs, of all that is ours.
        let (lines, guard) =
            Lines::begin(environment, "info,server=trace,governance=trace,app=trace");
        let edge =
            EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
        let world =
            TestServiceBuilder { edge, environment, ..TestServiceBuilder::default() }.world().await;
        world.active("PAY-01").await;
        let public = world.public.with("x-forwarded-for", "203.0.113.77");
        let marked = "a-marked-secret";
        let person = json!({"email": world.admin_email, "password": PASSWORD});
        public.post("/v1/session", &person).await.expect(200);
        let wrong = json!({"email": "marked@acme.example", "password": marked});
        public.post("/v1/session", &wrong).await.expect(401);
        public.post("/v1/session", &json!({"password": marked, marked: marked})).await.expect(422);
        let body = json!({"idempotency_key": marked, "context": {
            "decision_type": "payment", "fields": {"amount": 1, "purpose": marked},
        }});
        world.key.post("/v1/decisions/record", &body).await.expect(201);
        for (name, value) in [
            ("authorization", format!("Bearer svc_{marked}")),
            ("cookie", format!("govern={marked}")),
            ("x-api-key", marked.to_owned()),
        ] {
            public.get("/v1/policies").header(name, &value).await;
            let call = public.get(format!("/v1/policies/{marked}?cursor={marked}&{marked}=1"));
            call.header("x-service-tenant-id", world.tenant).header(name, &value).await;
        }
        public.call("POST", "/v1/session").body("application/json", format!("{{{marked}")).await;
        public.call(marked, format!("/{marked}")).await;
        let form = public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
        let typed = format!("email={marked}%40acme.example&password={marked}");
        let call = form.call("POST", "/console/log-in");
        call.body("application/x-www-form-urlencoded", typed).await;
        drop(guard);

        let text = lines.text();
        assert!(text.contains("/v1/decisions/record"), "{text}");
        let secrets = [marked, "svc_", PASSWORD, "@acme.example", "203.0.113.77", "127.0.0.1"];
        for secret in secrets {
            let told = text.lines().find(|line| line.contains(secret));
            assert_eq!(told, None, "{secret}");
        }
        assert!(!text.contains('\u{1b}'), "colours are for terminals");
    }
}

#[tokio::test]
async fn whoever_waits_for_the_start_makes_no_noise() {
    let (lines, _guard) = Lines::begin(Environment::Production, logging::FILTER);
    let starting = StartupService::new(Edge::new(&EdgeConfig::default(), Environment::Development));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let public = Client::new(listener.local_addr().expect("it is bound"));
    tokio::spawn(listen::serve(listener, starting.clone(), pending()));
    for _ in 0..3 {
        assert_eq!(public.get("/v1/ready").await.status, 503);
    }
    assert_eq!(lines.text(), "");
}

#[test]
fn a_filter_that_cannot_be_read_is_refused() {
    assert!(logging::filter("server=debug").is_ok());
    assert!(logging::filter("server=loud,=,").is_err());
}
