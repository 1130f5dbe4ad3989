//! Rekor over HTTP, against a fake instance, and the public endpoint of the Rekor proof.

use std::time::Duration;

use governance::proof::rekor::{RekorTransport, Request};
use server::rekor::HttpRekorTransport;

use crate::{
    fake_server::{FakeServer, Reaction},
    prelude::*,
};

/// Returns the transport for an instance at a URL.
fn transport(url: &str) -> HttpRekorTransport {
    let url = url.parse().expect("an address");
    HttpRekorTransport::new(&url, Duration::from_secs(20)).expect("a client")
}

fn post() -> Request {
    Request { path: "/api/v2/log/entries".to_owned(), body: Some("{}".to_owned()) }
}

#[tokio::test]
async fn request_reaches_the_instance_and_its_response_is_returned() {
    let head = "409 Conflict\r\nlocation: /api/v1/log/entries/ab\r\nx-log-index: 7";
    let instance = FakeServer::start(move |_| Reaction::response(head, "{}")).await;
    let response = transport(&instance.url("rekor/")).send(post()).await.expect("a response");
    assert_eq!((response.status, response.body), (409, b"{}".to_vec()));
    assert_eq!(response.location.as_deref(), Some("/api/v1/log/entries/ab"));
    assert_eq!(response.log_index.as_deref(), Some("7"));
    let request = &instance.requests()[0];
    assert_eq!((&*request.method, &*request.path), ("POST", "/rekor/api/v2/log/entries"));
    assert_eq!((request.header("content-type"), &*request.body), ("application/json", "{}"));
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let head = "302 Found\r\nlocation: http://127.0.0.1:1/";
    let instance = FakeServer::start(move |_| Reaction::response(head, "")).await;
    let get = Request { path: "/api/v2/checkpoint".to_owned(), body: None };
    let response = transport(&instance.url("rekor/")).send(get).await.expect("a response");
    assert_eq!(response.status, 302);
    let request = &instance.requests()[0];
    assert_eq!((&*request.method, &*request.path), ("GET", "/rekor/api/v2/checkpoint"));
}

#[tokio::test]
async fn connection_error_does_not_contain_the_address() {
    let error = transport("http://127.0.0.1:1").send(post()).await.expect_err("a closed port");
    assert_eq!(error, "Rekor cannot be reached");
}

#[testkit::test]
async fn proof_is_not_found_before_the_first_submission(service: TestService) {
    assert_eq!(service.public.get("/v1/log/rekor").await.to_string(), "404 NOT_FOUND");
}
