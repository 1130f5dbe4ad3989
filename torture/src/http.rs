//! A client for HTTP/1.1 that reports exactly when a request got no answer.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result, bail, ensure};
use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// The time limit of an answer. The service answers within 30 seconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of headers of a response.
const HEADERS_MAX: usize = 64;

/// Returns the bytes of a request. Each of `headers` ends with a line break.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: Option<&str>) -> String {
    let content = body.map_or_else(String::new, |body| {
        format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len())
    });
    let body = body.unwrap_or_default();
    format!("{method} {path} HTTP/1.1\r\nhost: torture\r\n{headers}{content}\r\n{body}")
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// The value of `set-cookie` up to the first semicolon.
    pub(crate) cookie: Option<String>,
    pub(crate) has_retry_after: bool,
    closes: bool,
    /// Whether a proxy has answered, because it got no response of the service.
    is_of_proxy: bool,
}

impl Response {
    /// Parses the body.
    ///
    /// # Errors
    /// Returns an error with the body if the status is not `status` or the body has another form.
    pub(crate) fn json<T: DeserializeOwned>(&self, status: u16) -> Result<T> {
        let text = || String::from_utf8_lossy(&self.body);
        ensure!(self.status == status, "the status is {}, not {status}: {}", self.status, text());
        serde_json::from_slice(&self.body).with_context(|| format!("unexpected body: {}", text()))
    }
}

/// A client with at most one open connection, which is opened again when it is needed.
#[derive(Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, buffer: Vec::new() }
    }

    /// Sends a request once and returns its response.
    ///
    /// # Errors
    /// Returns an error if there was no complete response. The service may have handled the request.
    pub(crate) async fn send(&mut self, request: &str) -> Result<Response> {
        let response = timeout(ANSWER_TIMEOUT, self.exchange(request)).await;
        let response = response.context("no response in time").flatten();
        if response.as_ref().map_or(true, |response| response.closes) {
            self.stream = None;
        }
        response
    }

    async fn exchange(&mut self, request: &str) -> Result<Response> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            empty => empty.insert(connect(self.address).await?),
        };
        stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        loop {
            if stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the connection was closed before the response was complete");
            }
            if let Some(response) = parse(&self.buffer)? {
                ensure!(!response.is_of_proxy, "the proxy got no response");
                return Ok(response);
            }
        }
    }
}

/// Opens a connection to the service.
pub(crate) async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await??;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Parses a response, or returns `None` while it is incomplete.
fn parse(bytes: &[u8]) -> Result<Option<Response>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = head.parse(bytes)? else { return Ok(None) };
    let header = |name: &str| {
        let header = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(header.value).ok()
    };
    let body = &bytes[start..];
    let body = if header("transfer-encoding").is_some() {
        dechunk(body)?
    } else {
        let length = header("content-length").map_or(Ok(0), str::parse::<usize>)?;
        body.get(..length).map(<[u8]>::to_vec)
    };
    let cookie = header("set-cookie").and_then(|value| value.split(';').next());
    Ok(body.map(|body| Response {
        status: head.code.unwrap_or_default(),
        body,
        cookie: cookie.map(str::to_owned),
        has_retry_after: header("retry-after").is_some(),
        closes: header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")),
        is_of_proxy: header("server") == Some("haproxy"),
    }))
}

/// Joins the chunks of a body, or returns `None` while the last one is missing.
fn dechunk(mut bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        let Ok(size) = httparse::parse_chunk_size(bytes) else { bail!("invalid chunk size") };
        let httparse::Status::Complete((start, size)) = size else { return Ok(None) };
        let end = start + usize::try_from(size)?;
        let Some(chunk) = bytes.get(start..end) else { return Ok(None) };
        let Some(rest) = bytes.get(end + 2..) else { return Ok(None) };
        if chunk.is_empty() {
            return Ok(Some(body));
        }
        body.extend_from_slice(chunk);
        bytes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_is_complete_with_its_last_byte() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
        let counted = "HTTP/1.1 503 Busy\r\nretry-after: 1\r\ncontent-length: 2\r\n\r\nhi";
        for text in [chunked, counted] {
            for length in 0..text.len() {
                assert!(parse(&text.as_bytes()[..length]).unwrap().is_none(), "{length}: {text}");
            }
            assert_eq!(parse(text.as_bytes()).unwrap().unwrap().body, b"hi");
        }
        let response = parse(counted.as_bytes()).unwrap().unwrap();
        assert_eq!((response.status, response.has_retry_after), (503, true));
    }
}
