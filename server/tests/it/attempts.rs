//! Limits of failed password checks.

use governance::ServiceOptions;
use server::config::edge::{EdgeConfig, Rates};

use crate::prelude::*;

/// A service behind a trusted proxy, so that each client can have another address.
async fn behind_proxy() -> TestService {
    behind_proxy_with(TestServiceBuilder::default().options).await
}

/// Starts a service behind a trusted proxy with these options.
pub(crate) async fn behind_proxy_with(options: ServiceOptions) -> TestService {
    let edge = EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    TestServiceBuilder { edge, options, ..TestServiceBuilder::default() }.start().await
}

pub(crate) fn client_at(service: &TestService, address: &str) -> Client {
    service.public.with("x-forwarded-for", address)
}

async fn sign_in(client: &Client, email: &str, password: &str) -> TestResponse {
    client.without_session().sign_in(email, password).await
}

async fn guess(client: &Client, email: &str) -> TestResponse {
    sign_in(client, email, "not the password").await
}

#[tokio::test]
async fn an_account_allows_ten_failures_in_fifteen_minutes_from_all_addresses() {
    let service = behind_proxy().await;
    // An unknown email has the same limit as a known one.
    for email in [&*service.admin_email, "unknown@acme.example"] {
        for number in 0..10 {
            let guesser = client_at(&service, &format!("192.0.2.{number}"));
            assert_eq!(guess(&guesser, email).await.status, 401, "{email} {number}");
        }
        let other_address = client_at(&service, "198.51.100.1");
        let refusal = sign_in(&other_address, email, PASSWORD).await;
        assert_eq!(refusal.to_string(), "429 TOO_MANY_REQUESTS");
        assert_eq!(refusal.header("retry-after"), Some("900"));
    }
    service.clock.advance(15 * MINUTE_MS);
    sign_in(&client_at(&service, "198.51.100.1"), &service.admin_email, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_network_block_allows_thirty_failures_in_fifteen_minutes() {
    let service = behind_proxy().await;
    for number in 0..30 {
        // Each guess uses another address of one /64 and another account.
        let guesser = client_at(&service, &format!("2001:db8:0:1::{number:x}"));
        assert_eq!(guess(&guesser, &format!("p{number}@acme.example")).await.status, 401);
    }
    let refusal =
        sign_in(&client_at(&service, "2001:db8:0:1:ffff::1"), &service.admin_email, PASSWORD).await;
    assert_snapshot!(refusal, @"429 TOO_MANY_REQUESTS");
    // The next block is not affected.
    sign_in(&client_at(&service, "2001:db8:0:2::1"), &service.admin_email, PASSWORD)
        .await
        .expect(200);
}

#[testkit::test]
async fn a_correct_password_neither_counts_nor_resets_the_limit(service: TestService) {
    for _ in 0..4 {
        assert_eq!(guess(&service.public, &service.admin_email).await.status, 401);
        sign_in(&service.public, &service.admin_email, PASSWORD).await.expect(200);
    }
    assert_eq!(guess(&service.public, &service.admin_email).await.status, 401);
    let refusal = sign_in(&service.public, &service.admin_email, PASSWORD).await;
    assert_snapshot!(refusal, @"429 TOO_MANY_REQUESTS");
    assert_eq!(refusal.header("retry-after"), Some("60"));
    // The limit is per account: other accounts can still sign in.
    let other = service.member(Role::Viewer).await;
    service.sign_in(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_that_overlap_do_not_exceed_the_limit_of_the_account() {
    let service = behind_proxy().await;
    let guesses: Vec<_> = (0..20)
        .map(|number| {
            let guesser = client_at(&service, &format!("192.0.2.{number}"));
            tokio::spawn(guesser.sign_in(&service.admin_email, "not the password").into_future())
        })
        .collect();
    let mut checked = 0;
    for guess in guesses {
        checked += usize::from(guess.await.expect("no client panics").status == 401);
    }
    assert_eq!(checked, 10);
}

#[testkit::test]
async fn sign_in_confirmation_and_password_change_share_one_limit(service: TestService) {
    let person = service.signed_in_member(Role::Author).await;
    let wrong = json!({"password": "not the password"});
    for _ in 0..2 {
        assert_eq!(guess(&service.public, "author0@acme.example").await.status, 401);
        assert_eq!(person.post("/v1/session/confirm", &wrong).await.status, 401);
    }
    let change = |password: &str| json!({"password": password, "new_password": "four other words"});
    let refusal = person.post("/v1/session/password", &change("not the password")).await;
    assert_eq!(refusal.status, 401);
    let change = change(PASSWORD);
    let confirmation = json!({"password": PASSWORD});
    for (path, body) in [("confirm", &confirmation), ("password", &change)] {
        let refusal = person.post(format!("/v1/session/{path}"), body).await;
        assert_eq!(refusal.to_string(), "429 TOO_MANY_REQUESTS");
    }
}

async fn events(service: &TestService, action: &str) -> Vec<Value> {
    service.governance.finish_background().await;
    let page = service.key.get(format!("/v1/audit-log?action={action}")).await.expect(200);
    items(&page).to_vec()
}

#[tokio::test]
async fn sign_ins_failures_and_sign_outs_are_audited() {
    let service = behind_proxy().await;
    let email = service.member(Role::Viewer).await;
    let count_before = events(&service, "session.begin").await.len();
    let client = client_at(&service, "2001:db8:0:1::7").with("user-agent", "Browser/1.0");
    assert_eq!(guess(&client, &email).await.status, 401);
    assert_eq!(guess(&client, "unknown@acme.example").await.status, 401);
    let person = client.with("x-service-tenant-id", service.tenant).without_session();
    let session = person.sign_in(&email, PASSWORD).await.expect(200);
    let user = session["user"]["id"].clone();
    assert_eq!(person.call("DELETE", "/v1/session").await.status, 204);

    let started = events(&service, "session.begin").await;
    assert_eq!(started.len(), count_before + 1);
    let failed = events(&service, "session.fail").await;
    let ended = events(&service, "session.end").await;
    assert_eq!((failed.len(), ended.len()), (1, 1), "{failed:?}");
    for event in [&started[0], &ended[0]] {
        assert_eq!(event["actor"], json!({"type": "human", "id": user, "email": email}));
        assert_eq!(event["object"]["type"], "session");
    }
    assert_eq!(started[0]["object"]["id"], ended[0]["object"]["id"]);
    // A failed sign-in does not prove who the actor is.
    assert_eq!(failed[0]["actor"]["type"], "system");
    assert_eq!(failed[0]["object"], json!({"type": "user", "id": user}));
    for event in [&started[0], &failed[0]] {
        let personal = &event["personal"]["data"];
        assert_eq!(personal["network"], "2001:db8:0:1::/64");
        assert_eq!(
            (&personal["user_agent"], &personal["email"]),
            (&json!("Browser/1.0"), &json!(email))
        );
        let hashed = event["event"].to_string();
        for value in ["2001:", "Browser", "@acme"] {
            assert!(!hashed.contains(value), "{value} in {hashed}");
        }
    }
    let intact = service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(intact["status"], "intact");
}

#[tokio::test]
async fn the_limits_bound_the_number_of_events_of_failed_sign_ins() {
    let service = behind_proxy().await;
    for number in 0..40 {
        guess(&client_at(&service, &format!("192.0.2.{number}")), &service.admin_email).await;
    }
    assert_eq!(events(&service, "session.fail").await.len(), 10);
}
