//! A local webhook receiver that stores its calls. The path selects its behavior.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::HeaderMap;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Call {
    /// A header that every call has.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .unwrap_or_else(|| panic!("{name}: {self:?}"))
            .to_str()
            .expect("ASCII")
    }
}

/// The delay of a slow receiver.
const DELAY: Duration = Duration::from_secs(2);

/// A webhook receiver that listens on a local port.
pub(crate) struct Receiver {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
    received: Arc<Notify>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the listener is bound");
        let (calls, received) = (Arc::<Mutex<Vec<Call>>>::default(), Arc::<Notify>::default());
        let (stored_calls, notify) = (calls.clone(), received.clone());
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.expect("a caller");
                tokio::spawn(serve(socket, stored_calls.clone(), notify.clone()));
            }
        });
        Self { address, calls, received }
    }

    /// The URL of a behavior: `ok`, `500`, `410`, `503/RETRY_AFTER`, `redirect`, `slow`, `slow-500` or `hang`.
    pub(crate) fn url(&self, behavior: &str) -> String {
        format!("http://{}/{behavior}", self.address)
    }

    /// The calls so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().expect("no receiver panics").clone()
    }

    /// Waits until this number of calls were received.
    pub(crate) async fn called(&self, times: usize) {
        loop {
            let next_call = self.received.notified();
            if self.calls().len() >= times {
                return;
            }
            next_call.await;
        }
    }
}

async fn serve(mut socket: TcpStream, calls: Arc<Mutex<Vec<Call>>>, received: Arc<Notify>) {
    let Some(call) = read(&mut socket).await else { return };
    let behavior = call.path.trim_start_matches('/').to_owned();
    calls.lock().expect("no receiver panics").push(call);
    received.notify_waiters();
    // The caller may close the connection early, which is not an error of the receiver.
    let _ = respond(&mut socket, &behavior).await;
}

async fn respond(socket: &mut TcpStream, behavior: &str) -> std::io::Result<()> {
    let (name, wait) = behavior.split_once('/').unwrap_or((behavior, ""));
    match name {
        "hang" => std::future::pending().await,
        "slow" | "slow-500" => tokio::time::sleep(DELAY).await,
        _ => {}
    }
    let (head, body) = match name {
        "410" => ("410 Gone".to_owned(), ""),
        "503" => (format!("503 Service Unavailable\r\nretry-after: {wait}"), ""),
        "redirect" => ("307 Temporary Redirect\r\nlocation: /ok".to_owned(), ""),
        "500" | "slow-500" => ("500 Internal Server Error".to_owned(), "no"),
        _ => ("204 No Content".to_owned(), ""),
    };
    let response = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    socket.write_all(response.as_bytes()).await
}

async fn read(socket: &mut TcpStream) -> Option<Call> {
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 4_096];
        let read = socket.read(&mut part).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let mut lines = head.split("\r\n");
        let path = lines.next()?.split(' ').nth(1)?.to_owned();
        let headers: HeaderMap = lines
            .filter_map(|line| line.split_once(": "))
            .filter_map(|(name, value)| {
                Some((name.parse::<http::HeaderName>().ok()?, value.parse().ok()?))
            })
            .collect();
        let length: usize = headers.get("content-length")?.to_str().ok()?.parse().ok()?;
        if body.len() >= length {
            return Some(Call { path, headers, body: body.to_owned() });
        }
    }
}
