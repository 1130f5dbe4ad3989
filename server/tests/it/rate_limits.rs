//! How many requests are let through, and how callers are told.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use server::config::edge::{EdgeConfig, Rates};

use crate::{
    client::{Client, TestResponse},
    service::{MINUTE_MS, NOW, TestService, TestServiceBuilder, payment, world},
};

/// A world that lets through this many requests a minute of an address and of a key.
async fn limited(address: u32, key: u32, trusted_proxies: u8) -> TestService {
    let [ip_per_min, key_per_min] =
        [address, key].map(|rate| rate.try_into().expect("a rate is not zero"));
    let rates = Rates { ip_per_min, key_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { trusted_proxies, rates, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await
}

/// `LIMIT REMAINING RESET`, the last in seconds from the start of the world.
fn quota(answer: &TestResponse) -> String {
    let number = |name| -> i64 {
        answer.header(name).and_then(|value| value.parse().ok()).expect("a whole number")
    };
    let start = NOW.parse::<contract::time::Timestamp>().expect("an instant").millis() / 1_000;
    let [limit, remaining] = ["rate-limit-limit", "rate-limit-remaining"].map(number);
    format!("{limit} {remaining} +{}", number("rate-limit-reset") - start)
}

#[tokio::test]
async fn without_settings_the_limits_are_those_of_the_specification() {
    let world = TestServiceBuilder { edge: EdgeConfig::default(), ..TestServiceBuilder::default() }
        .world()
        .await;
    assert_eq!(quota(&world.public.get("/v1/health").await), "10000 9999 +60");
    assert_eq!(quota(&world.key.get("/v1/policies").await), "1000 999 +60");
    assert_eq!(quota(&world.public.get("/v1/nothing").await), "10000 9997 +60");
}

#[tokio::test]
async fn a_key_that_has_used_its_minute_waits_for_the_next() {
    let world = limited(100, 2, 0).await;
    world.active("PAY-01").await;
    let other = world.key_with(&[Scope::DecisionsEvaluate]).await;
    let ask = serde_json::json!({"context": payment(1)});
    world.clock.advance(MINUTE_MS);
    let evaluate = |key: &Client| key.post("/v1/decisions/evaluate", &ask);

    assert_eq!(quota(&evaluate(&world.key).await), "2 1 +120");
    world.clock.advance(20_500);
    // A refusal counts as well.
    let refused = world.key.get("/v1/policies?bogus=1").await;
    assert_eq!((refused.status, quota(&refused)), (422, "2 0 +120".to_owned()));
    let refused = evaluate(&world.key).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(quota(&refused), "2 0 +120");
    assert_eq!(refused.header("retry-after"), Some("40"));
    assert_eq!(refused.details()["retry_after"], 40);

    // Neither another key of the tenant nor a stranger is held up by that.
    evaluate(&other).await.expect(200);
    world.public.get("/v1/health").await.expect(200);
    world.clock.advance(39_500);
    assert_eq!(quota(&evaluate(&world.key).await), "2 1 +180");
}

#[tokio::test]
async fn a_person_has_a_limit_in_each_tenant() {
    let world = limited(1_000, 3, 0).await;
    let [one, two] = [world.person(Role::Viewer).await, world.person(Role::Viewer).await];
    for remaining in [2, 1, 0] {
        let answer = one.get("/v1/policies").await;
        assert_eq!((answer.status, quota(&answer)), (200, format!("3 {remaining} +60")));
    }
    assert_snapshot!(one.get("/v1/policies").await, @"429 TOO_MANY_REQUESTS");
    two.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn an_address_that_has_used_its_minute_gets_nothing_whoever_asks() {
    let world = limited(3, 2, 0).await;
    for left in [2, 1, 0] {
        let stranger = world.public.with("authorization", "Bearer svc_guess");
        let refused = stranger.with("x-service-tenant-id", world.tenant).get("/v1/policies").await;
        assert_eq!((refused.status, quota(&refused)), (401, format!("3 {left} +60")));
    }
    for path in ["/v1/health", "/v1/ready", "/v1/policies", "/openapi.json", "/v1/nothing", "/none"]
    {
        let refused = world.key.get(path).await;
        assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS", "{path}");
        assert_eq!(
            (quota(&refused), refused.header("retry-after")),
            ("3 0 +60".into(), Some("60"))
        );
    }
    world.clock.advance(MINUTE_MS);
    // The key was not counted by what did not reach it.
    assert_eq!(quota(&world.key.get("/v1/policies").await), "2 1 +120");
}

#[tokio::test]
async fn a_forwarded_address_counts_only_behind_a_proxy_of_ours() {
    let world = limited(2, 9, 0).await;
    let from = |address: &str| world.public.with("x-forwarded-for", address).get("/v1/health");
    from("192.0.2.1").await.expect(200);
    from("192.0.2.2").await.expect(200);
    assert_eq!(from("192.0.2.3").await.status, 429);

    let world = limited(2, 9, 1).await;
    let from = |address: &str| world.public.with("x-forwarded-for", address).get("/v1/health");
    from("192.0.2.1").await.expect(200);
    // What the caller put in front of the proxy's own entry changes nothing.
    from("198.51.100.1, 192.0.2.1").await.expect(200);
    assert_eq!(from("198.51.100.2, 192.0.2.1").await.status, 429);
    from("192.0.2.2").await.expect(200);
}

#[tokio::test]
async fn failed_sign_ins_are_counted_by_the_caller_behind_the_proxy() {
    let world = TestServiceBuilder {
        edge: EdgeConfig { trusted_proxies: 1, rates: Rates::UNLIMITED, ..EdgeConfig::default() },
        ..TestServiceBuilder::default()
    };
    let world = world.world().await;
    let guess = serde_json::json!({"email": world.admin_email, "password": "not the right one"});
    let from =
        |address: &str| world.public.with("x-forwarded-for", address).post("/v1/session", &guess);
    for _ in 0..5 {
        assert_eq!(from("192.0.2.1").await.status, 401);
    }
    assert_eq!(from("192.0.2.1").await.status, 429);
    assert_eq!(from("192.0.2.2").await.status, 401);
}

#[tokio::test]
async fn a_browser_that_is_held_up_is_told_so_on_a_page() {
    let world = limited(1, 9, 0).await;
    let browser = world.public.with("accept", "text/html,application/xhtml+xml");
    world.public.get("/v1/health").await.expect(200);
    world.clock.advance(15_000);
    for call in [browser.get("/login"), browser.call("POST", "/console/log-out")] {
        let page = call.await;
        assert_eq!(page.status, 429);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(page.text.contains("<h1>Too many attempts</h1>"), "{}", page.text);
        assert!(page.text.contains("in 45 seconds."), "{}", page.text);
        let policy = page.header("content-security-policy").expect("a page has a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    }
    // A page's own scripts, and programs, read JSON.
    let scripts = world.public.with("accept", "application/json").call("POST", "/console/log-out");
    assert_snapshot!(scripts.await, @"429 TOO_MANY_REQUESTS");
    assert_snapshot!(browser.get("/v1/health").await, @"429 TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn nobody_waits_where_nobody_sends_too_much() {
    let world = world().await;
    for _ in 0..50 {
        world.key.get("/v1/policies").await.expect(200);
    }
}
