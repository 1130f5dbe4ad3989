//! Active sessions: the list of a user's own sessions, and ending them.

use crate::prelude::*;

const SESSIONS: &str = "/v1/session/sessions";

async fn sign_in(service: &TestService, email: &str, agent: &str) -> Client {
    let client =
        service.public.with("x-service-tenant-id", service.tenant).with("user-agent", agent);
    client.sign_in(email, PASSWORD).await.expect(200);
    client
}

async fn list(client: &Client) -> Vec<Value> {
    client.get(SESSIONS).await.expect(200)["items"].as_array().expect("a list").clone()
}

#[testkit::test]
async fn a_user_lists_own_sessions_and_ends_one(service: TestService) {
    let email = service.member(Role::Author).await;
    let first_client = sign_in(&service, &email, "First/1.0").await;
    service.clock.advance(MINUTE_MS);
    let second_client = sign_in(&service, &email, "Second/1.0").await;
    service.admin().await;
    let sessions = list(&second_client).await;
    let summary = |item: &Value| (item["user_agent"].clone(), item["is_current"].clone());
    let summaries: Vec<_> = sessions.iter().map(summary).collect();
    assert_eq!(summaries, [(json!("Second/1.0"), json!(true)), (json!("First/1.0"), json!(false))]);
    let first_session = &sessions[1];
    assert_eq!(
        *first_session,
        json!({
            "id": first_session["id"], "created_at": "2026-09-01T10:00:00.000Z",
            "last_used_at": "2026-09-01T10:00:00.000Z", "network": "127.0.0.1",
            "user_agent": "First/1.0", "is_current": false,
        })
    );
    // Reauthentication changes the token but not the session.
    second_client.post("/v1/session/confirm", &json!({"password": PASSWORD})).await.expect(200);
    assert_eq!(list(&second_client).await, sessions);

    let path = format!("{SESSIONS}/{}", text(&first_session["id"]));
    assert_eq!(second_client.delete(&path).await.status, 204);
    assert_eq!((read_status(&first_client).await, read_status(&second_client).await), (401, 200));
    assert_eq!(second_client.delete(&path).await.to_string(), "404 NOT_FOUND");
    assert_eq!(list(&second_client).await.len(), 1);
    let current_path = format!("{SESSIONS}/{}", text(&sessions[0]["id"]));
    assert_eq!(second_client.delete(current_path).await.status, 204);
    assert_eq!(second_client.cookie(), None, "the current session ended");
    assert_eq!(second_client.get(SESSIONS).await.to_string(), "401 UNAUTHORIZED");
}

#[testkit::test]
async fn sessions_of_other_users_look_like_missing_ones(service: TestService) {
    let (admin, other) = (service.admin().await, service.signed_in_member(Role::Author).await);
    let id = list(&admin).await[0]["id"].clone();
    let path = format!("{SESSIONS}/{}", text(&id));
    let foreign = other.delete(path).await;
    let missing = other.delete(format!("{SESSIONS}/{}", service.tenant)).await;
    assert_eq!(foreign.without_correlation_id(), missing.without_correlation_id());
    assert_eq!((read_status(&admin).await, list(&other).await.len()), (200, 1));
}

#[testkit::test]
async fn ended_sessions_are_not_listed(service: TestService) {
    let email = service.member(Role::Author).await;
    sign_in(&service, &email, "Idle/1.0").await;
    service.clock.advance(31 * MINUTE_MS);
    let client = sign_in(&service, &email, "First/1.0").await;
    assert_eq!(list(&client).await.len(), 1);
    let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
    sign_in(&service, &email, "Second/1.0").await;
    client.post("/v1/session/password", &change).await.expect(200);
    assert_eq!(list(&client).await.len(), 1);
}
