//! Rekor over HTTP, against a fake instance, and the public endpoint of the Rekor proof.

use std::time::Duration;

use governance::proof::rekor::{RekorTransport, Request};
use server::rekor::HttpRekorTransport;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::prelude::*;

/// Starts an instance that sends `response` to one request. Returns its transport and a task that ends
/// with the request.
async fn start_instance(
    response: &'static str,
) -> (HttpRekorTransport, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound listener");
    let request = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a caller");
        let mut request = Vec::new();
        // A request ends with its body, or with its head if it has no body.
        while !is_complete(&request) {
            let mut bytes = [0; 1024];
            let count = socket.read(&mut bytes).await.expect("the caller writes");
            request.extend_from_slice(&bytes[..count]);
        }
        socket.write_all(response.as_bytes()).await.expect("the caller reads");
        String::from_utf8(request).expect("text")
    });
    let url = format!("http://{address}/rekor/").parse().expect("an address");
    (HttpRekorTransport::new(&url, Duration::from_secs(20)).expect("a client"), request)
}

fn is_complete(request: &[u8]) -> bool {
    let request = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().expect("a number"))
}

fn post() -> Request {
    Request { path: "/api/v2/log/entries".to_owned(), body: Some("{}".to_owned()) }
}

#[tokio::test]
async fn request_reaches_the_instance_and_its_response_is_returned() {
    let (transport, request) = start_instance(
        "HTTP/1.1 409 Conflict\r\nlocation: /api/v1/log/entries/ab\r\nx-log-index: 7\r\ncontent-length: 2\r\n\r\n{}",
    )
    .await;
    let response = transport.send(post()).await.expect("a response");
    assert_eq!((response.status, response.body), (409, b"{}".to_vec()));
    assert_eq!(response.location.as_deref(), Some("/api/v1/log/entries/ab"));
    assert_eq!(response.log_index.as_deref(), Some("7"));
    let request = request.await.expect("the instance was called");
    assert!(request.starts_with("POST /rekor/api/v2/log/entries HTTP/1.1\r\n"), "{request}");
    assert!(
        request.contains("content-type: application/json\r\n") && request.ends_with("{}"),
        "{request}"
    );
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let (transport, request) = start_instance(
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    let get = Request { path: "/api/v2/checkpoint".to_owned(), body: None };
    assert_eq!(transport.send(get).await.expect("a response").status, 302);
    let request = request.await.expect("the instance was called");
    assert!(request.starts_with("GET /rekor/api/v2/checkpoint HTTP/1.1\r\n"), "{request}");
}

#[tokio::test]
async fn connection_error_does_not_contain_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("a bound listener"));
    drop(listener);
    let transport =
        HttpRekorTransport::new(&url.parse().expect("an address"), Duration::from_secs(20));
    let error = transport.expect("a client").send(post()).await.expect_err("a closed port");
    assert_eq!(error, "Rekor cannot be reached");
}

#[testkit::test]
async fn proof_is_not_found_before_the_first_submission(service: TestService) {
    assert_eq!(service.public.get("/v1/log/rekor").await.to_string(), "404 NOT_FOUND");
}
