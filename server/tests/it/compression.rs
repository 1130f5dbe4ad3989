//! Compression of pages and JSON.

use crate::prelude::*;

/// The limit of a page (console, section 10).
const PAGE_BYTES_MAX: usize = 60_000;

/// The limit of the API reference, which is no page of the console: it describes every operation with an example.
const REFERENCE_BYTES_MAX: usize = 80_000;

/// Checks that a response is compressed, and that caches store it per encoding.
fn check_compressed(path: &str, coding: &str, response: &TestResponse) {
    assert_eq!(response.status, 200, "{path}");
    let headers = ["content-encoding", "vary", "content-length"].map(|name| response.header(name));
    assert_eq!(headers, [Some(coding), Some("accept-encoding"), None], "{path}");
    assert!(response.encoded_size * 4 < response.bytes.len() * 3, "{path}");
}

/// Returns the response to a client that decodes `codings`.
async fn get(client: &Client, path: &str, codings: &str) -> TestResponse {
    client.get(path).header("accept-encoding", codings).await
}

#[testkit::test]
async fn pages_and_json_are_compressed_in_an_accepted_encoding(service: TestService) {
    service.active("PAY-01").await;
    let browser = Browser::member(&service, Role::Admin).await.client("theme=dark");
    let tenant = service.tenant;
    for (client, path, end) in [
        (&browser, format!("/t/{tenant}/audit"), "</html>"),
        (&browser, "/help".to_owned(), "</html>"),
        (&browser, "/docs".to_owned(), "</html>"),
        (&browser, "/openapi.json".to_owned(), "}"),
        (&service.key, "/v1/audit-log".to_owned(), "}"),
    ] {
        for (codings, coding) in [("gzip, deflate, br, zstd", "br"), ("gzip", "gzip")] {
            let response = get(client, &path, codings).await;
            check_compressed(&path, coding, &response);
            assert!(response.text.contains(end), "{path}: {}", response.text);
        }
        for codings in ["identity", "zstd", "br;q=0", "identity;q=0"] {
            let plain = get(client, &path, codings).await;
            assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
            assert_eq!(plain.header("vary"), Some("accept-encoding"), "{path}");
        }
    }
}

#[testkit::test]
async fn long_pages_keep_their_size_limit(service: TestService) {
    service.active("PAY-01").await;
    let browser = Browser::member(&service, Role::Admin).await;
    // A version with the maximum number of rules shows them in parts.
    let rule = |number: u32| {
        json!({
            "code": format!("RULE-{number}"), "name": format!("Amount {number} has a limit"),
            "description": format!("The limit of item {number} of the price list."),
            "severity": "high", "rule_type": "threshold",
            "condition": {"field": format!("items.{number}.amount"), "max": 1_000 + number},
        })
    };
    let mut body = policy("LONG");
    body["rules"] = (1..=1_000).map(rule).collect();
    let long = service.active_policy(&body).await;
    let policy = format!("policies/{}", long.policy);
    let version = format!("{policy}/versions/1");
    let pages = [
        "audit".to_owned(),
        policy.clone(),
        format!("{policy}?tab=rules"),
        version.clone(),
        format!("{version}?rules=10"),
    ];
    let pages = pages.map(|page| (browser.at(&page), PAGE_BYTES_MAX));
    for (path, limit) in [("/docs".to_owned(), REFERENCE_BYTES_MAX)].into_iter().chain(pages) {
        let response = get(&browser.client("theme=dark"), &path, "br").await;
        check_compressed(&path, "br", &response);
        assert!(response.encoded_size <= limit, "{path}: {}", response.encoded_size);
    }
    // A link to a rule opens the part that contains it.
    for (query, code) in [("", "RULE-1"), ("rules=10", "RULE-1000"), ("rule=RULE-101", "RULE-101")]
    {
        let page = browser.page(&format!("{version}?{query}")).await.text;
        assert!(page.contains(&format!("id=\"rule-{code}\"")), "{query}");
        assert!(page.contains("?bytes=1#bytes"), "{query}");
    }
    for (query, has_bytes) in [("rules=1", false), ("bytes=1", true)] {
        let page = browser.page(&format!("{version}?{query}")).await.text;
        assert_eq!(page.contains("\"code\":\"RULE-1000\""), has_bytes, "{query}");
    }
}

#[testkit::test]
async fn a_page_that_another_site_requests_is_not_compressed(service: TestService) {
    let browser = Browser::member(&service, Role::Admin).await.client("theme=dark");
    let browser = browser.without("sec-fetch-site");
    let path = format!("/t/{}/policies", service.tenant);
    for (site, coding) in [
        ("cross-site", None),
        ("same-site", None),
        ("same-origin", Some("br")),
        ("none", Some("br")),
    ] {
        let response = get(&browser.with("sec-fetch-site", site), &path, "br").await;
        assert_eq!(response.status, 200, "{site}");
        assert_eq!(response.header("content-encoding"), coding, "{site}");
        assert_eq!(response.header("vary"), Some("accept-encoding"), "{site}");
    }
}

#[testkit::test]
async fn responses_with_an_etag_are_sent_as_the_bytes_that_the_etag_names(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let receipt = format!("/v1/receipts/{}", text(&decision["id"]));
    for path in
        [receipt.clone(), format!("{receipt}/bundle"), format!("{receipt}/bundle?format=json")]
    {
        let plain = service.public.get(&path).await;
        let etag = plain.header("etag").expect("a tag");
        let response = get(&service.public, &path, "br, gzip").await;
        assert_eq!(response.bytes, plain.bytes, "{path}");
        let headers = ["etag", "content-encoding", "vary"].map(|name| response.header(name));
        assert_eq!(headers, [Some(etag), None, None], "{path}");
        let call = service.public.get(&path).header("accept-encoding", "br");
        assert_eq!(call.header("if-none-match", etag).await.status, 304, "{path}");
    }
}

#[testkit::test]
async fn small_responses_exports_and_event_streams_are_not_compressed(service: TestService) {
    service.active("PAY-01").await;
    service.record("k", 1).await;
    let range = "recorded_from=2026-01-01T00:00:00Z&recorded_to=2027-01-01T00:00:00Z";
    for path in ["/v1/health".to_owned(), format!("/v1/decisions/export?{range}")] {
        let response = get(&service.key, &path, "br").await;
        assert_eq!((response.status, response.header("content-encoding")), (200, None), "{path}");
    }
    let client = service.key.with("accept-encoding", "br");
    let mut stream = crate::streams::Listener::open(&client, crate::streams::PATH, None)
        .await
        .expect("a stream");
    assert!(stream.block().await.expect("the first block").starts_with("retry:"));
}
