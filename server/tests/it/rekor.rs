//! The way to Rekor over HTTP, against a server on this machine that stands in for an instance, and the
//! public read of what is on record.

use std::time::Duration;

use governance::proof::rekor::{RekorTransport, Request};
use server::rekor::HttpRekorTransport;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::service::world;

/// Answers one call with `answer`; gives the way to it, and what it was asked.
async fn instance(answer: &'static str) -> (HttpRekorTransport, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let asked = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a caller");
        let mut asked = Vec::new();
        // A call ends with the body that it announces, or without one with its head.
        while !is_whole(&asked) {
            let mut bytes = [0; 1024];
            let read = socket.read(&mut bytes).await.expect("the caller writes");
            asked.extend_from_slice(&bytes[..read]);
        }
        socket.write_all(answer.as_bytes()).await.expect("the caller reads");
        String::from_utf8(asked).expect("text")
    });
    let url = format!("http://{address}/rekor/").parse().expect("an address");
    (HttpRekorTransport::new(&url, Duration::from_secs(20)).expect("a client"), asked)
}

fn is_whole(asked: &[u8]) -> bool {
    let asked = String::from_utf8_lossy(asked).to_lowercase();
    let Some((head, body)) = asked.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().expect("a number"))
}

fn post() -> Request {
    Request { path: "/api/v2/log/entries".to_owned(), body: Some("{}".to_owned()) }
}

#[tokio::test]
async fn a_call_goes_to_the_instance_and_its_answer_comes_back() {
    let (courier, asked) = instance(
        "HTTP/1.1 409 Conflict\r\nlocation: /api/v1/log/entries/ab\r\nx-log-index: 7\r\ncontent-length: 2\r\n\r\n{}",
    )
    .await;
    let answer = courier.send(post()).await.expect("an answer");
    assert_eq!((answer.status, answer.body), (409, b"{}".to_vec()));
    assert_eq!(answer.location.as_deref(), Some("/api/v1/log/entries/ab"));
    assert_eq!(answer.log_index.as_deref(), Some("7"));
    let asked = asked.await.expect("it was asked");
    assert!(asked.starts_with("POST /rekor/api/v2/log/entries HTTP/1.1\r\n"), "{asked}");
    assert!(
        asked.contains("content-type: application/json\r\n") && asked.ends_with("{}"),
        "{asked}"
    );
}

#[tokio::test]
async fn an_answer_that_sends_elsewhere_is_not_followed() {
    let (courier, asked) = instance(
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    let get = Request { path: "/api/v2/checkpoint".to_owned(), body: None };
    assert_eq!(courier.send(get).await.expect("an answer").status, 302);
    let asked = asked.await.expect("it was asked");
    assert!(asked.starts_with("GET /rekor/api/v2/checkpoint HTTP/1.1\r\n"), "{asked}");
}

#[tokio::test]
async fn silence_is_told_without_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    let courier =
        HttpRekorTransport::new(&url.parse().expect("an address"), Duration::from_secs(20));
    let silent = courier.expect("a client").send(post()).await.expect_err("nobody is there");
    assert_eq!(silent, "Rekor cannot be reached");
}

#[tokio::test]
async fn before_anything_is_on_record_there_is_no_proof() {
    let world = world().await;
    assert_eq!(world.public.get("/v1/log/rekor").await.to_string(), "404 NOT_FOUND");
}
