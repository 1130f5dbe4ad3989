//! A minimal HTTP/1.1 client for tests: one connection per request; every response is checked.

use std::{
    fmt,
    future::{Future, IntoFuture},
    io::{self, Read as _},
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex},
};

use contract::error::ErrorCode;
use governance::CorrelationId;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{described, prelude::*};

/// A caller: the headers of each request and the cookie that the service has set.
#[derive(Clone, Debug)]
pub(crate) struct Client(Arc<ClientInner>);

#[derive(Debug)]
struct ClientInner {
    address: SocketAddr,
    headers: Vec<(String, String)>,
    cookie: Mutex<Option<String>>,
}

impl Client {
    /// Returns a client without credentials.
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self(Arc::new(ClientInner { address, headers: Vec::new(), cookie: Mutex::default() }))
    }

    /// Returns a copy with another address and other headers. The copy stores its own cookie.
    fn copy(&self, address: SocketAddr, headers: Vec<(String, String)>) -> Self {
        Self(Arc::new(ClientInner { address, headers, cookie: Mutex::new(self.cookie()) }))
    }

    /// Returns a copy with an additional header. The copy stores its own cookie.
    pub(crate) fn with(&self, name: &str, value: impl fmt::Display) -> Self {
        let mut headers = self.0.headers.clone();
        headers.push((name.to_owned(), value.to_string()));
        self.copy(self.0.address, headers)
    }

    /// Returns a copy that stores its own cookie.
    pub(crate) fn without_session(&self) -> Self {
        self.without("")
    }

    /// Returns a copy without the header `name`. The copy stores its own cookie.
    pub(crate) fn without(&self, name: &str) -> Self {
        let headers = self.0.headers.iter().filter(|(header, _)| header != name);
        self.copy(self.0.address, headers.cloned().collect())
    }

    /// Returns a copy that calls the same process as `other`. The copy stores its own cookie.
    pub(crate) fn at_process_of(&self, other: &Self) -> Self {
        self.copy(other.0.address, self.0.headers.clone())
    }

    /// Returns the cookie in the form `name=value`.
    pub(crate) fn cookie(&self) -> Option<String> {
        self.0.cookie.lock().expect("no client panics").clone()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.address
    }

    pub(crate) fn get(&self, path: impl Into<String>) -> Call {
        self.call("GET", path)
    }

    pub(crate) fn post(&self, path: impl Into<String>, body: &Value) -> Call {
        self.call("POST", path).json(body)
    }

    /// Signs a user in.
    pub(crate) fn sign_in(&self, email: &str, password: &str) -> Call {
        self.post("/v1/session", &json!({"email": email, "password": password}))
    }

    pub(crate) fn patch(&self, path: impl Into<String>, body: &Value) -> Call {
        self.call("PATCH", path).json(body)
    }

    pub(crate) fn delete(&self, path: impl Into<String>) -> Call {
        self.call("DELETE", path)
    }

    /// Returns a request with any method and without a body.
    pub(crate) fn call(&self, method: &str, path: impl Into<String>) -> Call {
        Call {
            client: self.clone(),
            method: method.to_owned(),
            path: path.into(),
            headers: self.0.headers.clone(),
            body: Vec::new(),
        }
    }
}

/// A request. Awaiting it sends the request.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct Call {
    client: Client,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Call {
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn header(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", content_type)
    }

    /// Returns the request head for a body of `length` bytes on a persistent connection.
    pub(crate) fn head(&self, length: usize) -> Vec<u8> {
        use std::fmt::Write as _;
        let address = self.client.0.address;
        let mut head = format!("{} {} HTTP/1.1\r\nhost: {address}\r\n", self.method, self.path);
        let cookie = self.client.cookie().map(|cookie| ("cookie".to_owned(), cookie));
        for (name, value) in self.headers.iter().chain(&cookie) {
            write!(head, "{name}: {value}\r\n").expect("writing to a string succeeds");
        }
        write!(head, "content-length: {length}\r\n\r\n").expect("writing to a string succeeds");
        head.into_bytes()
    }

    async fn send(self) -> TestResponse {
        self.try_send().await.expect("the service responds")
    }

    /// Sends the request. Returns an error when the service stops before it responds.
    pub(crate) async fn try_send(self) -> io::Result<TestResponse> {
        let mut socket = TcpStream::connect(self.client.0.address).await?;
        // The service may close the connection before it has read the whole body.
        let call = self.clone().header("connection", "close");
        let _ = socket.write_all(&[call.head(self.body.len()), self.body].concat()).await;
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).await?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let response = TestResponse::parse(&bytes);
        response.check(&call.method, &call.path);
        described::check(&call.method, &call.path, &response);
        if let Some(set_cookie) = response.header("set-cookie") {
            let pair = set_cookie.split(';').next().unwrap_or_default();
            let is_removed = pair.ends_with('=');
            let mut cookie = call.client.0.cookie.lock().expect("no client panics");
            *cookie = (!is_removed).then(|| pair.to_owned());
        }
        Ok(response)
    }
}

