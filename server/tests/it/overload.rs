//! What the process bears: how long requests may take, and how many are at work at once.

use std::{future::pending, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use server::{
    config::edge::{Bounds, EdgeConfig, Rates},
    edge::listen,
    router,
    v1::health,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Barrier, Notify},
};

use crate::{
    client::{Answer, Client},
    world::{Making, World, request},
};

/// So little time that a test can wait for its end.
const SHORT: Duration = Duration::from_millis(200);

async fn bearing(bounds: Bounds) -> World {
    let edge = EdgeConfig { rates: Rates::UNLIMITED, bounds, ..EdgeConfig::default() };
    Making { edge, ..Making::default() }.world().await
}

/// A service with these routes before those that tell how it is.
async fn serving(world: &World, routes: Router<server::state::Service>) -> Client {
    let routes =
        routes.route("/v1/health", get(health::health)).route("/v1/ready", get(health::ready));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = Client::new(listener.local_addr().expect("it is bound"));
    tokio::spawn(listen::serve(
        listener,
        router::dressed(routes, world.service.clone()),
        pending(),
    ));
    client
}

#[test]
fn the_bounds_are_those_of_the_contract() {
    let Bounds { request, body, .. } = EdgeConfig::default().bounds;
    assert_eq!((request, body), (Duration::from_secs(30), Duration::from_secs(30)));
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_given_up() {
    let world = bearing(Bounds { request: SHORT, ..Bounds::default() }).await;
    let endless = get(async || pending::<&'static str>().await);
    let client = serving(&world, Router::new().route("/v1/endless", endless)).await;
    let refused = client.get("/v1/endless").header("x-correlation-id", "trace-1").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(refused.header("x-correlation-id"), Some("trace-1"));
    client.get("/v1/health").await.expect(200);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_given_up() {
    let world = bearing(Bounds { body: SHORT, ..Bounds::default() }).await;
    world.active("PAY-01").await;
    let body = request("k-1", 1).to_string();
    let call = world.key.call("POST", "/v1/decisions/record").header("connection", "close");
    let head = call.header("content-type", "application/json").head(body.len());
    let mut socket = TcpStream::connect(world.address).await.expect("it listens");
    socket.write_all(&head).await.expect("it reads");
    socket.write_all(&body.as_bytes()[..10]).await.expect("it reads");
    let mut said = Vec::new();
    socket.read_to_end(&mut said).await.expect("it answers");
    assert_eq!(Answer::parse(&said).to_string(), "503 SERVICE_UNAVAILABLE");
    assert!(world.sql("select idempotency_key from decisions").await.is_empty());
}

#[tokio::test]
async fn beyond_what_the_store_bears_a_request_is_turned_away_at_once() {
    let world = bearing(Bounds { requests_at_store: 2, ..Bounds::default() }).await;
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
    let world = bearing(Bounds { requests_at_store: 1, ..Bounds::default() }).await;
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
        assert_eq!(Answer::parse(&said).status, expected);
    }
}
