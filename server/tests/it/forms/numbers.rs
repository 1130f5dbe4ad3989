//! Numbers on the page of a form, as the language of the page writes them.

use super::{
    pages::{hidden, page_path, send, visit},
    published_form,
};
use crate::prelude::*;

/// Submits an amount.
async fn submit(client: &Client, form: &Value, amount: &str) -> TestResponse {
    let page = visit(client, page_path(form)).await;
    let key = hidden(&page, "key").expect("a key");
    send(client, form, &[("key", &*key), ("a:amount", amount), ("a:purpose", "rent")]).await
}

/// Returns the amount of the last decision.
async fn recorded(service: &TestService) -> Value {
    let decisions = service.key.get("/v1/decisions").await.expect(200);
    let id = decisions["items"][0]["id"].as_str().expect("a decision").to_owned();
    let decision = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    decision["context"]["fields"]["amount"].clone()
}

#[tokio::test]
async fn numbers_are_read_in_the_language_of_the_page_and_the_result_shows_them() {
    let service = test_service().await;
    let form = published_form(&service, json!({})).await;
    for (language, typed, number, shown) in [
        ("de", "1.250,75", json!(1250.75), "1250,75"),
        ("en", "1,250.75", json!(1250.75), "1250.75"),
        ("fr", "1\u{202F}250,5", json!(1250.5), "1250,5"),
    ] {
        let client = service.public.with("accept-language", language);
        let accepted = submit(&client, &form, typed).await;
        assert_eq!(accepted.status, 303, "{language} {typed}: {}", accepted.text);
        assert_eq!(recorded(&service).await, number, "{language} {typed}");
        let result = visit(&client, accepted.header("location").expect("a result")).await;
        assert!(result.text.contains(&format!("<dd>{shown}</dd>")), "{typed}: {}", result.text);
    }
}

#[testkit::test]
async fn the_numbers_are_shown_only_directly_after_the_submission(service: TestService) {
    let form = published_form(&service, json!({"language": "de"})).await;
    let accepted = submit(&service.public, &form, "12,50").await;
    let result = accepted.header("location").expect("a result").to_owned();
    assert!(visit(&service.public, &*result).await.text.contains("<dd>12,5</dd>"));
    service.clock.advance(11 * MINUTE_MS);
    let later = visit(&service.public, &*result).await;
    assert_eq!(later.status, 200);
    assert!(!later.text.contains("12,5"), "{}", later.text);
}
