//! The example receivers of `docs/webhooks.md`, run unchanged against real deliveries.

use std::{fs, path::Path, process::Stdio};

use governance::{
    base::clock::Clock,
    notify::webhook::{DeliveryResult, DeliveryWorker},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdout, Command},
};

use super::{delivery_worker, local_calls, record_denied, send_due};
use crate::prelude::*;

/// A running example receiver and its output.
struct ExampleReceiver {
    _process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    port: u16,
}

impl ExampleReceiver {
    async fn start(program: &str, file: &str, port: u16, secret: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/webhooks.md")).expect("the page exists");
        let source = fs::read_to_string(root.join(file)).expect("the receiver exists");
        assert!(page.contains(&source), "docs/webhooks.md must contain {file} unchanged");
        let mut process = Command::new(program)
            .arg(root.join(file))
            .env("WEBHOOK_SECRET", secret)
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{program} must be installed: {error}"));
        let lines = BufReader::new(process.stdout.take().expect("the output is piped")).lines();
        let mut example = Self { _process: process, lines, port };
        assert_eq!(example.line().await, format!("listening on port {port}"));
        example
    }

    /// Reads the next line of output.
    async fn line(&mut self) -> String {
        self.lines.next_line().await.expect("the output can be read").expect("the receiver runs")
    }

    /// Sends a call and returns the status of the response.
    async fn status(&self, headers: &str, body: &str) -> String {
        let mut socket =
            TcpStream::connect(("127.0.0.1", self.port)).await.expect("the receiver listens");
        let length = body.len();
        let call = format!(
            "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        socket.write_all(call.as_bytes()).await.expect("the receiver reads");
        let mut response = String::new();
        socket.read_to_string(&mut response).await.expect("the receiver responds");
        response.split(' ').nth(1).expect("a status").to_owned()
    }
}

async fn verify_example(program: &str, file: &str) {
    // The receivers compare timestamps with the system clock.
    let builder = TestServiceBuilder {
        clock: Clock::System,
        options: local_calls(),
        ..TestServiceBuilder::default()
    };
    let service = builder.start().await;
    service.active("PAY-01").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("the listener is bound").port();
    drop(listener);
    let draft = json!({"url": format!("http://127.0.0.1:{port}/"), "severity_min": "low"});
    let created = service.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    let mut example = ExampleReceiver::start(program, file, port, text(&created["secret"])).await;
    let decision = record_denied(&service, "k").await;
    let worker = delivery_worker(&service.governance);
    assert_eq!(send_due(&service.governance, &worker).await, [DeliveryResult::Delivered]);
    let id = text(&decision["id"]);
    let expected = format!("high: Policy PAY-01 returned DENY for decision {id}.");
    assert_eq!(example.line().await, expected);
    assert_invalid_calls_are_rejected(&service, &worker, &example).await;
}

/// Asserts that calls without a signature, with an old timestamp or with another body are rejected.
async fn assert_invalid_calls_are_rejected(
    service: &TestService,
    worker: &DeliveryWorker,
    example: &ExampleReceiver,
) {
    let now = service.clock.now().millis();
    for headers in [
        String::new(),
        format!("x-service-timestamp: {now}\r\nx-service-signature: sha256={}\r\n", "0".repeat(64)),
        format!("x-service-timestamp: {now}\r\nx-service-signature: sha256=\r\n"),
    ] {
        assert_eq!(example.status(&headers, "{}").await, "401", "{headers}");
    }
    // A valid call, captured by another receiver.
    let receiver = super::receiver::start().await;
    let sql = format!("update webhook_subscriptions set webhook_url = '{}'", receiver.url("ok"));
    service.sql(&sql).await;
    record_denied(service, "captured").await;
    send_due(&service.governance, worker).await;
    let call = receiver.requests()[0].clone();
    let headers = |timestamp: &str| {
        let names = ["x-service-signature", "x-service-delivery-id"];
        let other_headers: String =
            names.map(|name| format!("{name}: {}\r\n", call.header(name))).concat();
        format!("{other_headers}x-service-timestamp: {timestamp}\r\n")
    };
    let timestamp = call.header("x-service-timestamp");
    let other_body = call.body.replace("high", "low");
    assert_eq!(example.status(&headers(timestamp), &other_body).await, "401");
    let earlier = (now - 400_000).to_string();
    assert_eq!(example.status(&headers(&earlier), &call.body).await, "401");
    assert_eq!(example.status(&headers(timestamp), &call.body).await, "204");
}

#[tokio::test]
async fn the_javascript_receiver_accepts_only_valid_calls() {
    verify_example("node", "docs/webhooks/receiver.mjs").await;
}

#[tokio::test]
async fn the_python_receiver_accepts_only_valid_calls() {
    verify_example("python3", "docs/webhooks/receiver.py").await;
}
