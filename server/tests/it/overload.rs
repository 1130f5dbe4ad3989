//! Overload protection: request timeouts, and limits of concurrent requests and connections.

use std::{
    convert::Infallible, future::pending, net::SocketAddr, num::NonZeroUsize, sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    routing::{MethodRouter, get},
};
use futures_util::stream;
use server::{
    config::edge::{EdgeConfig, EdgeLimits, Rates},
    edge::{
        connection::ConnectionTimeouts,
        listen::{self, ConnectionLimits},
    },
    router::{self, health},
    state::Service as State,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Barrier, Notify},
};

use crate::{prelude::*, slow_bodies::PartialRequest};

/// A timeout that is short enough for a test to wait for.
const SHORT_TIMEOUT: Duration = Duration::from_millis(200);

async fn service_with_limits(limits: EdgeLimits) -> TestService {
    let edge = EdgeConfig { rates: Rates::UNLIMITED, limits, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await
}

/// Serves `routes` and the health endpoints.
pub(crate) async fn serve_routes(service: &TestService, routes: Router<State>) -> Client {
    serve_within(ConnectionLimits::default(), service, routes).await
}

async fn serve_within(
    limits: ConnectionLimits,
    service: &TestService,
    routes: Router<State>,
) -> Client {
    let routes =
        routes.route("/v1/health", get(health::health)).route("/v1/ready", get(health::ready));
    let routes = router::with_middleware(routes, service.service.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = Client::new(listener.local_addr().expect("a bound listener"));
    tokio::spawn(listen::serve_within(limits, listener, routes, pending()));
    client
}

#[test]
fn default_timeouts_match_the_contract() {
    let EdgeLimits { request_timeout, body_timeout, .. } = EdgeConfig::default().limits;
    assert_eq!((request_timeout, body_timeout), (Duration::from_secs(30), Duration::from_secs(30)));
}

#[tokio::test]
async fn request_that_exceeds_its_timeout_returns_service_unavailable() {
    let service =
        service_with_limits(EdgeLimits { request_timeout: SHORT_TIMEOUT, ..EdgeLimits::default() })
            .await;
    let endless = get(async || pending::<&'static str>().await);
    let client = serve_routes(&service, Router::new().route("/v1/endless", endless)).await;
    let refused = client.get("/v1/endless").header("x-correlation-id", "trace-1").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(refused.header("x-correlation-id"), Some("trace-1"));
    client.get("/v1/health").await.expect(200);
}

#[tokio::test]
async fn incomplete_body_returns_service_unavailable() {
    let service =
        service_with_limits(EdgeLimits { body_timeout: SHORT_TIMEOUT, ..EdgeLimits::default() })
            .await;
    service.active("PAY-01").await;
    let partial = PartialRequest::record(&service.key, "k-1").await;
    assert_eq!(partial.response().await.to_string(), "503 SERVICE_UNAVAILABLE");
    assert!(service.sql("select idempotency_key from decisions").await.is_empty());
}

#[tokio::test]
async fn request_above_the_store_limit_is_rejected_immediately() {
    let service =
        service_with_limits(EdgeLimits { store_requests_max: 2, ..EdgeLimits::default() }).await;
    let (arrived, proceed) = (Arc::new(Barrier::new(3)), Arc::new(Notify::new()));
    let busy = {
        let (arrived, proceed) = (Arc::clone(&arrived), Arc::clone(&proceed));
        async move || {
            arrived.wait().await;
            proceed.notified().await;
            "done"
        }
    };
    let routes = Router::new()
        .route("/v1/busy", get(busy))
        .route("/robots.txt", get(async || "a file without database access"));
    let client = serve_routes(&service, routes).await;
    let [one, two] = [client.clone(), client.clone()]
        .map(|client| tokio::spawn(async move { client.get("/v1/busy").await }));
    arrived.wait().await;

    let refused = client.get("/v1/busy").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Health endpoints and routes without the database respond although the store limit is reached.
    client.get("/v1/health").await.expect(200);
    client.get("/v1/ready").await.expect(200);
    assert_eq!(client.get("/robots.txt").await.status, 200);

    proceed.notify_waiters();
    for busy in [one, two] {
        assert_eq!(busy.await.expect("the request completes").text, "done");
    }
    // The store permits are free again.
    assert_eq!(client.get("/v1/nothing").await.status, 404);
    service.key.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn request_that_waits_for_its_body_uses_no_store_permit() {
    let service =
        service_with_limits(EdgeLimits { store_requests_max: 1, ..EdgeLimits::default() }).await;
    service.active("PAY-01").await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        slow.push(PartialRequest::record(&service.key, "k-1").await);
    }
    // These requests wait for their bodies; another request is not delayed.
    service.key.get("/v1/policies").await.expect(200);
    for (partial, status) in slow.into_iter().zip([201, 200, 200]) {
        assert_eq!(partial.finish().await.status, status);
    }
}

/// A server of `/v1/health` and `/v1/busy`, which responds after a notification of `proceed`.
struct BusyServer {
    address: SocketAddr,
    arrived: Arc<Notify>,
    proceed: Arc<Notify>,
    _service: TestService,
}

impl BusyServer {
    async fn start(limits: ConnectionLimits) -> Self {
        let service = service_with_limits(EdgeLimits::default()).await;
        let (arrived, proceed) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let busy = {
            let (arrived, proceed) = (Arc::clone(&arrived), Arc::clone(&proceed));
            async move || {
                arrived.notify_one();
                proceed.notified().await;
                "done"
            }
        };
        let routes = Router::new().route("/v1/busy", get(busy));
        let address = serve_within(limits, &service, routes).await.address();
        Self { address, arrived, proceed, _service: service }
    }

    async fn connect(&self, from: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        let source = SocketAddr::from(([127, 0, 0, from], 0));
        socket.bind(source).expect("127.0.0.0/8 is the loopback network");
        socket.connect(self.address).await.expect("the server listens")
    }

    /// A connection from 127.0.0.1 whose request is being handled.
    async fn active_connection(&self) -> TcpStream {
        let mut socket = self.connect(1).await;
        send_request(&mut socket, "/v1/busy").await;
        self.arrived.notified().await;
        socket
    }
}

/// Sends a request on a connection that stays open.
async fn send_request(socket: &mut TcpStream, path: &str) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.write_all(request.as_bytes()).await.expect("the server reads");
}

/// Reads one response and returns its status, or `None` if the connection was closed.
async fn read_status(socket: &mut TcpStream) -> Option<u16> {
    TestResponse::read(socket).await.map(|response| response.status)
}

/// Whether a request on the connection succeeds.
async fn is_open(socket: &mut TcpStream) -> bool {
    send_request(socket, "/v1/health").await;
    read_status(socket).await == Some(200)
}

fn non_zero(count: usize) -> Option<NonZeroUsize> {
    NonZeroUsize::new(count)
}

#[test]
fn client_limit_is_a_quarter_of_all_connections_except_behind_a_proxy() {
    let limits = ConnectionLimits::default();
    assert_eq!((limits.max.get(), limits.per_client), (4_096, non_zero(1_024)));
    assert_eq!(ConnectionLimits::behind(1, None).per_client, None);
    assert_eq!(ConnectionLimits::behind(1, non_zero(9)).per_client, non_zero(9));
}

/// The idle timeout of a connection: short enough to wait for, and long enough for a busy machine.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves `long` with [`IDLE_TIMEOUT`], and requests it. The socket buffers little.
async fn request_long_response(service: &TestService, long: MethodRouter<State>) -> TcpStream {
    let timeouts = ConnectionTimeouts { head: IDLE_TIMEOUT, idle: IDLE_TIMEOUT };
    let limits = ConnectionLimits { timeouts, ..ConnectionLimits::default() };
    let address =
        serve_within(limits, service, Router::new().route("/v1/long", long)).await.address();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(64 << 10).expect("a size of the buffer");
    let mut socket = socket.connect(address).await.expect("the server listens");
    send_request(&mut socket, "/v1/long").await;
    socket
}

/// Notifies when it is dropped.
struct NotifyOnDrop(Arc<Notify>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn client_that_reads_nothing_of_a_long_response_is_disconnected() {
    let service = service_with_limits(EdgeLimits::default()).await;
    let dropped = Arc::new(Notify::new());
    let guard = Arc::clone(&dropped);
    let endless = get(async move || {
        let guard = NotifyOnDrop(Arc::clone(&guard));
        let chunk = Bytes::from(vec![b'x'; 1 << 20]);
        Body::from_stream(stream::repeat_with(move || {
            let _ = &guard;
            Ok::<_, Infallible>(chunk.clone())
        }))
    });
    let _socket = request_long_response(&service, endless).await;
    let end = tokio::time::timeout(Duration::from_secs(10), dropped.notified()).await;
    end.expect("the server closes the connection");
}

#[tokio::test]
async fn client_that_reads_a_large_response_slowly_receives_all_of_it() {
    const PARTS: usize = 24;
    let service = service_with_limits(EdgeLimits::default()).await;
    let large = get(async || vec![b'x'; PARTS << 20]);
    let mut socket = request_long_response(&service, large).await;
    // In all, this takes several times the idle timeout.
    let mut tick = tokio::time::interval(IDLE_TIMEOUT / 10);
    let mut part = vec![0; 1 << 20];
    for _ in 0..PARTS {
        tick.tick().await;
        socket.read_exact(&mut part).await.expect("the connection stays open");
    }
}

#[tokio::test]
async fn client_above_its_limit_loses_its_longest_idle_connection() {
    let limits = ConnectionLimits { per_client: non_zero(3), ..ConnectionLimits::default() };
    let server = BusyServer::start(limits).await;
    let mut other = server.connect(2).await;
    assert!(is_open(&mut other).await);

    let mut active = server.active_connection().await;
    let mut idle = Vec::new();
    for _ in 0..10 {
        let mut socket = server.connect(1).await;
        assert!(is_open(&mut socket).await);
        idle.push(socket);
    }
    let newest = idle.split_off(8);
    for mut socket in idle {
        assert_eq!(read_status(&mut socket).await, None, "closed for a newer connection");
    }
    for mut socket in newest {
        assert!(is_open(&mut socket).await);
    }
    server.proceed.notify_one();
    assert_eq!(read_status(&mut active).await, Some(200));
    assert!(is_open(&mut other).await);
    assert!(is_open(&mut server.connect(2).await).await);
}

#[tokio::test]
async fn client_with_only_active_connections_gets_no_further_connection() {
    let limits = ConnectionLimits { per_client: non_zero(2), ..ConnectionLimits::default() };
    let server = BusyServer::start(limits).await;
    let active = [server.active_connection().await, server.active_connection().await];
    let mut further = server.connect(1).await;
    assert_eq!(read_status(&mut further).await, None);
    assert!(is_open(&mut server.connect(2).await).await);
    for mut socket in active {
        server.proceed.notify_one();
        assert_eq!(read_status(&mut socket).await, Some(200));
    }
    assert!(is_open(&mut server.connect(1).await).await);
}

#[tokio::test]
async fn full_server_closes_the_longest_idle_connection() {
    let max = NonZeroUsize::MIN.saturating_add(3);
    let limits = ConnectionLimits { max, per_client: None, ..ConnectionLimits::default() };
    let server = BusyServer::start(limits).await;
    let mut active = server.active_connection().await;
    let mut silent = server.connect(1).await;
    let mut used = server.connect(1).await;
    let mut last = server.connect(1).await;
    // The order in which they become idle: `silent` never sends anything.
    assert!(is_open(&mut last).await);
    assert!(is_open(&mut used).await);
    assert!(is_open(&mut last).await);

    let mut newest = server.connect(2).await;
    assert!(is_open(&mut newest).await);
    assert_eq!(read_status(&mut silent).await, None);
    let mut newer = server.connect(2).await;
    assert!(is_open(&mut newer).await);
    assert_eq!(read_status(&mut used).await, None);
    for socket in [&mut last, &mut newest, &mut newer] {
        assert!(is_open(socket).await);
    }
    server.proceed.notify_one();
    assert_eq!(read_status(&mut active).await, Some(200));
}

#[tokio::test]
async fn further_connection_waits_while_all_connections_are_active() {
    let max = NonZeroUsize::MIN;
    let limits = ConnectionLimits { max, per_client: None, ..ConnectionLimits::default() };
    let server = BusyServer::start(limits).await;
    let mut active = server.active_connection().await;
    let mut further = server.connect(2).await;
    send_request(&mut further, "/v1/health").await;
    server.proceed.notify_one();
    assert_eq!(read_status(&mut active).await, Some(200));
    // The first connection is idle now and is closed for the further one.
    assert_eq!(read_status(&mut further).await, Some(200));
    assert_eq!(read_status(&mut active).await, None);
}

/// The number of concurrent sign-ins: more than are computed or wait at a time.
const SIGN_INS: usize = 200;

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_that_cannot_wait_for_a_password_check_return_service_unavailable() {
    let edge = EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    let service = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await;
    let one_account = (0..SIGN_INS).map(|_| ("192.0.2.1".to_owned(), service.admin_email.clone()));
    let many_addresses = (0..SIGN_INS)
        .map(|number| (format!("192.0.2.{number}"), format!("p{number}@acme.example")));
    for callers in [one_account.collect::<Vec<_>>(), many_addresses.collect()] {
        let sign_ins = callers.into_iter().map(|(address, email)| {
            let client = service.public.with("x-forwarded-for", address);
            tokio::spawn(client.sign_in(&email, PASSWORD).into_future())
        });
        let sign_ins: Vec<_> = sign_ins.collect();
        let mut rejected = 0;
        for sign_in in sign_ins {
            let response = sign_in.await.expect("no client panics");
            assert!([200, 401, 429, 503].contains(&response.status), "{response}");
            if response.status == 503 {
                assert!(response.header("retry-after").is_some(), "{response:?}");
                rejected += 1;
            }
        }
        assert!(rejected > 0, "all sign-ins waited");
    }
    service.sign_in(&service.admin_email).await.get("/v1/session").await.expect(200);
}
