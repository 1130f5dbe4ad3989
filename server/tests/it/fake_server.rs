//! An HTTP server in this process that stores its requests and reacts to each of them as a test says.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::{HeaderMap, HeaderName};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// A request. It is empty if a caller begins a TLS handshake instead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Request {
    /// A header that every request has.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).unwrap_or_else(|| panic!("{name}: {self:?}"));
        value.to_str().expect("ASCII")
    }
}

/// The reaction to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reaction {
    /// Sends these bytes and closes the connection.
    Respond(Vec<u8>),
    /// Responds after this time.
    RespondAfter(Duration, Vec<u8>),
    /// Sends these bytes and then nothing, until the caller closes the connection.
    Stall(&'static str),
    /// Sends these bytes, and then the others again and again, with pauses.
    Repeat(&'static str, Vec<u8>, Duration),
    /// Resets the connection.
    Reset,
}

impl Reaction {
    /// Returns the response with a status, which headers may follow, and a body.
    pub(crate) fn response(head: impl fmt::Display, body: &str) -> Self {
        let length = body.len();
        let text = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\n\r\n{body}");
        Self::Respond(text.into_bytes())
    }
}

/// A server that listens on a local port.
pub(crate) struct FakeServer {
    pub(crate) address: SocketAddr,
    received: Arc<Received>,
}

#[derive(Debug, Default)]
struct Received {
    requests: Mutex<Vec<Request>>,
    changed: Notify,
}

impl FakeServer {
    pub(crate) async fn start(
        react: impl Fn(&Request) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the listener is bound");
        let (received, react) = (Arc::<Received>::default(), Arc::new(react));
        let stored = Arc::clone(&received);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.expect("a caller");
                let (stored, react) = (Arc::clone(&stored), Arc::clone(&react));
                tokio::spawn(async move {
                    let Some(request) = read(&mut socket).await else { return };
                    let reaction = react(&request);
                    stored.requests.lock().expect("no server panics").push(request);
                    stored.changed.notify_waiters();
                    // The caller may close the connection early, which is not an error of the server.
                    let _ = perform(socket, reaction).await;
                });
            }
        });
        Self { address, received }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.received.requests.lock().expect("no server panics").clone()
    }

    /// Waits until this number of requests were received.
    pub(crate) async fn called(&self, times: usize) {
        loop {
            let next_request = self.received.changed.notified();
            if self.requests().len() >= times {
                return;
            }
            next_request.await;
        }
    }
}

async fn perform(mut socket: TcpStream, reaction: Reaction) -> io::Result<()> {
    match reaction {
        Reaction::Respond(bytes) => respond(socket, &bytes).await,
        Reaction::RespondAfter(delay, bytes) => {
            tokio::time::sleep(delay).await;
            respond(socket, &bytes).await
        }
        Reaction::Stall(bytes) => {
            socket.write_all(bytes.as_bytes()).await?;
            drain(socket).await
        }
        Reaction::Repeat(head, bytes, pause) => {
            socket.write_all(head.as_bytes()).await?;
            loop {
                socket.write_all(&bytes).await?;
                tokio::time::sleep(pause).await;
            }
        }
        Reaction::Reset => socket.set_zero_linger(),
    }
}

async fn respond(mut socket: TcpStream, bytes: &[u8]) -> io::Result<()> {
    socket.write_all(bytes).await?;
    socket.shutdown().await?;
    // Closing a connection with unread bytes resets it and discards the response.
    drain(socket).await
}

async fn drain(mut socket: TcpStream) -> io::Result<()> {
    while socket.read(&mut [0; 64]).await? > 0 {}
    Ok(())
}

async fn read(socket: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        socket.read_buf(&mut bytes).await.ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&bytes);
        if !text.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Some(Request::default());
        }
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ').map(str::to_owned);
        let (method, path) = (words.next()?, words.next()?);
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers: HeaderMap = headers
            .filter_map(|(name, value)| {
                Some((name.parse::<HeaderName>().ok()?, value.parse().ok()?))
            })
            .collect();
        let length =
            headers.get("content-length").map_or("0", |length| length.to_str().expect("ASCII"));
        if body.len() >= length.parse().ok()? {
            return Some(Request { method, path, headers, body: body.to_owned() });
        }
    }
}
