//! Calls on behalf of others: where they go, how they end, and what the address rule keeps them from.

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
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// A name server: each question for any name gets the next answer, and the last one for ever.
#[derive(Debug)]
struct Answers {
    each: Vec<Vec<IpAddr>>,
    asked: Arc<AtomicUsize>,
}

#[async_trait::async_trait]
impl Resolver for Answers {
    async fn addresses(&self, _: &str) -> Result<Vec<IpAddr>, AddressError> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        self.each.get(number).or(self.each.last()).cloned().ok_or(AddressError::Unresolved)
    }
}

/// What may be called: `listed` besides public addresses, with a name server that gives these answers.
fn destinations(listed: &str, each: &[&[&str]]) -> (OutboundPolicy, Arc<AtomicUsize>) {
    let address = |text: &&str| text.parse().expect("an address");
    let each = each.iter().map(|answer| answer.iter().map(address).collect()).collect();
    let asked = Arc::<AtomicUsize>::default();
    let rule = AddressPolicy::Public { listed: listed.parse().expect("a list"), has_http: true };
    (OutboundPolicy::new(rule, Answers { each, asked: Arc::clone(&asked) }), asked)
}

/// What a receiver does once it has been called.
#[derive(Clone, Copy)]
enum ServerBehavior {
    Says(&'static str),
    SaysNothing,
    Drips,
    Floods,
    /// Says in few bytes what would be many, were it unpacked.
    Packs,
    Resets,
}

/// A hundred thousand zeros, packed by gzip.
const PACKED: &str = "H4sIAAAAAAAC/+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
     AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA";

/// A receiver of one call; gives its port, and what it was told.
///
/// It hears the caller out before it hangs up: whoever closes a connection with words unread resets it,
/// and takes its own answer back.
async fn receiver(does: ServerBehavior) -> (u16, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let told = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a caller");
        let mut told = Vec::with_capacity(4_096);
        socket.read_buf(&mut told).await.expect("the caller writes");
        answer(&mut socket, does).await;
        if !matches!(does, ServerBehavior::Resets) {
            let _ = socket.shutdown().await;
            let _ = socket.read_to_end(&mut told).await;
        }
        String::from_utf8_lossy(&told).into_owned()
    });
    (port, told)
}

async fn answer(socket: &mut TcpStream, does: ServerBehavior) {
    match does {
        ServerBehavior::Says(text) => {
            let _ = socket.write_all(text.as_bytes()).await;
        }
        // Until the caller gives up.
        ServerBehavior::SaysNothing => {
            while socket.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
        }
        ServerBehavior::Drips => {
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            while socket.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        ServerBehavior::Floods => {
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n").await;
            while socket.write_all(&[0; 16_384]).await.is_ok() {}
        }
        ServerBehavior::Packs => {
            let packed = STANDARD.decode(PACKED).expect("base64");
            let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n";
            let _ = socket.write_all(&[&head[..], &packed].concat()).await;
        }
        ServerBehavior::Resets => {
            let _ = socket.set_zero_linger();
        }
    }
}

/// How a call of `url` ends: a status, or the reason why there is none.
async fn call(destinations: &OutboundPolicy, url: &str, patience: Duration) -> String {
    let outbound = Outbound::new(destinations.clone(), patience).expect("a client");
    let mut headers = HeaderMap::new();
    headers.insert("x-service-event", HeaderValue::from_static("alert.created"));
    let called = outbound.post(&url.parse().expect("an address"), headers, b"{}".to_vec()).await;
    called.map_or_else(|why| why.reason().to_owned(), |status| status.as_u16().to_string())
}

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn a_name_that_leads_elsewhere_once_it_is_named_gets_nothing() {
    let (port, told) = receiver(ServerBehavior::Says("HTTP/1.1 200 OK\r\n\r\n")).await;
    let inside: &[&str] = &["127.0.0.1"];
    for second in
        [inside, &["93.184.215.14", "127.0.0.1"], &["::ffff:127.0.0.1"], &["169.254.169.254"]]
    {
        let (destinations, asked) = destinations("", &[&["93.184.215.14"], second]);
        let url = format!("https://rebound.example:{port}/hook");
        destinations.check(&url).await.expect("it is public when it is named");
        assert_eq!(call(&destinations, &url, LONG).await, "blocked_address", "{second:?}");
        assert_eq!(asked.load(Ordering::SeqCst), 2, "looked up once when named, and once to call");
    }
    // Figures are looked up nowhere, and are judged all the same.
    let (destinations, _) = destinations("", &[]);
    for host in ["127.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert_eq!(call(&destinations, &url, LONG).await, "blocked_address", "{url}");
        }
    }
    assert!(!told.is_finished(), "nobody has called");
    told.abort();
}

