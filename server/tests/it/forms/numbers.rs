//! Numbers on the page of a form, as the language of the page writes them.

use super::{
    pages::{hidden, page_path, send, visit},
    published_form,
};
use crate::prelude::*;

/// Submits an amount, with the chosen reading if there is one.
async fn submit(client: &Client, form: &Value, amount: &str, choice: &str) -> TestResponse {
    let page = visit(client, page_path(form)).await;
    let key = hidden(&page, "key").expect("a key");
    let mut pairs = vec![("key", &*key), ("a:amount", amount), ("a:purpose", "rent")];
    if !choice.is_empty() {
        pairs.push(("n:amount", choice));
    }
    send(client, form, &pairs).await
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
        ("de", "12,50", json!(12.5), "12,5"),
        ("de", "1.250,75", json!(1250.75), "1250,75"),
        ("en", "12.50", json!(12.5), "12.5"),
        ("en", "1,250.75", json!(1250.75), "1250.75"),
        ("fr", "1\u{202F}250,5", json!(1250.5), "1250,5"),
        ("es", "1,250", json!(1.25), "1,25"),
    ] {
        let client = service.public.with("accept-language", language);
        let accepted = submit(&client, &form, typed, "").await;
        assert_eq!(accepted.status, 303, "{language} {typed}: {}", accepted.text);
        assert_eq!(recorded(&service).await, number, "{language} {typed}");
        let result = visit(&client, accepted.header("location").expect("a result")).await;
        assert!(result.text.contains(&format!("<dd>{shown}</dd>")), "{typed}: {}", result.text);
    }
}

#[testkit::test]
async fn the_numbers_are_shown_only_directly_after_the_submission(service: TestService) {
    let form = published_form(&service, json!({"language": "de"})).await;
    let accepted = submit(&service.public, &form, "12,50", "").await;
    let result = accepted.header("location").expect("a result").to_owned();
    assert!(visit(&service.public, &*result).await.text.contains("<dd>12,5</dd>"));
    service.clock.advance(11 * MINUTE_MS);
    let later = visit(&service.public, &*result).await;
    assert_eq!(later.status, 200);
    assert!(!later.text.contains("12,5"), "{}", later.text);
}

#[testkit::test]
async fn a_number_with_two_readings_is_asked_back(service: TestService) {
    let form = published_form(&service, json!({"language": "de"})).await;
    let question = submit(&service.public, &form, "1.250", "").await;
    assert_eq!(question.status, 422);
    assert_contains(
        &question.text,
        [
            "Diese Zahl kann auf zwei Arten gelesen werden.",
            "value=\"1.250\"",
            "name=\"n:amount\" value=\"1250\"",
            "name=\"n:amount\" value=\"1.25\"",
            "<span>1250</span>",
            "<span>1,25</span>",
            "value=\"rent\"",
        ],
    );
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["0"]);
    let other = submit(&service.public, &form, "1.250", "7").await;
    assert_eq!(other.status, 422, "a choice must be one of the readings");
    for (choice, number) in [("1250", json!(1250)), ("1.25", json!(1.25))] {
        let accepted = submit(&service.public, &form, "1.250", choice).await;
        assert_eq!(accepted.status, 303, "{}", accepted.text);
        assert_eq!(recorded(&service).await, number);
    }
    // In the API, numbers are JSON numbers.
    let path = super::path(&form, "/submit");
    let text = json!({"values": {"amount": "1.250", "purpose": "rent"}});
    assert_eq!(service.public.post(path, &text).await.field_errors(), "/values/amount type\n");
}
