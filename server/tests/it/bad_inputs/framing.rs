//! Content types, sizes, methods, paths and correlation ids.

use insta::assert_snapshot;
use serde_json::json;

use crate::service::{payment, request, world};

/// The most bytes of a body (contract, section 1).
const BODY_MAX: usize = 1 << 20;

#[tokio::test]
async fn a_body_must_say_that_it_is_json() {
    let world = world().await;
    let body = json!({"context": payment(1)}).to_string();
    let call = world.key.call("POST", "/v1/decisions/evaluate");
    for content_type in [
        "",
        "json",
        "text/plain",
        "application/jsonx",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
    ] {
        let refused = call.clone().body(content_type, body.clone()).await;
        assert_eq!(refused.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{content_type}");
    }
    assert_snapshot!(call.clone().await, @"415 UNSUPPORTED_MEDIA_TYPE");
    for content_type in ["application/json; charset=utf-8", "Application/JSON"] {
        let read = call.clone().body(content_type, body.clone()).await;
        assert_eq!(read.to_string(), "404 NO_ACTIVE_POLICIES", "{content_type}");
    }
}

#[tokio::test]
async fn a_body_may_have_one_mebibyte_and_no_byte_more() {
    let world = world().await;
    let mut body = json!({"context": payment(1)}).to_string().into_bytes();
    body.resize(BODY_MAX, b' ');
    let call = world.key.call("POST", "/v1/decisions/evaluate");
    let read = call.clone().body("application/json", body.clone()).await;
    assert_snapshot!(read, @"404 NO_ACTIVE_POLICIES");
    body.push(b' ');
    assert_snapshot!(call.body("application/json", body).await, @"413 PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn a_path_says_which_methods_it_takes() {
    let world = world().await;
    let id = "00000000-0000-4000-8000-000000000000";
    for (method, path, allowed) in [
        ("DELETE", "/v1/policies".to_owned(), &["GET", "HEAD", "POST"][..]),
        ("OPTIONS", "/v1/policies".to_owned(), &["GET", "HEAD", "POST"]),
        ("PUT", format!("/v1/policies/{id}"), &["DELETE", "GET", "HEAD", "PATCH"]),
        ("PUT", format!("/v1/policies/{id}/versions/1"), &["DELETE", "GET", "HEAD", "PATCH"]),
        ("DELETE", format!("/v1/policies/{id}/versions"), &["GET", "HEAD", "POST"]),
        ("GET", "/v1/decisions/record".to_owned(), &["POST"]),
        ("PUT", "/v1/session".to_owned(), &["DELETE", "GET", "HEAD", "POST"]),
        ("POST", "/v1/health".to_owned(), &["GET", "HEAD"]),
        ("POST", "/openapi.json".to_owned(), &["GET", "HEAD"]),
    ] {
        for client in [&world.key, &world.public] {
            let refused = client.call(method, &path).await;
            assert_eq!(refused.to_string(), "405 METHOD_NOT_ALLOWED", "{method} {path}");
            let allow = refused.header("allow").unwrap_or_default();
            let mut methods: Vec<&str> = allow.split(',').map(str::trim).collect();
            methods.sort_unstable();
            assert_eq!(methods, allowed, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_answers_as_get_does_without_the_body() {
    let world = world().await;
    for path in ["/v1/policies", "/v1/health", "/v1/.well-known/signing-keys"] {
        let get = world.key.get(path).await;
        let head = world.key.call("HEAD", path).await;
        assert_eq!((head.status, &*head.text), (200, ""));
        for name in ["content-type", "content-length", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    assert_eq!(world.public.call("HEAD", "/v1/policies").await.status, 400);
    assert_eq!(world.public.call("HEAD", "/v1/nothing").await.status, 404);
}

#[tokio::test]
async fn a_path_that_is_none_answers_the_error_body_to_everyone() {
    let world = world().await;
    for path in [
        "/v1/",
        "/v1/nothing",
        "/v1/policies/",
        "/v1//policies",
        "/v1/policies/%2e%2e/nothing",
        "/v1/%00",
        "/v1/%ff",
    ] {
        for method in ["GET", "POST", "PATCH", "DELETE", "BREW"] {
            let browser = world.public.call(method, path).header("accept", "text/html");
            for call in [world.key.call(method, path), browser] {
                assert_eq!(call.clone().await.to_string(), "404 NOT_FOUND", "{call:?}");
            }
        }
    }
    for path in ["/v1", "/v2/policies", "/api", "/"] {
        let answer = world.public.call("POST", path).await;
        assert!(matches!(answer.status, 404 | 405), "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_good_correlation_id_is_kept_and_a_bad_one_replaced() {
    let world = world().await;
    let longest = "x".repeat(128);
    for good in ["a", "trace-1", "A.b:c_d-9", "00000000-0000-4000-8000-000000000000", &longest] {
        let answer = world.public.get("/v1/nothing").header("x-correlation-id", good).await;
        assert_eq!(answer.header("x-correlation-id"), Some(good));
        let answer = world.public.get("/v1/health").header("x-correlation-id", good).await;
        assert_eq!(answer.header("x-correlation-id"), Some(good));
    }
    let too_long = "x".repeat(129);
    for bad in ["", "two words", "a/b", "ä", "<script>", "a,b", "{}", "%0d%0a", &too_long] {
        let answer = world.public.get("/v1/nothing").header("x-correlation-id", bad).await;
        let made = answer.header("x-correlation-id").unwrap().to_owned();
        assert!(made.len() == 36 && made.split('-').count() == 5, "{bad}: {made}");
    }
    let [one, two] = [world.public.get("/v1/health").await, world.public.get("/v1/health").await];
    assert_ne!(one.header("x-correlation-id"), two.header("x-correlation-id"));
}

#[tokio::test]
async fn the_correlation_id_of_the_context_is_the_caller_s_own() {
    let world = world().await;
    world.active("PAY-01").await;
    let mut body = request("k-1", 1);
    body["context"]["metadata"] = json!({"correlation_id": "order / 7", "channel": "web"});
    let call = world.key.post("/v1/decisions/record", &body).header("x-correlation-id", "trace");
    let answer = call.await;
    let decision = answer.expect(201)["decision"].clone();
    assert_eq!(answer.header("x-correlation-id"), Some("trace"));
    assert_eq!(decision["correlation_id"], "order / 7");
    assert_eq!(decision["context"], body["context"]);
}

#[tokio::test]
async fn every_answer_to_a_caller_with_credentials_is_kept_by_nobody() {
    let world = world().await;
    for path in ["/v1/policies", "/v1/decisions", "/v1/nothing", "/v1/session"] {
        let answer = world.key.get(path).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    }
}
