//! The list of one's own sessions, and ending them.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{MINUTE_MS, PASSWORD, TestService, world},
};

const SESSIONS: &str = "/v1/session/sessions";

async fn sign_in(world: &TestService, email: &str, agent: &str) -> Client {
    let client = world.public.with("x-service-tenant-id", world.tenant).with("user-agent", agent);
    let credentials = json!({"email": email, "password": PASSWORD});
    client.post("/v1/session", &credentials).await.expect(200);
    client
}

async fn list(client: &Client) -> Vec<Value> {
    client.get(SESSIONS).await.expect(200)["items"].as_array().expect("a list").clone()
}

async fn reads(client: &Client) -> u16 {
    client.get("/v1/policies").await.status
}

#[tokio::test]
async fn a_person_sees_their_own_active_sessions_and_ends_one() {
    let world = world().await;
    let email = world.member(Role::Author).await;
    let here = sign_in(&world, &email, "Here/1.0").await;
    world.clock.advance(MINUTE_MS);
    let there = sign_in(&world, &email, "There/1.0").await;
    world.admin().await;
    let seen = list(&there).await;
    let shown = |item: &Value| (item["user_agent"].clone(), item["is_current"].clone());
    let shown: Vec<_> = seen.iter().map(shown).collect();
    assert_eq!(shown, [(json!("There/1.0"), json!(true)), (json!("Here/1.0"), json!(false))]);
    let first = &seen[1];
    assert_eq!(
        *first,
        json!({
            "id": first["id"], "created_at": "2026-09-01T10:00:00.000Z",
            "last_used_at": "2026-09-01T10:00:00.000Z", "network": "127.0.0.1",
            "user_agent": "Here/1.0", "is_current": false,
        })
    );
    // A confirmation changes the token, and not the session.
    there.post("/v1/session/confirm", &json!({"password": PASSWORD})).await.expect(200);
    assert_eq!(list(&there).await, seen);

    let path = format!("{SESSIONS}/{}", text(&first["id"]));
    assert_eq!(there.delete(&path).await.status, 204);
    assert_eq!((reads(&here).await, reads(&there).await), (401, 200));
    assert_eq!(there.delete(&path).await.to_string(), "404 NOT_FOUND");
    assert_eq!(list(&there).await.len(), 1);
    let own = format!("{SESSIONS}/{}", text(&seen[0]["id"]));
    assert_eq!(there.delete(own).await.status, 204);
    assert_eq!(there.cookie(), None, "that was the current one");
    assert_eq!(there.get(SESSIONS).await.to_string(), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn the_sessions_of_others_look_like_none() {
    let world = world().await;
    let (admin, other) = (world.admin().await, world.person(Role::Author).await);
    let id = list(&admin).await[0]["id"].clone();
    let path = format!("{SESSIONS}/{}", text(&id));
    let refused = other.delete(path).await;
    let none = other.delete(format!("{SESSIONS}/{}", world.tenant)).await;
    assert_eq!(refused.anonymous(), none.anonymous());
    assert_eq!((reads(&admin).await, list(&other).await.len()), (200, 1));
}

#[tokio::test]
async fn sessions_that_are_over_are_not_listed() {
    let world = world().await;
    let email = world.member(Role::Author).await;
    sign_in(&world, &email, "Idle/1.0").await;
    world.clock.advance(31 * MINUTE_MS);
    let here = sign_in(&world, &email, "Here/1.0").await;
    assert_eq!(list(&here).await.len(), 1);
    let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
    sign_in(&world, &email, "There/1.0").await;
    here.post("/v1/session/password", &change).await.expect(200);
    assert_eq!(list(&here).await.len(), 1);
}