#[tokio::test]
async fn what_is_listed_is_called_at_the_address_that_was_judged() {
    let (port, told) = receiver(ServerBehavior::Says("HTTP/1.1 204 No Content\r\n\r\n")).await;
    // A second look-up would lead elsewhere.
    let (destinations, asked) = destinations("127.0.0.1", &[&["127.0.0.1"], &["192.0.2.1"]]);
    let url = format!("http://hooks.example:{port}/hook");
    assert_eq!(call(&destinations, &url, LONG).await, "204");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    let told = told.await.expect("it was called");
    assert!(told.starts_with("POST /hook HTTP/1.1\r\n"), "{told}");
    for line in ["x-service-event: alert.created\r\n", "user-agent: govern\r\n"] {
        assert!(told.contains(line), "{told}");
    }
    assert!(
        told.contains(&format!("host: hooks.example:{port}\r\n")) && told.ends_with("{}"),
        "{told}"
    );
}

#[tokio::test]
async fn however_a_receiver_behaves_the_call_ends_with_a_reason() {
    let elsewhere = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/\r\n\r\n";
    let behaviours = [
        ("http", ServerBehavior::Says(elsewhere), LONG, "307"),
        ("http", ServerBehavior::Says("HTTP/1.1 500 Internal Server Error\r\n\r\nno"), LONG, "500"),
        ("http", ServerBehavior::Says("SSH-2.0-OpenSSH_9.2\r\n"), LONG, "connection_reset"),
        ("http", ServerBehavior::Resets, LONG, "connection_reset"),
        ("http", ServerBehavior::Floods, LONG, "body_too_large"),
        ("http", ServerBehavior::Packs, LONG, "200"),
        ("http", ServerBehavior::SaysNothing, SHORT, "timeout"),
        ("http", ServerBehavior::Drips, SHORT, "timeout"),
        ("https", ServerBehavior::Says("HTTP/1.1 400 Bad Request\r\n\r\n"), LONG, "tls_error"),
        ("https", ServerBehavior::SaysNothing, SHORT, "connect_timeout"),
    ];
    for (scheme, does, patience, expected) in behaviours {
        let (port, told) = receiver(does).await;
        let (destinations, _) = destinations("127.0.0.0/8", &[]);
        let url = format!("{scheme}://127.0.0.1:{port}/");
        assert_eq!(call(&destinations, &url, patience).await, expected);
        told.abort();
    }
    let (destinations, _) = destinations("127.0.0.0/8", &[]);
    assert_eq!(call(&destinations, "http://127.0.0.1:1/", LONG).await, "connection_reset");
    assert_eq!(call(&destinations, "https://nobody.example/", LONG).await, "dns_error");
}

/// A certificate for `127.0.0.1`, signed with its own key.
const CERTIFICATE: &str = "MIIBVTCCAQegAwIBAgIUaqaISdDADdMRhBwHHeplPmMQQ+4wBQYDK2VwMBgxFjAUBgNVBAMMDWhvb2tzLmV4YW1w\
     bGUwIBcNMjYxMTIyMTcwMzI5WhgPMjEyNjEwMjkxNzAzMjlaMBgxFjAUBgNVBAMMDWhvb2tzLmV4YW1wbGUwKjAF\
     BgMrZXADIQD9FyQ4WqDHW2T7eM1gL6HZkf3r92sTxY7XAurINen2GKNhMF8wHQYDVR0OBBYEFF4HRUchgLGsO/9y\
     EfhGU2zmyQqUMB8GA1UdIwQYMBaAFF4HRUchgLGsO/9yEfhGU2zmyQqUMA8GA1UdEQQIMAaHBH8AAAEwDAYDVR0T\
     AQH/BAIwADAFBgMrZXADQQAObKZgbsj88V8FCAys3VZQ+ISfp/kYnBD8tVlh/D5qvuIc3GfvSKQGUDl9ZuVRk5OY\
     1ebEbMPtX2toPKVCDdgC";

/// What comes before the 32 bytes of an Ed25519 key in its PKCS#8 form.
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// A receiver of one call, for which nobody vouches but itself; gives its port, and whether the caller
/// went on with it.
fn self_signed() -> (u16, thread::JoinHandle<bool>) {
    let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).expect("base64"));
    let key = PrivatePkcs8KeyDer::from([&PKCS8[..], &[9; 32]].concat());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|versions| {
            versions.with_no_client_auth().with_single_cert(vec![certificate], key.into())
        });
    let config = Arc::new(config.expect("certificate and key fit"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let trusted = thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a caller");
        let mut connection = ServerConnection::new(config).expect("a connection");
        connection.complete_io(&mut socket).is_ok()
    });
    (port, trusted)
}

#[tokio::test]
async fn a_receiver_for_whom_nobody_vouches_is_told_nothing() {
    let (port, trusted) = self_signed();
    let (destinations, _) = destinations("127.0.0.0/8", &[]);
    let url = format!("https://127.0.0.1:{port}/");
    assert_eq!(call(&destinations, &url, LONG).await, "tls_error");
    assert!(!trusted.join().expect("it was called"), "it was believed");
}
