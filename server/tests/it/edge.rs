//! Connections: timeouts, startup, shutdown, panics and malformed requests.

use std::{future::pending, time::Duration};

use axum::{Router, routing::get};
use server::{
    edge::{connection::ConnectionTimeouts, listen, startup::StartupService},
    router,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{overload::serve_routes, prelude::*};

/// Short timeouts, which make the tests fast.
const TIMEOUTS: ConnectionTimeouts =
    ConnectionTimeouts { head: Duration::from_millis(200), idle: Duration::from_millis(400) };

/// The time after which a test fails.
const TEST_TIMEOUT: Duration = Duration::from_secs(10);

async fn service_with_short_timeouts() -> TestService {
    TestServiceBuilder { timeouts: TIMEOUTS, ..TestServiceBuilder::default() }.start().await
}

async fn connect(service: &TestService) -> TcpStream {
    TcpStream::connect(service.address).await.expect("the service accepts connections")
}

/// Waits until the service closes the connection and returns the text that it sent before.
async fn read_until_closed(socket: &mut TcpStream) -> String {
    let mut received = Vec::new();
    // A connection ends when it is closed or reset.
    let _ = timeout(TEST_TIMEOUT, socket.read_to_end(&mut received))
        .await
        .expect("the service closes the connection");
    String::from_utf8(received).expect("the response is text")
}

/// Reads one response from a connection that stays open.
async fn read_response(socket: &mut TcpStream) -> TestResponse {
    let response = timeout(TEST_TIMEOUT, TestResponse::read(socket)).await;
    response.expect("the service responds").expect("the connection stays open")
}

const HEALTH: &[u8] = b"GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n";

/// Sends the head of a record call and returns the body that the service waits for.
async fn start_record(service: &TestService, socket: &mut TcpStream, key: &str) -> String {
    let body = request(key, 1).to_string();
    let call = service.key.call("POST", "/v1/decisions/record");
    let call = call.header("content-type", "application/json").header("expect", "100-continue");
    socket.write_all(&call.head(body.len())).await.expect("the service reads the request");
    assert_eq!(read_response(socket).await.status, 100);
    body
}

#[tokio::test]
async fn silent_connection_is_closed() {
    let service = service_with_short_timeouts().await;
    let mut silent = connect(&service).await;
    assert_eq!(read_until_closed(&mut silent).await, "");
}

#[tokio::test]
async fn request_head_sent_byte_by_byte_times_out() {
    let service = service_with_short_timeouts().await;
    let (mut read, mut write) = connect(&service).await.into_split();
    let send_slowly = async {
        let mut tick = tokio::time::interval(TIMEOUTS.head / 10);
        for byte in "GET /v1/health HTTP/1.1\r\nx-a: b\r\n".bytes().cycle() {
            tick.tick().await;
            if write.write_all(&[byte]).await.is_err() {
                break;
            }
        }
    };
    let mut received = Vec::new();
    let end = tokio::select! {
        end = read.read_to_end(&mut received) => end,
        () = send_slowly => Ok(0),
        () = tokio::time::sleep(TEST_TIMEOUT) => panic!("the connection stays open"),
    };
    assert!(received.is_empty(), "{end:?} {received:?}");
}

#[tokio::test]
async fn connection_serves_many_requests_and_is_closed_when_idle() {
    let service = service_with_short_timeouts().await;
    let mut socket = connect(&service).await;
    for _ in 0..3 {
        socket.write_all(HEALTH).await.unwrap();
        assert_eq!(read_response(&mut socket).await.status, 200);
    }
    // Two pipelined requests are answered in order.
    socket.write_all(&HEALTH.repeat(2)).await.unwrap();
    assert_eq!(read_response(&mut socket).await.status, 200);
    assert_eq!(read_response(&mut socket).await.status, 200);
    assert_eq!(read_until_closed(&mut socket).await, "");
}

#[tokio::test]
async fn body_may_take_longer_than_the_head_timeout() {
    let service = service_with_short_timeouts().await;
    service.active("PAY-01").await;
    let mut socket = connect(&service).await;
    let body = start_record(&service, &mut socket, "k-1").await;
    // A later connection has been closed, so the timeout of a head has passed.
    read_until_closed(&mut connect(&service).await).await;
    socket.write_all(body.as_bytes()).await.unwrap();
    assert_eq!(read_response(&mut socket).await.status, 201);
}

#[testkit::test]
async fn running_request_is_finished_during_shutdown(mut service: TestService) {
    service.active("PAY-01").await;
    let mut socket = connect(&service).await;
    let body = start_record(&service, &mut socket, "k-1").await;
    let serving = service.stop();
    while can_connect(&service).await {
        tokio::task::yield_now().await;
    }
    assert!(!serving.is_finished());
    socket.write_all(body.as_bytes()).await.unwrap();
    let response = read_response(&mut socket).await;
    assert_eq!(response.status, 201);
    assert_eq!(response.header("connection"), Some("close"));
    timeout(TEST_TIMEOUT, serving).await.expect("the process stops").unwrap();
    assert_eq!(service.sql("select idempotency_key from decisions").await, ["k-1"]);
}

async fn can_connect(service: &TestService) -> bool {
    TcpStream::connect(service.address).await.is_ok()
}

#[testkit::test]
async fn silent_connections_do_not_delay_shutdown(mut service: TestService) {
    let mut silent = connect(&service).await;
    let mut idle = connect(&service).await;
    idle.write_all(HEALTH).await.unwrap();
    read_response(&mut idle).await;
    service.public.get("/v1/health").await.expect(200);
    let serving = service.stop();
    timeout(TEST_TIMEOUT / 2, serving).await.expect("the process stops").unwrap();
    for socket in [&mut silent, &mut idle] {
        assert_eq!(read_until_closed(socket).await, "");
    }
}

#[tokio::test]
async fn incomplete_head_delays_shutdown_until_the_head_timeout() {
    let mut service = service_with_short_timeouts().await;
    let mut incomplete = connect(&service).await;
    incomplete.write_all(b"GET /v1/hea").await.unwrap();
    let serving = service.stop();
    timeout(TEST_TIMEOUT, serving).await.expect("the process stops").unwrap();
    read_until_closed(&mut incomplete).await;
}

#[testkit::test]
async fn stopping_process_is_healthy_but_not_ready(service: TestService) {
    service.public.get("/v1/ready").await.expect(200);
    service.service.stop();
    let refusal = service.public.get("/v1/ready").await;
    assert_snapshot!(refusal, @"503 SERVICE_UNAVAILABLE");
    service.public.get("/v1/health").await.expect(200);
    // Requests on open connections are still served.
    service.key.get("/v1/policies").await.expect(200);
}

#[testkit::test]
async fn starting_process_is_healthy_but_not_ready(service: TestService) {
    let (starting, startup) = StartupService::new(service.service.edge.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let public = Client::new(listener.local_addr().unwrap());
    tokio::spawn(listen::serve(listener, starting, pending()));
    let health = public.get("/v1/health").header("x-correlation-id", "probe-1").await;
    assert_eq!(health.expect(200)["status"], "healthy");
    assert_eq!(health.header("x-correlation-id"), Some("probe-1"));
    for path in ["/v1/ready", "/v1/policies", "/v1/nothing"] {
        assert_eq!(public.get(path).await.to_string(), "503 SERVICE_UNAVAILABLE", "{path}");
    }
    startup.complete(router::router(service.service.clone()));
    public.get("/v1/ready").await.expect(200);
    assert_snapshot!(public.get("/v1/policies").await, @"400 MISSING_TENANT_ID");
}

#[testkit::test]
async fn panic_returns_an_internal_error_without_details(service: TestService) {
    let panics = get(async || -> &'static str { panic!("a secret") });
    let routes = Router::new().route("/v1/panic", panics);
    let public = serve_routes(&service, routes).await;
    let response = public.get("/v1/panic").header("x-correlation-id", "trace-1").await;
    assert_snapshot!(response, @"500 INTERNAL_ERROR");
    assert_eq!(response.header("x-correlation-id"), Some("trace-1"));
    assert!(!response.text.contains("secret"), "{}", response.text);
    // The next request is served.
    assert_eq!(public.get("/v1/nothing").await.status, 404);
}

#[testkit::test]
async fn malformed_http_is_rejected_and_the_service_stays_healthy(service: TestService) {
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(70_000));
    let many = "x: 1\r\n".repeat(200);
    let many = format!("GET /v1/health HTTP/1.1\r\nhost: x\r\n{many}\r\n");
    for bytes in [
        "\r\n\r\n\r\nhello\r\n\r\n",
        "GET\r\n\r\n",
        "GET /v1/health HTTP/9.9\r\n\r\n",
        "GET /v1/health HTTP/1.1\r\nno colon\r\n\r\n",
        "GET /v1/health HTTP/1.1\r\nx: a\r\n b\r\n\r\n",
        "POST /v1/session HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
        "POST /v1/session HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        "POST /v1/session HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}",
        &long,
        &many,
    ] {
        let mut socket = connect(&service).await;
        socket.write_all(bytes.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
        let received = read_until_closed(&mut socket).await;
        assert!(
            received.is_empty() || received.starts_with("HTTP/1.1 4"),
            "{bytes:.40}: {received}"
        );
    }
    service.public.get("/v1/health").await.expect(200);
}
