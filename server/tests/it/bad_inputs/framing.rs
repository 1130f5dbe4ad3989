//! Content types, body sizes, methods, paths and correlation IDs.

use crate::prelude::*;

/// The maximum size of a body in bytes (contract, section 1).
const BODY_MAX: usize = 1 << 20;

#[testkit::test]
async fn a_body_requires_a_json_content_type(service: TestService) {
    let body = json!({"context": payment(1)}).to_string();
    let call = service.key.call("POST", "/v1/decisions/evaluate");
    for content_type in [
        "",
        "json",
        "text/plain",
        "application/jsonx",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
    ] {
        let refusal = call.clone().body(content_type, body.clone()).await;
        assert_eq!(refusal.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{content_type}");
    }
    assert_snapshot!(call.clone().await, @"415 UNSUPPORTED_MEDIA_TYPE");
    for content_type in [
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json; charset=utf8",
        "application/json; profile=x",
        "Application/JSON",
    ] {
        let response = call.clone().body(content_type, body.clone()).await;
        assert_eq!(response.to_string(), "404 NO_ACTIVE_POLICIES", "{content_type}");
    }
}

#[testkit::test]
async fn a_body_in_another_encoding_is_refused_with_a_sentence_that_names_it(service: TestService) {
    let body = json!({"context": payment(1)}).to_string();
    let call = service.key.call("POST", "/v1/decisions/evaluate");
    for charset in ["utf-16", "iso-8859-1"] {
        let content_type = format!("application/json; charset={charset}");
        let refusal = call.clone().body(&content_type, body.clone()).await;
        assert_eq!(refusal.to_string(), "415 UNSUPPORTED_MEDIA_TYPE");
        assert!(refusal.text.contains(charset), "{}", refusal.text);
    }
    let json = |bytes: Vec<u8>| call.clone().body("application/json", bytes);
    let compressed = json(body.clone().into()).header("content-encoding", "gzip").await;
    assert_eq!(compressed.to_string(), "415 UNSUPPORTED_MEDIA_TYPE");
    assert!(compressed.text.contains("Content-Encoding"), "{}", compressed.text);
    let plain = json(body.clone().into()).header("content-encoding", "identity").await;
    assert_eq!(plain.to_string(), "404 NO_ACTIVE_POLICIES");
    let utf_16: Vec<u8> = body.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, sentence) in [
        (utf_16.clone(), "is not in UTF-8"),
        ([&[0xFF, 0xFE][..], &utf_16].concat(), "is not in UTF-8"),
        ([&[0xEF, 0xBB, 0xBF], body.as_bytes()].concat(), "byte order mark"),
        (b"{\"context\":\"\xE9\"}".to_vec(), "the body is not in UTF-8"),
        (Vec::new(), "is empty"),
        (b"[]".to_vec(), "\"the body must be an object\""),
        (format!("{body}x").into_bytes(), "is not valid JSON at byte"),
        (
            b"{\"context\":{},\"context\":{}}".to_vec(),
            "a member name occurs more than once at byte 14",
        ),
    ] {
        let refusal = json(bytes).await;
        assert_eq!(refusal.status, 422, "{sentence}");
        assert!(refusal.text.contains(sentence), "{sentence}: {}", refusal.text);
    }
}

#[testkit::test]
async fn a_body_is_limited_to_one_mebibyte(service: TestService) {
    let mut body = json!({"context": payment(1)}).to_string().into_bytes();
    body.resize(BODY_MAX, b' ');
    let call = service.key.call("POST", "/v1/decisions/evaluate");
    let response = call.clone().body("application/json", body.clone()).await;
    assert_snapshot!(response, @"404 NO_ACTIVE_POLICIES");
    body.push(b' ');
    assert_snapshot!(call.body("application/json", body).await, @"413 PAYLOAD_TOO_LARGE");
}

