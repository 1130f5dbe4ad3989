//! Outbound calls: the addresses that they reach or that are blocked, and their results.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use governance::notify::outbound_policy::{AddressError, AddressPolicy, OutboundPolicy, Resolver};
use http::{HeaderMap, HeaderValue};
use rustls::{
    ServerConfig, ServerConnection,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};
use server::outbound::Outbound;

use crate::fake_server::{FakeServer, Reaction};

/// A resolver that returns its results in order for any host and repeats the last one.
#[derive(Debug)]
struct FakeResolver {
    results: Vec<Vec<IpAddr>>,
    lookups: Arc<AtomicUsize>,
}

#[async_trait::async_trait]
impl Resolver for FakeResolver {
    async fn addresses(&self, _: &str) -> Result<Vec<IpAddr>, AddressError> {
        let index = self.lookups.fetch_add(1, Ordering::SeqCst);
        self.results.get(index).or(self.results.last()).cloned().ok_or(AddressError::Unresolved)
    }
}

/// Returns a policy that allows public addresses and those of `allow_list`, and the number of its look-ups. They
/// return `results` in order.
fn outbound_policy(allow_list: &str, results: &[&[&str]]) -> (OutboundPolicy, Arc<AtomicUsize>) {
    let address = |text: &&str| text.parse().expect("an address");
    let results = results.iter().map(|result| result.iter().map(address).collect()).collect();
    let lookups = Arc::<AtomicUsize>::default();
    let rule = AddressPolicy::Public {
        allow_list: allow_list.parse().expect("a list"),
        allows_http: true,
    };
    let resolver = FakeResolver { results, lookups: Arc::clone(&lookups) };
    (OutboundPolicy::new(rule, resolver), lookups)
}

/// A hundred thousand zeros, compressed by gzip.
const COMPRESSED: &str = "H4sIAAAAAAAC/+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
     AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA";

/// Starts a receiver with one response.
async fn receiver(response: &'static str) -> FakeServer {
    FakeServer::start(move |_| Reaction::Respond(response.into())).await
}

/// Posts to `url` and returns the response status or the reason of the error.
async fn call(policy: &OutboundPolicy, url: &str, timeout: Duration) -> String {
    let outbound = Outbound::new(policy.clone(), timeout).expect("a client");
    let mut headers = HeaderMap::new();
    headers.insert("x-service-event", HeaderValue::from_static("alert.created"));
    let result = outbound.post(&url.parse().expect("an address"), headers, b"{}".to_vec()).await;
    result.map_or_else(|error| error.reason().to_owned(), |(status, _)| status.as_u16().to_string())
}

const LONG_TIMEOUT: Duration = Duration::from_secs(20);
const SHORT_TIMEOUT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn host_that_resolves_to_a_blocked_address_after_the_check_is_not_called() {
    let receiver = receiver("HTTP/1.1 200 OK\r\n\r\n").await;
    let port = receiver.address.port();
    let inside: &[&str] = &["127.0.0.1"];
    for second in
        [inside, &["93.184.215.14", "127.0.0.1"], &["::ffff:127.0.0.1"], &["169.254.169.254"]]
    {
        let (policy, lookups) = outbound_policy("", &[&["93.184.215.14"], second]);
        let url = format!("https://rebound.example:{port}/hook");
        policy.check(&url).await.expect("the first look-up returns a public address");
        assert_eq!(call(&policy, &url, LONG_TIMEOUT).await, "blocked_address", "{second:?}");
        assert_eq!(
            lookups.load(Ordering::SeqCst),
            2,
            "one look-up by the check and one by the call"
        );
    }
    // IP addresses are checked without a look-up.
    let (policy, _) = outbound_policy("", &[]);
    for host in ["127.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert_eq!(call(&policy, &url, LONG_TIMEOUT).await, "blocked_address", "{url}");
        }
    }
    assert!(receiver.requests().is_empty(), "the receiver was not called");
}

#[tokio::test]
async fn listed_host_is_called_at_the_checked_address() {
    let receiver = receiver("HTTP/1.1 204 No Content\r\n\r\n").await;
    let port = receiver.address.port();
    // A second look-up would return another address.
    let (policy, lookups) = outbound_policy("127.0.0.1", &[&["127.0.0.1"], &["192.0.2.1"]]);
    let url = format!("http://hooks.example:{port}/hook");
    assert_eq!(call(&policy, &url, LONG_TIMEOUT).await, "204");
    assert_eq!(lookups.load(Ordering::SeqCst), 1);
    let request = &receiver.requests()[0];
    assert_eq!((&*request.method, &*request.path, &*request.body), ("POST", "/hook", "{}"));
    let host = format!("hooks.example:{port}");
    for (name, value) in
        [("x-service-event", "alert.created"), ("user-agent", "govern"), ("host", &*host)]
    {
        assert_eq!(request.header(name), value);
    }
}

