//! Credentials that end while the body of their request arrives.

use contract::scope::{Role, Scope};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    client::{Call, Client, TestResponse, text},
    service::{TestService, request, world},
};

/// A request whose credentials were checked, and whose body the service waits for.
struct Begun {
    socket: TcpStream,
    body: String,
}

impl Begun {
    async fn of(call: Call, body: String) -> Self {
        let mut socket = TcpStream::connect(call.client().address()).await.expect("it listens");
        let call = call.header("content-type", "application/json").header("connection", "close");
        // The service asks for the body when it has checked the credentials.
        let head = call.header("expect", "100-continue").head(body.len());
        socket.write_all(&head).await.expect("it reads");
        let mut asked = [0; 25];
        socket.read_exact(&mut asked).await.expect("it answers");
        assert_eq!(asked.as_slice(), b"HTTP/1.1 100 Continue\r\n\r\n");
        let (first, rest) = body.split_at(body.len() / 2);
        socket.write_all(first.as_bytes()).await.expect("it reads");
        Self { socket, body: rest.to_owned() }
    }

    async fn finish(mut self) -> TestResponse {
        self.socket.write_all(self.body.as_bytes()).await.expect("it reads");
        let mut answer = Vec::new();
        self.socket.read_to_end(&mut answer).await.expect("it answers");
        TestResponse::parse(&answer)
    }
}

fn record(client: &Client) -> Call {
    client.call("POST", "/v1/decisions/record")
}

async fn decisions(world: &TestService) -> usize {
    world.sql("select idempotency_key from decisions").await.len()
}

#[tokio::test]
async fn a_key_that_is_revoked_while_its_body_arrives_records_nothing() {
    let world = world().await;
    world.active("PAY-01").await;
    let key = world.key_with(&[Scope::DecisionsWrite]).await;
    let begun = Begun::of(record(&key), request("k-1", 1).to_string()).await;
    let keys = world.key.get("/v1/api-keys").await.expect(200);
    let id = text(&keys["items"][0]["id"]).to_owned();
    assert_eq!(world.key.delete(format!("/v1/api-keys/{id}")).await.status, 204);
    assert_eq!(begun.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decisions(&world).await, 0);
}

#[tokio::test]
async fn a_member_who_is_removed_while_a_body_arrives_writes_nothing() {
    let world = world().await;
    world.active("PAY-01").await;
    let person = world.person(Role::Author).await;
    let id = person.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let begun = Begun::of(record(&person), request("k-1", 1).to_string()).await;
    let demoted = Begun::of(record(&person), request("k-2", 1).to_string()).await;
    let path = format!("/v1/admin/members/{}", text(&id));
    let admin = world.admin().await;
    admin.patch(&path, &json!({"role": "viewer"})).await.expect(200);
    assert_eq!(demoted.finish().await.to_string(), "403 FORBIDDEN");
    assert_eq!(admin.delete(&path).await.status, 204);
    // Without another tenant, the person is signed out.
    assert_eq!(begun.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decisions(&world).await, 0);
}

#[tokio::test]
async fn a_session_that_is_ended_while_a_body_arrives_writes_nothing() {
    let world = world().await;
    world.active("PAY-01").await;
    let person = world.person(Role::Author).await;
    let begun = Begun::of(record(&person), request("k-1", 1).to_string()).await;
    assert_eq!(person.apart().call("DELETE", "/v1/session").await.status, 204);
    assert_eq!(begun.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decisions(&world).await, 0);
}

#[tokio::test]
async fn a_body_that_comes_late_with_good_credentials_is_taken() {
    let world = world().await;
    world.active("PAY-01").await;
    let begun = Begun::of(record(&world.key), request("k-1", 1).to_string()).await;
    assert_eq!(begun.finish().await.status, 201);
    assert_eq!(decisions(&world).await, 1);
}

#[tokio::test]
async fn a_form_of_the_console_does_nothing_when_its_session_ends_while_it_arrives() {
    let world = world().await;
    let person = world.person(Role::Auditor).await;
    let query = "from%3D2026-01-01T00%3A00%3A00Z%26to%3D2027-01-01T00%3A00%3A00Z";
    let form = format!("tenant={}&format=csv&query={query}", world.tenant);
    let export = || person.call("POST", "/console/export").header("sec-fetch-site", "same-origin");
    let begun = Begun::of(export(), form.clone()).await;
    assert_eq!(person.apart().call("DELETE", "/v1/session").await.status, 204);
    assert_eq!(begun.finish().await.to_string(), "401 UNAUTHORIZED");
}
