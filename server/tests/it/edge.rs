//! Connections: how long they may stay silent, how they end, and what the process says meanwhile.

use std::{future::pending, time::Duration};

use axum::{Router, routing::get};
use insta::assert_snapshot;
use server::{
    edge::{connection::ConnectionTimeouts, listen, startup::StartupService},
    router,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{
    client::{Client, TestResponse},
    service::{TestService, TestServiceBuilder, request, world},
};

/// Little patience, so that a test need not have much.
const PATIENCE: ConnectionTimeouts =
    ConnectionTimeouts { head: Duration::from_millis(200), idle: Duration::from_millis(400) };

/// After this long, a test says that nothing happened.
const TOO_LONG: Duration = Duration::from_secs(10);

async fn impatient() -> TestService {
    TestServiceBuilder { patience: PATIENCE, ..TestServiceBuilder::default() }.world().await
}

async fn connect(world: &TestService) -> TcpStream {
    TcpStream::connect(world.address).await.expect("it listens")
}

/// Waits until the service hangs up, and gives what it said before.
async fn hung_up(socket: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // A connection may be closed or reset: both are its end.
    let _ = timeout(TOO_LONG, socket.read_to_end(&mut said)).await.expect("it hangs up");
    String::from_utf8(said).expect("all answers here are text")
}

/// One answer on a connection that goes on.
async fn answer(socket: &mut TcpStream) -> TestResponse {
    let mut bytes = Vec::new();
    loop {
        let byte = timeout(TOO_LONG, socket.read_u8()).await.expect("it answers");
        bytes.push(byte.expect("the connection goes on"));
        if bytes.ends_with(b"\r\n\r\n") {
            break;
        }
    }
    let head = TestResponse::parse(&bytes);
    let length =
        head.header("content-length").map_or(0, |length| length.parse().expect("a length"));
    let mut body = vec![0; length];
    timeout(TOO_LONG, socket.read_exact(&mut body)).await.expect("it answers").expect("all of it");
    bytes.extend(body);
    TestResponse::parse(&bytes)
}

const HEALTH: &[u8] = b"GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n";

/// Begins a record call, and gives the body that the service now waits for.
async fn begun(world: &TestService, socket: &mut TcpStream, key: &str) -> String {
    let body = request(key, 1).to_string();
    let call = world.key.call("POST", "/v1/decisions/record");
    let call = call.header("content-type", "application/json").header("expect", "100-continue");
    socket.write_all(&call.head(body.len())).await.expect("it reads");
    assert_eq!(answer(socket).await.status, 100);
    body
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed() {
    let world = impatient().await;
    let mut silent = connect(&world).await;
    assert_eq!(hung_up(&mut silent).await, "");
}

#[tokio::test]
async fn a_head_that_comes_byte_by_byte_is_not_waited_for() {
    let world = impatient().await;
    let (mut read, mut write) = connect(&world).await.into_split();
    let dripping = async {
        let mut tick = tokio::time::interval(PATIENCE.head / 10);
        for byte in "GET /v1/health HTTP/1.1\r\nx-a: b\r\n".bytes().cycle() {
            tick.tick().await;
            if write.write_all(&[byte]).await.is_err() {
                break;
            }
        }
    };
    let mut said = Vec::new();
    let end = tokio::select! {
        end = read.read_to_end(&mut said) => end,
        () = dripping => Ok(0),
        () = tokio::time::sleep(TOO_LONG) => panic!("it waits for ever"),
    };
    assert!(said.is_empty(), "{end:?} {said:?}");
}

#[tokio::test]
async fn a_connection_serves_many_requests_and_is_closed_when_idle() {
    let world = impatient().await;
    let mut socket = connect(&world).await;
    for _ in 0..3 {
        socket.write_all(HEALTH).await.unwrap();
        assert_eq!(answer(&mut socket).await.status, 200);
    }
    // Two requests at once are answered in turn.
    socket.write_all(&HEALTH.repeat(2)).await.unwrap();
    assert_eq!(answer(&mut socket).await.status, 200);
    assert_eq!(answer(&mut socket).await.status, 200);
    assert_eq!(hung_up(&mut socket).await, "");
}

#[tokio::test]
async fn a_body_may_take_longer_than_a_head() {
    let world = impatient().await;
    world.active("PAY-01").await;
    let mut socket = connect(&world).await;
    let body = begun(&world, &mut socket, "k-1").await;
    // A connection that came later has been closed: more time has passed than a head may take.
    hung_up(&mut connect(&world).await).await;
    socket.write_all(body.as_bytes()).await.unwrap();
    assert_eq!(answer(&mut socket).await.status, 201);
}

#[tokio::test]
async fn what_is_under_way_when_the_service_stops_is_finished() {
    let mut world = world().await;
    world.active("PAY-01").await;
    let mut socket = connect(&world).await;
    let body = begun(&world, &mut socket, "k-1").await;
    let serving = world.stop();
    while connect_again(&world).await {
        tokio::task::yield_now().await;
    }
    assert!(!serving.is_finished());
    socket.write_all(body.as_bytes()).await.unwrap();
    let finished = answer(&mut socket).await;
    assert_eq!(finished.status, 201);
    assert_eq!(finished.header("connection"), Some("close"));
    timeout(TOO_LONG, serving).await.expect("it ends").unwrap();
    assert_eq!(world.sql("select idempotency_key from decisions").await, ["k-1"]);
}

async fn connect_again(world: &TestService) -> bool {
    TcpStream::connect(world.address).await.is_ok()
}

#[tokio::test]
async fn silent_connections_do_not_hold_up_the_stop() {
    let mut world = world().await;
    let mut silent = connect(&world).await;
    let mut idle = connect(&world).await;
    idle.write_all(HEALTH).await.unwrap();
    answer(&mut idle).await;
    world.public.get("/v1/health").await.expect(200);
    let serving = world.stop();
    timeout(TOO_LONG / 2, serving).await.expect("it ends").unwrap();
    for socket in [&mut silent, &mut idle] {
        assert_eq!(hung_up(socket).await, "");
    }
}

#[tokio::test]
async fn half_a_request_holds_up_the_stop_for_as_long_as_a_head_may_take() {
    let mut world = impatient().await;
    let mut half = connect(&world).await;
    half.write_all(b"GET /v1/hea").await.unwrap();
    let serving = world.stop();
    timeout(TOO_LONG, serving).await.expect("it ends").unwrap();
    hung_up(&mut half).await;
}

#[tokio::test]
async fn a_process_that_stops_is_alive_and_not_ready() {
    let world = world().await;
    world.public.get("/v1/ready").await.expect(200);
    world.service.stop();
    let refused = world.public.get("/v1/ready").await;
    assert_snapshot!(refused, @"503 SERVICE_UNAVAILABLE");
    world.public.get("/v1/health").await.expect(200);
    // Whoever still has a connection is served.
    world.key.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn a_process_that_starts_is_alive_and_not_ready() {
    let world = world().await;
    let starting = StartupService::new(world.service.edge.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let public = Client::new(listener.local_addr().unwrap());
    tokio::spawn(listen::serve(listener, starting.clone(), pending()));
    let health = public.get("/v1/health").header("x-correlation-id", "probe-1").await;
    assert_eq!(health.expect(200)["status"], "healthy");
    assert_eq!(health.header("x-correlation-id"), Some("probe-1"));
    for path in ["/v1/ready", "/v1/policies", "/v1/nothing"] {
        assert_eq!(public.get(path).await.to_string(), "503 SERVICE_UNAVAILABLE", "{path}");
    }
    starting.set_router(router::router(world.service.clone()));
    public.get("/v1/ready").await.expect(200);
    assert_snapshot!(public.get("/v1/policies").await, @"400 MISSING_TENANT_ID");
}

#[tokio::test]
async fn a_panic_is_a_fault_of_ours_that_tells_nothing() {
    let world = world().await;
    let panics = get(async || -> &'static str { panic!("a secret") });
    let routes = Router::new().route("/v1/panic", panics);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let public = Client::new(listener.local_addr().unwrap());
    let dressed = router::with_middleware(routes, world.service.clone());
    tokio::spawn(listen::serve(listener, dressed, pending()));
    let answer = public.get("/v1/panic").header("x-correlation-id", "trace-1").await;
    assert_snapshot!(answer, @"500 INTERNAL_ERROR");
    assert_eq!(answer.header("x-correlation-id"), Some("trace-1"));
    assert!(!answer.text.contains("secret"), "{}", answer.text);
    // And the next request is served.
    assert_eq!(public.get("/v1/nothing").await.status, 404);
}

#[tokio::test]
async fn what_is_no_http_is_refused_and_harms_nobody() {
    let world = world().await;
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
        let mut socket = connect(&world).await;
        socket.write_all(bytes.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
        let said = hung_up(&mut socket).await;
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{bytes:.40}: {said}");
    }
    world.public.get("/v1/health").await.expect(200);
}
