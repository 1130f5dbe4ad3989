//! Rate limits: the request quotas of addresses, keys and users, and the responses above them.

use server::config::edge::{EdgeConfig, Rates};

use crate::prelude::*;

/// A service with these request quotas per minute for each address and each key.
async fn service_with_rates(address: u32, key: u32, trusted_proxies: u8) -> TestService {
    let [ip_per_min, key_per_min] =
        [address, key].map(|rate| rate.try_into().expect("a rate is not zero"));
    let rates = Rates { ip_per_min, key_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { trusted_proxies, rates, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await
}

/// The quota headers as `LIMIT REMAINING RESET`, with the reset in seconds after [`NOW`].
fn quota(response: &TestResponse) -> String {
    let number = |name| -> i64 {
        response.header(name).and_then(|value| value.parse().ok()).expect("a whole number")
    };
    let start = NOW.parse::<contract::time::Timestamp>().expect("a timestamp").millis() / 1_000;
    let [limit, remaining] = ["rate-limit-limit", "rate-limit-remaining"].map(number);
    format!("{limit} {remaining} +{}", number("rate-limit-reset") - start)
}

#[tokio::test]
async fn default_limits_match_the_specification() {
    let service =
        TestServiceBuilder { edge: EdgeConfig::default(), ..TestServiceBuilder::default() }
            .start()
            .await;
    assert_eq!(quota(&service.public.get("/v1/health").await), "10000 9999 +60");
    assert_eq!(quota(&service.key.get("/v1/policies").await), "1000 999 +60");
    assert_eq!(quota(&service.public.get("/v1/nothing").await), "10000 9997 +60");
}

#[tokio::test]
async fn key_above_its_limit_is_rejected_until_the_next_minute() {
    let service = service_with_rates(100, 2, 0).await;
    service.active("PAY-01").await;
    let other = service.create_key(&[Scope::DecisionsEvaluate]).await;
    let body = serde_json::json!({"context": payment(1)});
    service.clock.advance(MINUTE_MS);
    let evaluate = |key: &Client| key.post("/v1/decisions/evaluate", &body);

    assert_eq!(quota(&evaluate(&service.key).await), "2 1 +120");
    service.clock.advance(20_500);
    // A rejected request is counted too.
    let refused = service.key.get("/v1/policies?bogus=1").await;
    assert_eq!((refused.status, quota(&refused)), (422, "2 0 +120".to_owned()));
    let refused = evaluate(&service.key).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(quota(&refused), "2 0 +120");
    assert_eq!(refused.header("retry-after"), Some("40"));
    assert_eq!(refused.details()["retry_after"], 40);

    // Another key of the tenant and anonymous callers are not limited by it.
    evaluate(&other).await.expect(200);
    service.public.get("/v1/health").await.expect(200);
    service.clock.advance(39_500);
    assert_eq!(quota(&evaluate(&service.key).await), "2 1 +180");
}

#[tokio::test]
async fn a_request_with_several_decisions_counts_each_of_them() {
    let service = service_with_rates(1_000, 10, 0).await;
    service.active("PAY-01").await;
    service.clock.advance(MINUTE_MS);
    let batch = async |size: usize| {
        let contexts = vec![payment(1); size];
        let body = serde_json::json!({"contexts": contexts});
        service.key.post("/v1/decisions/evaluate-batch", &body).await
    };
    let first = batch(6).await;
    assert_eq!((first.status, quota(&first)), (200, "10 4 +120".to_owned()));
    // The request itself counts, but its contexts do not fit.
    let refused = batch(6).await;
    assert_eq!((refused.status, quota(&refused)), (429, "10 3 +120".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("60"));
    service.clock.advance(MINUTE_MS);
    let never = batch(12).await;
    assert_snapshot!(never, @"429 TOO_MANY_REQUESTS");
    assert!(never.text.contains("send fewer items"), "{}", never.text);

    // Nothing of a refused list of AuthZEN is recorded.
    service.clock.advance(MINUTE_MS);
    let evaluation = |number: usize| {
        serde_json::json!({
            "subject": {"type": "user", "id": "alice"},
            "action": {"name": "payment"},
            "resource": {"type": "record", "id": "1"},
            "context": {"amount": 1, "purpose": "words"},
            "idempotency_key": format!("k{number}"),
        })
    };
    let evaluations = async |size: usize| {
        let list: Vec<_> = (0..size).map(evaluation).collect();
        let body = serde_json::json!({"evaluations": list});
        service.key.post("/access/v1/evaluations", &body).await
    };
    assert_eq!(evaluations(11).await.status, 429);
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["0"]);
    let recorded = evaluations(5).await;
    assert_eq!((recorded.status, quota(&recorded)), (200, "10 4 +240".to_owned()));
}

#[tokio::test]
async fn each_user_has_a_separate_limit() {
    let service = service_with_rates(1_000, 3, 0).await;
    let [one, two] = [
        service.signed_in_member(Role::Viewer).await,
        service.signed_in_member(Role::Viewer).await,
    ];
    for remaining in [2, 1, 0] {
        let response = one.get("/v1/policies").await;
        assert_eq!((response.status, quota(&response)), (200, format!("3 {remaining} +60")));
    }
    assert_snapshot!(one.get("/v1/policies").await, @"429 TOO_MANY_REQUESTS");
    two.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn address_above_its_limit_is_rejected_for_every_caller() {
    let service = service_with_rates(3, 2, 0).await;
    for remaining in [2, 1, 0] {
        let caller = service.public.with("authorization", "Bearer svc_guess");
        let refused = caller.with("x-service-tenant-id", service.tenant).get("/v1/policies").await;
        assert_eq!((refused.status, quota(&refused)), (401, format!("3 {remaining} +60")));
    }
    for path in ["/v1/health", "/v1/ready", "/v1/policies", "/openapi.json", "/v1/nothing", "/none"]
    {
        let refused = service.key.get(path).await;
        assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS", "{path}");
        assert_eq!(
            (quota(&refused), refused.header("retry-after")),
            ("3 0 +60".into(), Some("60"))
        );
    }
    service.clock.advance(MINUTE_MS);
    // The rejected requests did not use the quota of the key.
    assert_eq!(quota(&service.key.get("/v1/policies").await), "2 1 +120");
}

#[tokio::test]
async fn forwarded_address_is_used_only_behind_a_trusted_proxy() {
    let service = service_with_rates(2, 9, 0).await;
    let from = |address: &str| service.public.with("x-forwarded-for", address).get("/v1/health");
    from("192.0.2.1").await.expect(200);
    from("192.0.2.2").await.expect(200);
    assert_eq!(from("192.0.2.3").await.status, 429);

    let service = service_with_rates(2, 9, 1).await;
    let from = |address: &str| service.public.with("x-forwarded-for", address).get("/v1/health");
    from("192.0.2.1").await.expect(200);
    // Entries before the entry of the proxy have no effect.
    from("198.51.100.1, 192.0.2.1").await.expect(200);
    assert_eq!(from("198.51.100.2, 192.0.2.1").await.status, 429);
    from("192.0.2.2").await.expect(200);
}

#[tokio::test]
async fn rate_limited_browser_receives_an_html_page() {
    let service = service_with_rates(1, 9, 0).await;
    let browser = service.public.with("accept", "text/html,application/xhtml+xml");
    service.public.get("/v1/health").await.expect(200);
    service.clock.advance(15_000);
    for call in [browser.get("/login"), browser.call("POST", "/console/log-out")] {
        let page = call.await;
        assert_eq!(page.status, 429);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let html = page.html();
        assert!(html.contains("<h1>Too many requests</h1>"), "{html}");
        assert!(html.contains("in 45 seconds."), "{html}");
        let policy = page.header("content-security-policy").expect("a page has a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    }
    // Scripts of a page and API clients receive JSON.
    let scripts =
        service.public.with("accept", "application/json").call("POST", "/console/log-out");
    assert_snapshot!(scripts.await, @"429 TOO_MANY_REQUESTS");
    assert_snapshot!(browser.get("/v1/health").await, @"429 TOO_MANY_REQUESTS");
}