#[tokio::test]
async fn call_ends_with_a_status_or_a_reason_for_every_receiver_behavior() {
    let respond = |text: &str| Reaction::Respond(text.into());
    // A small body that is large once it is decompressed.
    let head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n";
    let compressed = [head.as_bytes(), &STANDARD.decode(COMPRESSED).expect("base64")].concat();
    let slow_body =
        Reaction::Repeat("HTTP/1.1 200 OK\r\n\r\n", vec![b'x'], Duration::from_millis(5));
    let redirect = Reaction::response("307 Found\r\nlocation: http://169.254.169.254/", "");
    for (scheme, reaction, timeout, expected) in [
        ("http", redirect, LONG_TIMEOUT, "307"),
        ("http", Reaction::response("500 Internal Server Error", "no"), LONG_TIMEOUT, "500"),
        ("http", respond("SSH-2.0-OpenSSH_9.2\r\n"), LONG_TIMEOUT, "connection_reset"),
        ("http", Reaction::Reset, LONG_TIMEOUT, "connection_reset"),
        (
            "http",
            Reaction::Repeat(head, vec![0; 16_384], Duration::ZERO),
            LONG_TIMEOUT,
            "body_too_large",
        ),
        ("http", Reaction::Respond(compressed), LONG_TIMEOUT, "200"),
        ("http", Reaction::Stall(""), SHORT_TIMEOUT, "timeout"),
        ("http", slow_body, SHORT_TIMEOUT, "timeout"),
        ("https", respond("HTTP/1.1 400 Bad Request\r\n\r\n"), LONG_TIMEOUT, "tls_error"),
        ("https", Reaction::Stall(""), SHORT_TIMEOUT, "connect_timeout"),
    ] {
        let description = format!("{scheme} {reaction:.40?}");
        let receiver = FakeServer::start(move |_| reaction.clone()).await;
        let (policy, _) = outbound_policy("127.0.0.0/8", &[]);
        let url = format!("{scheme}://{}/", receiver.address);
        assert_eq!(call(&policy, &url, timeout).await, expected, "{description}");
    }
    let (policy, _) = outbound_policy("127.0.0.0/8", &[]);
    assert_eq!(call(&policy, "http://127.0.0.1:1/", LONG_TIMEOUT).await, "connection_reset");
    assert_eq!(call(&policy, "https://unknown.example/", LONG_TIMEOUT).await, "dns_error");
}

/// A certificate for `127.0.0.1`, signed with its own key.
const CERTIFICATE: &str = "MIIBVTCCAQegAwIBAgIUaqaISdDADdMRhBwHHeplPmMQQ+4wBQYDK2VwMBgxFjAUBgNVBAMMDWhvb2tzLmV4YW1w\
     bGUwIBcNMjYxMTIyMTcwMzI5WhgPMjEyNjEwMjkxNzAzMjlaMBgxFjAUBgNVBAMMDWhvb2tzLmV4YW1wbGUwKjAF\
     BgMrZXADIQD9FyQ4WqDHW2T7eM1gL6HZkf3r92sTxY7XAurINen2GKNhMF8wHQYDVR0OBBYEFF4HRUchgLGsO/9y\
     EfhGU2zmyQqUMB8GA1UdIwQYMBaAFF4HRUchgLGsO/9yEfhGU2zmyQqUMA8GA1UdEQQIMAaHBH8AAAEwDAYDVR0T\
     AQH/BAIwADAFBgMrZXADQQAObKZgbsj88V8FCAys3VZQ+ISfp/kYnBD8tVlh/D5qvuIc3GfvSKQGUDl9ZuVRk5OY\
     1ebEbMPtX2toPKVCDdgC";

/// The PKCS#8 prefix of a 32-byte Ed25519 key.
const PKCS8_PREFIX: [u8; 16] =
    [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// Starts a receiver of one call with a self-signed certificate. Returns its port and a thread that
/// ends with whether the TLS handshake succeeded.
fn self_signed_receiver() -> (u16, thread::JoinHandle<bool>) {
    let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).expect("base64"));
    let key = PrivatePkcs8KeyDer::from([&PKCS8_PREFIX[..], &[9; 32]].concat());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|versions| {
            versions.with_no_client_auth().with_single_cert(vec![certificate], key.into())
        });
    let config = Arc::new(config.expect("a certificate and its key"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a bound listener").port();
    let handshake = thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a caller");
        let mut connection = ServerConnection::new(config).expect("a connection");
        connection.complete_io(&mut socket).is_ok()
    });
    (port, handshake)
}

#[tokio::test]
async fn receiver_with_a_self_signed_certificate_receives_no_request() {
    let (port, handshake) = self_signed_receiver();
    let (policy, _) = outbound_policy("127.0.0.0/8", &[]);
    let url = format!("https://127.0.0.1:{port}/");
    assert_eq!(call(&policy, &url, LONG_TIMEOUT).await, "tls_error");
    assert!(!handshake.join().expect("the receiver was called"), "the certificate was trusted");
}