#[testkit::test]
async fn a_path_lists_its_allowed_methods(service: TestService) {
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
        for client in [&service.key, &service.public] {
            let refusal = client.call(method, &path).await;
            assert_eq!(refusal.to_string(), "405 METHOD_NOT_ALLOWED", "{method} {path}");
            let allow = refusal.header("allow").unwrap_or_default();
            let mut methods: Vec<&str> = allow.split(',').map(str::trim).collect();
            methods.sort_unstable();
            assert_eq!(methods, allowed, "{method} {path}");
        }
    }
}

#[testkit::test]
async fn head_returns_the_headers_of_get_without_a_body(service: TestService) {
    for path in ["/v1/policies", "/v1/health", "/v1/.well-known/signing-keys"] {
        let get = service.key.get(path).await;
        let head = service.key.call("HEAD", path).await;
        assert_eq!((head.status, &*head.text), (200, ""));
        for name in ["content-type", "content-length", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    assert_eq!(service.public.call("HEAD", "/v1/policies").await.status, 400);
    assert_eq!(service.public.call("HEAD", "/v1/nothing").await.status, 404);
}

#[testkit::test]
async fn an_unknown_path_returns_the_error_body_to_every_caller(service: TestService) {
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
            let browser = service.public.call(method, path).header("accept", "text/html");
            for call in [service.key.call(method, path), browser] {
                assert_eq!(call.clone().await.to_string(), "404 NOT_FOUND", "{call:?}");
            }
        }
    }
    for path in ["/v1", "/v2/policies", "/api", "/"] {
        let response = service.public.call("POST", path).await;
        assert!(matches!(response.status, 404 | 405), "{path}: {response}");
    }
}

#[testkit::test]
async fn a_valid_correlation_id_is_returned_and_an_invalid_one_is_replaced(service: TestService) {
    let longest = "x".repeat(128);
    for valid in ["a", "trace-1", "A.b:c_d-9", "00000000-0000-4000-8000-000000000000", &longest] {
        let response = service.public.get("/v1/nothing").header("x-correlation-id", valid).await;
        assert_eq!(response.header("x-correlation-id"), Some(valid));
        let response = service.public.get("/v1/health").header("x-correlation-id", valid).await;
        assert_eq!(response.header("x-correlation-id"), Some(valid));
    }
    let too_long = "x".repeat(129);
    for invalid in ["", "two words", "a/b", "ä", "<script>", "a,b", "{}", "%0d%0a", &too_long] {
        let response = service.public.get("/v1/nothing").header("x-correlation-id", invalid).await;
        let generated = response.header("x-correlation-id").unwrap().to_owned();
        assert!(
            generated.len() == 36 && generated.split('-').count() == 5,
            "{invalid}: {generated}"
        );
    }
    let [first, second] =
        [service.public.get("/v1/health").await, service.public.get("/v1/health").await];
    assert_ne!(first.header("x-correlation-id"), second.header("x-correlation-id"));
}

#[testkit::test]
async fn the_correlation_id_of_the_context_is_independent_of_the_header(service: TestService) {
    service.active("PAY-01").await;
    let mut body = request("k-1", 1);
    body["context"]["metadata"] = json!({"correlation_id": "order / 7", "channel": "web"});
    let call = service.key.post("/v1/decisions/record", &body).header("x-correlation-id", "trace");
    let response = call.await;
    let decision = response.expect(201)["decision"].clone();
    assert_eq!(response.header("x-correlation-id"), Some("trace"));
    assert_eq!(decision["correlation_id"], "order / 7");
    assert_eq!(decision["context"], body["context"]);
}

#[testkit::test]
async fn responses_to_authenticated_callers_are_not_cached(service: TestService) {
    for path in ["/v1/policies", "/v1/decisions", "/v1/nothing", "/v1/session"] {
        let response = service.key.get(path).await;
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(response.header("access-control-allow-origin"), None, "{path}");
    }
}
