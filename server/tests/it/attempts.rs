//! Limits of failed password checks.

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};
use server::config::edge::{EdgeConfig, Rates};

use crate::{
    client::{Client, TestResponse},
    service::{MINUTE_MS, PASSWORD, TestService, TestServiceBuilder, world},
};

/// A world behind a proxy, so that callers have addresses of their own.
async fn proxied() -> TestService {
    let edge = EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await
}

fn at(world: &TestService, address: &str) -> Client {
    world.public.with("x-forwarded-for", address)
}

async fn sign_in(client: &Client, email: &str, password: &str) -> TestResponse {
    let body = json!({"email": email, "password": password});
    client.apart().post("/v1/session", &body).await
}

async fn guess(client: &Client, email: &str) -> TestResponse {
    sign_in(client, email, "not the password").await
}

#[tokio::test]
async fn an_account_has_ten_failures_in_fifteen_minutes_from_anywhere() {
    let world = proxied().await;
    // An unknown address has the same limit as a known one.
    for email in [&*world.admin_email, "nobody@acme.example"] {
        for number in 0..10 {
            let guesser = at(&world, &format!("192.0.2.{number}"));
            assert_eq!(guess(&guesser, email).await.status, 401, "{email} {number}");
        }
        let elsewhere = at(&world, "198.51.100.1");
        let refused = sign_in(&elsewhere, email, PASSWORD).await;
        assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
        assert_eq!(refused.header("retry-after"), Some("900"));
    }
    world.clock.advance(15 * MINUTE_MS);
    sign_in(&at(&world, "198.51.100.1"), &world.admin_email, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_network_block_has_thirty_failures_in_fifteen_minutes() {
    let world = proxied().await;
    for number in 0..30 {
        // One /64, each time another address and another account.
        let guesser = at(&world, &format!("2001:db8:0:1::{number:x}"));
        assert_eq!(guess(&guesser, &format!("p{number}@acme.example")).await.status, 401);
    }
    let refused = sign_in(&at(&world, "2001:db8:0:1:ffff::1"), &world.admin_email, PASSWORD).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    // The next block is not affected.
    sign_in(&at(&world, "2001:db8:0:2::1"), &world.admin_email, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_correct_password_does_not_count_and_gives_no_more_guesses() {
    let world = world().await;
    for _ in 0..4 {
        assert_eq!(guess(&world.public, &world.admin_email).await.status, 401);
        sign_in(&world.public, &world.admin_email, PASSWORD).await.expect(200);
    }
    assert_eq!(guess(&world.public, &world.admin_email).await.status, 401);
    let refused = sign_in(&world.public, &world.admin_email, PASSWORD).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("60"));
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_that_overlap_do_not_exceed_the_limit_of_the_account() {
    let world = proxied().await;
    let guesses: Vec<_> = (0..20)
        .map(|number| {
            let wrong = json!({"email": world.admin_email, "password": "not the password"});
            let guesser = at(&world, &format!("192.0.2.{number}"));
            tokio::spawn(guesser.post("/v1/session", &wrong).into_future())
        })
        .collect();
    let mut checked = 0;
    for guess in guesses {
        checked += usize::from(guess.await.expect("it is answered").status == 401);
    }
    assert_eq!(checked, 10);
}

#[tokio::test]
async fn sign_in_confirmation_and_change_share_one_count() {
    let world = world().await;
    let person = world.person(Role::Author).await;
    let wrong = json!({"password": "not the password"});
    for _ in 0..2 {
        assert_eq!(guess(&world.public, "author0@acme.example").await.status, 401);
        assert_eq!(person.post("/v1/session/confirm", &wrong).await.status, 401);
    }
    let change = |password: &str| json!({"password": password, "new_password": "four other words"});
    let refused = person.post("/v1/session/password", &change("not the password")).await;
    assert_eq!(refused.status, 401);
    let change = change(PASSWORD);
    let confirmation = json!({"password": PASSWORD});
    for (path, body) in [("confirm", &confirmation), ("password", &change)] {
        let refused = person.post(format!("/v1/session/{path}"), body).await;
        assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    }
}

async fn events(world: &TestService, action: &str) -> Vec<Value> {
    world.governance.finish_background().await;
    let page = world.key.get(format!("/v1/audit-log?action={action}")).await.expect(200);
    page["items"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn sign_ins_failures_and_sign_outs_are_audit_events_of_each_tenant() {
    let world = proxied().await;
    let email = world.member(Role::Viewer).await;
    let before = events(&world, "session.begin").await.len();
    let client = at(&world, "2001:db8:0:1::7").with("user-agent", "Browser/1.0");
    assert_eq!(guess(&client, &email).await.status, 401);
    assert_eq!(guess(&client, "nobody@acme.example").await.status, 401);
    let person = client.apart();
    let body = json!({"email": email, "password": PASSWORD});
    let session = person.post("/v1/session", &body).await.expect(200);
    let user = session["user"]["id"].clone();
    assert_eq!(person.call("DELETE", "/v1/session").await.status, 204);

    let begun = events(&world, "session.begin").await;
    assert_eq!(begun.len(), before + 1);
    let failed = events(&world, "session.fail").await;
    let ended = events(&world, "session.end").await;
    assert_eq!((failed.len(), ended.len()), (1, 1), "{failed:?}");
    for event in [&begun[0], &ended[0]] {
        assert_eq!(event["actor"], json!({"type": "human", "id": user, "email": email}));
        assert_eq!(event["object"]["type"], "session");
    }
    assert_eq!(begun[0]["object"]["id"], ended[0]["object"]["id"]);
    // No one has proved to be the person whose password was guessed.
    assert_eq!(failed[0]["actor"]["type"], "system");
    assert_eq!(failed[0]["object"], json!({"type": "user", "id": user}));
    for event in [&begun[0], &failed[0]] {
        let personal = &event["personal"]["data"];
        assert_eq!(personal["network"], "2001:db8:0:1::/64");
        assert_eq!(
            (&personal["user_agent"], &personal["email"]),
            (&json!("Browser/1.0"), &json!(email))
        );
        let hashed = event["event"].to_string();
        for word in ["2001:", "Browser", "@acme"] {
            assert!(!hashed.contains(word), "{word} in {hashed}");
        }
    }
    let intact = world.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(intact["status"], "intact");
}

#[tokio::test]
async fn a_flood_of_guesses_writes_no_more_events_than_the_limits_allow() {
    let world = proxied().await;
    for number in 0..40 {
        guess(&at(&world, &format!("192.0.2.{number}")), &world.admin_email).await;
    }
    assert_eq!(events(&world, "session.fail").await.len(), 10);
}
