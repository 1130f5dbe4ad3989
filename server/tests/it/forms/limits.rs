//! Limits on the submissions of a form: budget, uses of a token and rate limit.

use server::config::edge::{EdgeConfig, Rates};

use super::{path, publish_form, published_form, submission, submit};
use crate::prelude::*;

/// Sends `count` submissions concurrently.
async fn submit_concurrently(
    service: &TestService,
    form: &Value,
    count: u32,
    token: Option<&str>,
) -> Vec<TestResponse> {
    let calls: Vec<_> = (0..count)
        .map(|number| {
            let mut body = submission(1, &format!("key {number}"));
            if let Some(token) = token {
                body["access_token"] = token.into();
            }
            tokio::spawn(service.public.post(path(form, "/submit"), &body).into_future())
        })
        .collect();
    let mut responses = Vec::new();
    for call in calls {
        responses.push(call.await.expect("no call panics"));
    }
    responses
}

/// Counts the responses that equal `expected`.
fn count(responses: &[TestResponse], expected: &str) -> usize {
    responses.iter().filter(|response| response.to_string() == expected).count()
}

#[testkit::test]
async fn last_use_of_a_budget_is_given_to_one_of_50_submissions(service: TestService) {
    let budget = json!({"token_budget": {"limit": 1, "window": "hour"}});
    let form = published_form(&service, budget).await;
    let responses = submit_concurrently(&service, &form, 50, None).await;
    assert_eq!(count(&responses, "201"), 1);
    assert_eq!(count(&responses, "429 FORM_BUDGET_EXHAUSTED"), 49);
    let refusal = responses.iter().find(|response| response.status == 429).expect("one is refused");
    assert_eq!(refusal.header("retry-after"), Some("3600"));
    assert_eq!(refusal.details(), json!({"retry_after": 3_600, "window": "hour"}));
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["1"]);
    assert_eq!(service.key.get(path(&form, "")).await.expect(200)["tokens_used"], 1);

    service.clock.advance(60 * MINUTE_MS);
    assert_eq!(service.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
    submit(&service, &form, &submission(1, "later")).await.expect(201);
}

#[testkit::test]
async fn total_budget_has_no_retry_time(service: TestService) {
    let budget = json!({"token_budget": {"limit": 1, "window": "total"}});
    let form = published_form(&service, budget).await;
    submit(&service, &form, &submission(1, "first")).await.expect(201);
    let refusal = submit(&service, &form, &submission(1, "second")).await;
    assert_eq!(refusal.to_string(), "429 FORM_BUDGET_EXHAUSTED");
    assert_eq!(refusal.header("retry-after"), None);
    assert_eq!(refusal.details(), json!({"window": "total"}));
}

#[testkit::test]
async fn option_that_is_too_long_for_a_context_is_an_invalid_value(service: TestService) {
    let long = "x".repeat(65_537);
    let fields = json!([
        {"name": "plan", "label": "Plan", "type": "select", "options": [{"value": long, "label": "Long"}]},
    ]);
    let form = published_form(&service, json!({"fields": fields})).await;
    let refusal = submit(&service, &form, &json!({"values": {"plan": long}})).await;
    assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR");
    assert_eq!(refusal.details()["errors"][0]["path"], "/values/plan");
    assert_eq!(refusal.details()["errors"][0]["code"], "too_long");
}

#[testkit::test]
async fn single_use_token_is_accepted_once_in_50_submissions(service: TestService) {
    let form = published_form(&service, json!({"access_mode": "token"})).await;
    let created =
        service.key.post(path(&form, "/tokens"), &json!({"max_uses": 1})).await.expect(201);
    let responses = submit_concurrently(&service, &form, 50, Some(text(&created["token"]))).await;
    assert_eq!(count(&responses, "201"), 1);
    assert_eq!(count(&responses, "403 FORBIDDEN"), 49);
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["1"]);
}

#[tokio::test]
async fn address_can_submit_ten_times_a_minute_to_one_form() {
    let rates = Rates { form_per_min: Rates::default().form_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { rates, ..EdgeConfig::default() };
    let service = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await;
    let version = service.active("PAY-01").await;
    let form = publish_form(&service, &version, json!({})).await;
    let invalid = json!({"values": {}});
    for left in (0..10).rev() {
        // An invalid submission counts as well.
        let body = if left % 2 == 0 { invalid.clone() } else { submission(1, &left.to_string()) };
        let response = submit(&service, &form, &body).await;
        assert_ne!(response.status, 429);
        assert_eq!(response.header("rate-limit-remaining"), Some(&*left.to_string()));
    }
    let refusal = submit(&service, &form, &submission(1, "one more")).await;
    assert_eq!(refusal.to_string(), "429 TOO_MANY_REQUESTS");
    assert_eq!(refusal.header("retry-after"), Some("60"));
    let headers = ["rate-limit-limit", "rate-limit-remaining"].map(|name| refusal.header(name));
    assert_eq!(headers, [Some("10"), Some("0")]);
    let other = publish_form(&service, &version, json!({})).await;
    submit(&service, &other, &submission(1, "k")).await.expect(201);
    service.clock.advance(MINUTE_MS);
    submit(&service, &form, &submission(1, "one more")).await.expect(201);
}
