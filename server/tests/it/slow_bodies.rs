//! Credentials that become invalid while the request body arrives.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{client::Call, prelude::*};

/// A request with checked credentials whose body is not sent completely.
pub(crate) struct PartialRequest {
    socket: TcpStream,
    body: String,
}

impl PartialRequest {
    /// Starts to record a decision.
    pub(crate) async fn record(client: &Client, key: &str) -> Self {
        let call = client.call("POST", "/v1/decisions/record");
        Self::start("application/json", call, request(key, 1).to_string()).await
    }

    async fn start(content_type: &str, call: Call, body: String) -> Self {
        let mut socket =
            TcpStream::connect(call.client().address()).await.expect("the service listens");
        let call = call.header("content-type", content_type).header("connection", "close");
        // The service requests the body after it has checked the credentials.
        let head = call.header("expect", "100-continue").head(body.len());
        socket.write_all(&head).await.expect("the service reads");
        let mut interim_response = [0; 25];
        socket.read_exact(&mut interim_response).await.expect("the service responds");
        assert_eq!(interim_response.as_slice(), b"HTTP/1.1 100 Continue\r\n\r\n");
        let (first, rest) = body.split_at(body.len() / 2);
        socket.write_all(first.as_bytes()).await.expect("the service reads");
        Self { socket, body: rest.to_owned() }
    }

    /// Sends the rest of the body, and returns the response.
    pub(crate) async fn finish(mut self) -> TestResponse {
        self.socket.write_all(self.body.as_bytes()).await.expect("the service reads");
        self.response().await
    }

    /// Returns the response to what was sent.
    pub(crate) async fn response(mut self) -> TestResponse {
        let mut response = Vec::new();
        self.socket.read_to_end(&mut response).await.expect("the service responds");
        TestResponse::parse(&response)
    }
}

async fn decision_count(service: &TestService) -> usize {
    service.sql("select idempotency_key from decisions").await.len()
}

#[testkit::test]
async fn a_key_revoked_while_the_body_arrives_records_nothing(service: TestService) {
    service.active("PAY-01").await;
    let key = service.create_key(&[Scope::DecisionsWrite]).await;
    let partial = PartialRequest::record(&key, "k-1").await;
    let keys = service.key.get("/v1/api-keys").await.expect(200);
    let id = text(&keys["items"][0]["id"]).to_owned();
    assert_eq!(service.key.delete(format!("/v1/api-keys/{id}")).await.status, 204);
    assert_eq!(partial.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decision_count(&service).await, 0);
}

#[testkit::test]
async fn a_member_removed_while_the_body_arrives_records_nothing(service: TestService) {
    service.active("PAY-01").await;
    let person = service.signed_in_member(Role::Author).await;
    let id = user_id(&person).await;
    let first = PartialRequest::record(&person, "k-1").await;
    let second = PartialRequest::record(&person, "k-2").await;
    let path = format!("/v1/admin/members/{}", text(&id));
    let admin = service.admin().await;
    admin.patch(&path, &json!({"role": "viewer"})).await.expect(200);
    assert_eq!(second.finish().await.to_string(), "403 FORBIDDEN");
    assert_eq!(admin.delete(&path).await.status, 204);
    // A user without any tenant is signed out.
    assert_eq!(first.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decision_count(&service).await, 0);
}

#[testkit::test]
async fn a_session_ended_while_the_body_arrives_records_nothing(service: TestService) {
    service.active("PAY-01").await;
    let person = service.signed_in_member(Role::Author).await;
    let partial = PartialRequest::record(&person, "k-1").await;
    assert_eq!(person.without_session().call("DELETE", "/v1/session").await.status, 204);
    assert_eq!(partial.finish().await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(decision_count(&service).await, 0);
}

#[testkit::test]
async fn a_console_form_is_rejected_if_its_session_ends_while_it_arrives(service: TestService) {
    let person = service.signed_in_member(Role::Auditor).await;
    let range = "from=2026-01-01T00%3A00%3A00Z&to=2027-01-01T00%3A00%3A00Z";
    let form = format!("tenant={}&format=csv&{range}", service.tenant);
    let export = person.call("POST", "/console/export").header("sec-fetch-site", "same-origin");
    let partial = PartialRequest::start(FORM, export, form).await;
    assert_eq!(person.without_session().call("DELETE", "/v1/session").await.status, 204);
    assert_eq!(partial.finish().await.to_string(), "401 UNAUTHORIZED");
}