impl IntoFuture for Call {
    type Output = TestResponse;
    type IntoFuture = Pin<Box<dyn Future<Output = TestResponse> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    /// The body bytes, without transfer and content coding.
    pub(crate) bytes: Vec<u8>,
    /// The number of body bytes with the content coding.
    pub(crate) encoded_size: usize,
}

impl TestResponse {
    /// Returns the text of a page without the markers that the renderer writes between texts.
    pub(crate) fn html(&self) -> String {
        self.text.replace("<!>", "")
    }

    /// Reads one response, without a body in chunks, or `None` if the connection ends before.
    pub(crate) async fn read(socket: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            bytes.push(socket.read_u8().await.ok()?);
        }
        let head = String::from_utf8_lossy(&bytes).to_lowercase();
        if head.contains("transfer-encoding: chunked") {
            bytes.extend(b"0\r\n\r\n");
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
        socket.read_exact(&mut body).await.ok()?;
        Some(Self::parse(&[bytes, body].concat()))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let split = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let split = split.unwrap_or_else(|| panic!("no response: {:?}", bytes.escape_ascii()));
        let head = std::str::from_utf8(&bytes[..split]).expect("the head is ASCII");
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
        let headers = lines.map(|line| line.split_once(": ").expect("a header line"));
        let headers: HeaderMap = headers
            .map(|(name, value)| {
                let name: HeaderName = name.parse().expect("a header name");
                (name, HeaderValue::from_str(value).expect("a header value"))
            })
            .collect();
        let mut body = bytes[split + 4..].to_vec();
        if headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked") {
            body = decode_chunks(&body);
        }
        let encoded_size = body.len();
        if let Some(coding) = headers.get("content-encoding") {
            body = decode(coding, &body);
        }
        let is_binary = headers
            .get("content-type")
            .is_some_and(|kind| kind == "application/octet-stream" || kind == "image/png");
        let text = match String::from_utf8(body.clone()) {
            Err(_) if is_binary => String::new(),
            text => text.expect("all other responses are UTF-8"),
        };
        let status = status.parse().expect("a status");
        Self { status, headers, text, bytes: body, encoded_size }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("headers are ASCII"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Checks the status and parses the body as JSON.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// Checks that the response redirects to `path`.
    #[track_caller]
    pub(crate) fn assert_redirects_to(&self, path: &str) {
        assert_eq!((self.status, self.header("location")), (303, Some(path)), "{self:?}");
    }

    pub(crate) fn details(&self) -> Value {
        self.json()["error"]["details"].clone()
    }

    /// Returns the field errors of an error response as `POINTER CODE`, one per line.
    pub(crate) fn field_errors(&self) -> String {
        let details = self.details();
        let errors = details["errors"].as_array().cloned().unwrap_or_default();
        let line = |error: &Value| format!("{} {}\n", text(&error["path"]), text(&error["code"]));
        errors.iter().map(line).collect()
    }

    /// Returns the body without its correlation ID, to compare error responses.
    pub(crate) fn without_correlation_id(&self) -> Value {
        let mut body = self.json();
        body["correlation_id"] = Value::Null;
        body
    }

    /// Checks the headers of every response and the form of every error body.
    fn check(&self, method: &str, path: &str) {
        let id = self.header("x-correlation-id").expect("every response has a correlation ID");
        assert!(CorrelationId::parse(id).is_some(), "malformed correlation ID: {id}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{self:?}");
        assert!(self.header("cache-control").is_some(), "{self:?}");
        for name in ["rate-limit-limit", "rate-limit-remaining", "rate-limit-reset"] {
            let value = self.header(name).expect("every response has the rate limit headers");
            assert!(value.parse::<u64>().is_ok(), "{name}: {value}");
        }
        let is_page = self.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        if path.starts_with("/access/") && matches!(self.status, 400 | 401 | 403) {
            // The Authorization API asks for a message.
            assert_eq!(self.header("content-type"), Some("text/plain; charset=utf-8"));
            assert!(!self.text.is_empty());
        } else if is_page && self.status >= 400 {
            assert!(self.text.contains(id), "the page shows the correlation ID: {}", self.text);
        } else if self.status >= 400 && method != "HEAD" && self.header("serverfnerror").is_none() {
            self.check_envelope(id);
        }
        match self.header("retry-after") {
            Some(retry_after) => {
                assert!(
                    retry_after.parse::<u32>().is_ok_and(|seconds| seconds > 0),
                    "{retry_after}"
                );
            }
            None if matches!(self.status, 429 | 503) => {
                let is_budget_exhausted = self.text.contains("FORM_BUDGET_EXHAUSTED")
                    || self.text.contains("has reached its submission limit");
                assert!(is_budget_exhausted, "429 and 503 have a retry-after header: {self:?}");
            }
            None => {}
        }
    }

    fn check_envelope(&self, id: &str) {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        let body = self.json();
        let names: Vec<&str> = body.as_object().expect("an object").keys().map(|k| &**k).collect();
        let expected: &[&str] = match self.status {
            503 => &["correlation_id", "error", "retry_after"],
            _ => &["correlation_id", "error"],
        };
        assert_eq!(names, expected, "{self:?}");
        assert_eq!(body["correlation_id"], id, "{self:?}");
        let code = text(&body["error"]["code"]);
        let known = ErrorCode::ALL.iter().find(|known| known.as_str() == code);
        assert_eq!(known.map(|known| known.status()), Some(self.status), "{self:?}");
        let message = text(&body["error"]["message"]);
        assert!(!message.is_empty() && !message.ends_with(['.', '!']), "{message}");
        if self.status == 503 {
            let retry_after = self.header("retry-after").map(str::to_owned);
            assert_eq!(Some(body["retry_after"].to_string()), retry_after, "{self:?}");
        }
    }
}

/// Formats status, error code and reason: `409 INVALID_TRANSITION (VERSION_NOT_DRAFT)`.
impl fmt::Display for TestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        if self.status < 400 {
            return Ok(());
        }
        let error = self.json()["error"].clone();
        write!(f, " {}", text(&error["code"]))?;
        let reasons = ["reason", "required", "rule_type"].map(|name| &error["details"][name]);
        match reasons.into_iter().find(|reason| !reason.is_null()) {
            Some(reason) => write!(f, " ({})", text(reason)),
            None => Ok(()),
        }
    }
}

