//! What the process bears: how long requests may take, and how many are at work at once.

use std::{future::pending, net::SocketAddr, num::NonZeroUsize, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use server::{
    config::edge::{EdgeConfig, EdgeLimits, Rates},
    edge::listen::{self, ConnectionLimits},
    router,
    v1::health,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Barrier, Notify},
};

use crate::{
    client::{Client, TestResponse},
    service::{TestService, TestServiceBuilder, request},
};

/// So little time that a test can wait for its end.
const SHORT: Duration = Duration::from_millis(200);

async fn bearing(bounds: EdgeLimits) -> TestService {
    let edge = EdgeConfig { rates: Rates::UNLIMITED, bounds, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await
}

/// A service with these routes before those that tell how it is.
async fn serving(world: &TestService, routes: Router<server::state::Service>) -> Client {
    let routes =
        routes.route("/v1/health", get(health::health)).route("/v1/ready", get(health::ready));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = Client::new(listener.local_addr().expect("it is bound"));
    tokio::spawn(listen::serve(
        listener,
        router::with_middleware(routes, world.service.clone()),
        pending(),
    ));
    client
}

#[test]
fn the_bounds_are_those_of_the_contract() {
    let EdgeLimits { request, body, .. } = EdgeConfig::default().bounds;
    assert_eq!((request, body), (Duration::from_secs(30), Duration::from_secs(30)));
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_given_up() {
    let world = bearing(EdgeLimits { request: SHORT, ..EdgeLimits::default() }).await;
    let endless = get(async || pending::<&'static str>().await);
    let client = serving(&world, Router::new().route("/v1/endless", endless)).await;
    let refused = client.get("/v1/endless").header("x-correlation-id", "trace-1").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(refused.header("x-correlation-id"), Some("trace-1"));
    client.get("/v1/health").await.expect(200);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_given_up() {
    let world = bearing(EdgeLimits { body: SHORT, ..EdgeLimits::default() }).await;
    world.active("PAY-01").await;
    let body = request("k-1", 1).to_string();
    let call = world.key.call("POST", "/v1/decisions/record").header("connection", "close");
    let head = call.header("content-type", "application/json").head(body.len());
    let mut socket = TcpStream::connect(world.address).await.expect("it listens");
    socket.write_all(&head).await.expect("it reads");
    socket.write_all(&body.as_bytes()[..10]).await.expect("it reads");
    let mut said = Vec::new();
    socket.read_to_end(&mut said).await.expect("it answers");
    assert_eq!(TestResponse::parse(&said).to_string(), "503 SERVICE_UNAVAILABLE");
    assert!(world.sql("select idempotency_key from decisions").await.is_empty());
}

#[tokio::test]
async fn beyond_what_the_store_bears_a_request_is_turned_away_at_once() {
    let world = bearing(EdgeLimits { requests_at_store: 2, ..EdgeLimits::default() }).await;
    let (arrived, go_on) = (Arc::new(Barrier::new(3)), Arc::new(Notify::new()));
    let busy = {
        let (arrived, go_on) = (Arc::clone(&arrived), Arc::clone(&go_on));
        async move || {
            arrived.wait().await;
            go_on.notified().await;
            "done"
        }
    };
    let client = serving(&world, Router::new().route("/v1/busy", get(busy))).await;
    let [one, two] = [client.clone(), client.clone()]
        .map(|client| tokio::spawn(async move { client.get("/v1/busy").await }));
    arrived.wait().await;

    let refused = client.get("/v1/busy").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // How the process is, is told however busy it is.
    client.get("/v1/health").await.expect(200);
    client.get("/v1/ready").await.expect(200);

    go_on.notify_waiters();
    for busy in [one, two] {
        assert_eq!(busy.await.expect("it is answered").text, "done");
    }
    // Their places are free again.
    assert_eq!(client.get("/v1/nothing").await.status, 404);
    world.key.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn slow_callers_take_no_place() {
    let world = bearing(EdgeLimits { requests_at_store: 1, ..EdgeLimits::default() }).await;
    world.active("PAY-01").await;
    let body = request("k-1", 1).to_string();
    let mut slow = Vec::new();
    for _ in 0..3 {
        let call = world.key.call("POST", "/v1/decisions/record").header("connection", "close");
        let call = call.header("content-type", "application/json").header("expect", "100-continue");
        let mut socket = TcpStream::connect(world.address).await.expect("it listens");
        socket.write_all(&call.head(body.len())).await.expect("it reads");
        let mut begun = [0; 25];
        socket.read_exact(&mut begun).await.expect("it answers");
        assert_eq!(begun.as_slice(), b"HTTP/1.1 100 Continue\r\n\r\n");
        slow.push(socket);
    }
    // All of them wait for their bodies now, and nobody else has to.
    world.key.get("/v1/policies").await.expect(200);
    for (number, mut socket) in slow.into_iter().enumerate() {
        socket.write_all(body.as_bytes()).await.expect("it reads");
        let mut said = Vec::new();
        socket.read_to_end(&mut said).await.expect("it answers");
        let expected = if number == 0 { 201 } else { 200 };
        assert_eq!(TestResponse::parse(&said).status, expected);
    }
}

/// A listener that serves `/v1/health` and `/v1/busy`, which answers once `go_on` says so.
async fn limited(
    world: &TestService,
    limits: ConnectionLimits,
    arrived: &Arc<Notify>,
    go_on: &Arc<Notify>,
) -> SocketAddr {
    let (arrived, go_on) = (Arc::clone(arrived), Arc::clone(go_on));
    let busy = async move || {
        arrived.notify_one();
        go_on.notified().await;
        "done"
    };
    let routes =
        Router::new().route("/v1/busy", get(busy)).route("/v1/health", get(health::health));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let routes = router::with_middleware(routes, world.service.clone());
    tokio::spawn(listen::serve_within(limits, listener, routes, pending()));
    address
}

/// A connection from 127.0.0.`from`.
async fn connect(address: SocketAddr, from: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    let source = SocketAddr::from(([127, 0, 0, from], 0));
    socket.bind(source).expect("every address of 127.0.0.0/8 is the machine's");
    socket.connect(address).await.expect("it listens")
}

/// Sends a request on a connection that stays open.
async fn ask(socket: &mut TcpStream, path: &str) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.write_all(request.as_bytes()).await.expect("it reads");
}

/// Reads one answer, and returns its status; `None` when the connection was closed.
async fn answered(socket: &mut TcpStream) -> Option<u16> {
    let mut read = Vec::new();
    loop {
        if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
            let length = head.split("content-length: ").nth(1).expect("it has a length");
            let length: usize = length.lines().next().unwrap_or_default().parse().expect("digits");
            if read.len() >= end + 4 + length {
                return head.split(' ').nth(1)?.parse().ok();
            }
        }
        let mut bytes = [0; 4_096];
        match socket.read(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => read.extend_from_slice(&bytes[..count]),
        }
    }
}

/// Whether a request on the connection is answered.
async fn is_open(socket: &mut TcpStream) -> bool {
    ask(socket, "/v1/health").await;
    answered(socket).await == Some(200)
}

fn some(count: usize) -> Option<NonZeroUsize> {
    NonZeroUsize::new(count)
}

#[test]
fn one_client_has_a_quarter_of_the_connections_and_a_proxy_has_all() {
    let limits = EdgeConfig::default().connections();
    assert_eq!((limits.max.get(), limits.per_client), (4_096, some(1_024)));
    let proxied = EdgeConfig { trusted_proxies: 1, ..EdgeConfig::default() };
    assert_eq!(proxied.connections().per_client, None);
    let set = EdgeConfig { connections_per_client: some(9), ..proxied };
    assert_eq!(set.connections().per_client, some(9));
}

#[tokio::test]
async fn a_client_beyond_its_limit_loses_its_own_longest_idle_connection() {
    let world = bearing(EdgeLimits::default()).await;
    let limits = ConnectionLimits { per_client: some(3), ..ConnectionLimits::default() };
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let address = limited(&world, limits, &arrived, &go_on).await;
    let mut other = connect(address, 2).await;
    assert!(is_open(&mut other).await);

    let mut active = connect(address, 1).await;
    ask(&mut active, "/v1/busy").await;
    arrived.notified().await;
    let mut idle = Vec::new();
    for _ in 0..10 {
        let mut socket = connect(address, 1).await;
        assert!(is_open(&mut socket).await);
        idle.push(socket);
    }
    let newest = idle.split_off(8);
    for mut socket in idle {
        assert_eq!(answered(&mut socket).await, None, "it was closed for a newer one");
    }
    for mut socket in newest {
        assert!(is_open(&mut socket).await);
    }
    go_on.notify_one();
    assert_eq!(answered(&mut active).await, Some(200));
    assert!(is_open(&mut other).await);
    assert!(is_open(&mut connect(address, 2).await).await);
}

#[tokio::test]
async fn a_client_whose_connections_are_all_active_gets_no_further_one() {
    let world = bearing(EdgeLimits::default()).await;
    let limits = ConnectionLimits { per_client: some(2), ..ConnectionLimits::default() };
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let address = limited(&world, limits, &arrived, &go_on).await;
    let mut active = Vec::new();
    for _ in 0..2 {
        let mut socket = connect(address, 1).await;
        ask(&mut socket, "/v1/busy").await;
        arrived.notified().await;
        active.push(socket);
    }
    let mut further = connect(address, 1).await;
    assert_eq!(answered(&mut further).await, None);
    assert!(is_open(&mut connect(address, 2).await).await);
    for mut socket in active {
        go_on.notify_one();
        assert_eq!(answered(&mut socket).await, Some(200));
    }
    assert!(is_open(&mut connect(address, 1).await).await);
}

#[tokio::test]
async fn without_room_the_connection_that_has_been_idle_longest_is_closed() {
    let world = bearing(EdgeLimits::default()).await;
    let max = NonZeroUsize::MIN.saturating_add(3);
    let limits = ConnectionLimits { max, per_client: None, ..ConnectionLimits::default() };
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let address = limited(&world, limits, &arrived, &go_on).await;
    let mut active = connect(address, 1).await;
    ask(&mut active, "/v1/busy").await;
    arrived.notified().await;
    let mut silent = connect(address, 1).await;
    let mut used = connect(address, 1).await;
    let mut last = connect(address, 1).await;
    // The order in which they become idle: `silent` never sends anything.
    assert!(is_open(&mut last).await);
    assert!(is_open(&mut used).await);
    assert!(is_open(&mut last).await);

    let mut newest = connect(address, 2).await;
    assert!(is_open(&mut newest).await);
    assert_eq!(answered(&mut silent).await, None);
    let mut newer = connect(address, 2).await;
    assert!(is_open(&mut newer).await);
    assert_eq!(answered(&mut used).await, None);
    for socket in [&mut last, &mut newest, &mut newer] {
        assert!(is_open(socket).await);
    }
    go_on.notify_one();
    assert_eq!(answered(&mut active).await, Some(200));
}

#[tokio::test]
async fn while_every_connection_is_active_a_further_one_waits() {
    let world = bearing(EdgeLimits::default()).await;
    let max = NonZeroUsize::MIN;
    let limits = ConnectionLimits { max, per_client: None, ..ConnectionLimits::default() };
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let address = limited(&world, limits, &arrived, &go_on).await;
    let mut active = connect(address, 1).await;
    ask(&mut active, "/v1/busy").await;
    arrived.notified().await;
    let mut further = connect(address, 2).await;
    ask(&mut further, "/v1/health").await;
    go_on.notify_one();
    assert_eq!(answered(&mut active).await, Some(200));
    // The first is idle now, and gives way.
    assert_eq!(answered(&mut further).await, Some(200));
    assert_eq!(answered(&mut active).await, None);
}
