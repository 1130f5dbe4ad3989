//! The receivers of `docs/webhooks.md`, run as they stand there against real deliveries.

use std::{fs, path::Path, process::Stdio};

use governance::{
    base::clock::Clock,
    notify::webhook::{DeliveryResult, DeliveryWorker},
};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdout, Command},
};

use super::{denied, mailer, may_call, work};
use crate::{
    client::text,
    service::{TestService, TestServiceBuilder},
};

/// A receiver that runs, and what it prints.
struct Example {
    _process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    port: u16,
}

impl Example {
    async fn start(program: &str, file: &str, port: u16, secret: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/webhooks.md")).expect("the page is there");
        let source = fs::read_to_string(root.join(file)).expect("the receiver is there");
        assert!(page.contains(&source), "docs/webhooks.md shows {file} as it is");
        let mut process = Command::new(program)
            .arg(root.join(file))
            .env("WEBHOOK_SECRET", secret)
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{program} is needed: {error}"));
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let mut example = Self { _process: process, lines, port };
        assert_eq!(example.line().await, format!("listening on port {port}"));
        example
    }

    /// What it prints next.
    async fn line(&mut self) -> String {
        self.lines.next_line().await.expect("it prints").expect("it runs")
    }

    /// The status that it answers to a call.
    async fn status(&self, headers: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).await.expect("it listens");
        let length = body.len();
        let call = format!(
            "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        socket.write_all(call.as_bytes()).await.expect("it reads");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.expect("it answers");
        answer.split(' ').nth(1).expect("a status").to_owned()
    }
}

async fn receives(program: &str, file: &str) {
    // The receivers look at the clock, so it must be the machine's.
    let world = may_call(
        TestServiceBuilder { clock: Clock::System, ..TestServiceBuilder::default() }.world().await,
    );
    world.active("PAY-01").await;
    let free = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = free.local_addr().expect("it is bound").port();
    drop(free);
    let draft = json!({"url": format!("http://127.0.0.1:{port}/"), "severity_min": "low"});
    let made = world.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    let mut example = Example::start(program, file, port, text(&made["secret"])).await;
    let decision = denied(&world, "k").await;
    let mailer = mailer(&world.governance);
    assert_eq!(work(&world.governance, &mailer).await, [DeliveryResult::Delivered]);
    let id = text(&decision["id"]);
    let expected = format!("high: Policy PAY-01 returned DENY for decision {id}.");
    assert_eq!(example.line().await, expected);
    refuses_others(&world, &mailer, &example).await;
}

/// What was not signed with the secret, or long ago, or over other bytes, is refused.
async fn refuses_others(world: &TestService, mailer: &DeliveryWorker, example: &Example) {
    let now = world.clock.now().millis();
    for headers in [
        String::new(),
        format!("x-service-timestamp: {now}\r\nx-service-signature: sha256={}\r\n", "0".repeat(64)),
        format!("x-service-timestamp: {now}\r\nx-service-signature: sha256=\r\n"),
    ] {
        assert_eq!(example.status(&headers, "{}").await, "401", "{headers}");
    }
    // A real one, caught on its way.
    let caught = super::receiver::Receiver::start().await;
    let sql = format!("update webhook_subscriptions set webhook_url = '{}'", caught.url("ok"));
    world.sql(&sql).await;
    denied(world, "caught").await;
    work(&world.governance, mailer).await;
    let call = caught.calls()[0].clone();
    let headers = |timestamp: &str| {
        let names = ["x-service-signature", "x-service-delivery-id"];
        let kept: String = names.map(|name| format!("{name}: {}\r\n", call.header(name))).concat();
        format!("{kept}x-service-timestamp: {timestamp}\r\n")
    };
    let timestamp = call.header("x-service-timestamp");
    let other = call.body.replace("high", "low");
    assert_eq!(example.status(&headers(timestamp), &other).await, "401");
    let earlier = (now - 400_000).to_string();
    assert_eq!(example.status(&headers(&earlier), &call.body).await, "401");
    assert_eq!(example.status(&headers(timestamp), &call.body).await, "204");
}

#[tokio::test]
async fn the_receiver_in_javascript_takes_what_is_genuine() {
    receives("node", "docs/webhooks/receiver.mjs").await;
}

#[tokio::test]
async fn the_receiver_in_python_takes_what_is_genuine() {
    receives("python3", "docs/webhooks/receiver.py").await;
}