/// Checks that a text contains each of the parts.
#[track_caller]
pub(crate) fn assert_contains(text: &str, parts: impl IntoIterator<Item: AsRef<str>>) {
    for part in parts {
        assert!(text.contains(part.as_ref()), "{}: {text}", part.as_ref());
    }
}

/// Returns the text of a JSON string.
#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a JSON string: {value}"))
}

/// Converts a value to the strict JSON type of `contract`.
#[track_caller]
pub(crate) fn tree(value: &Value) -> contract::json::Value {
    serde_json::from_value(value.clone()).expect("a value within the limits")
}

/// Returns the items of a page of a list.
#[track_caller]
pub(crate) fn items(page: &Value) -> &[Value] {
    page["items"].as_array().unwrap_or_else(|| panic!("not a page: {page}"))
}

/// Returns the text `member` of each item of a page.
#[track_caller]
pub(crate) fn texts(page: &Value, member: &str) -> Vec<String> {
    items(page).iter().map(|item| text(&item[member]).to_owned()).collect()
}

/// Decodes a compressed body.
fn decode(coding: &HeaderValue, body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let result = match coding.as_bytes() {
        b"br" => brotli::Decompressor::new(body, 4_096).read_to_end(&mut decoded),
        b"gzip" => flate2::read::GzDecoder::new(body).read_to_end(&mut decoded),
        other => panic!("unknown coding: {}", other.escape_ascii()),
    };
    result.expect("the body has this coding");
    decoded
}

/// Decodes a body with chunked transfer coding.
fn decode_chunks(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|window| window == b"\r\n").expect("a chunk's size");
        let size = std::str::from_utf8(&chunks[..end]).expect("a chunk's size is ASCII");
        let size = usize::from_str_radix(size, 16).expect("a chunk's size is hexadecimal");
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&chunks[end + 2..end + 2 + size]);
        chunks = &chunks[end + 2 + size + 2..];
    }
}
