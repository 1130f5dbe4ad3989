//! Security headers of responses, and `security.txt`.

use server::config::edge::{EdgeConfig, Rates};

use crate::prelude::*;

fn headers(response: &TestResponse) -> [Option<&str>; 4] {
    [
        "strict-transport-security",
        "cross-origin-resource-policy",
        "permissions-policy",
        "referrer-policy",
    ]
    .map(|name| response.header(name))
}

const HSTS: Option<&str> = Some("max-age=31536000; includeSubDomains");

#[tokio::test]
async fn every_response_over_https_sets_hsts_and_a_same_origin_resource_policy() {
    let service =
        TestServiceBuilder { is_https: true, ..TestServiceBuilder::default() }.start().await;
    let responses = [
        service.key.get("/v1/policies").await,
        service.key.get("/v1/nothing").await,
        service.public.get("/v1/health").await,
        service.public.get("/metrics").await,
    ];
    for response in responses {
        assert_eq!(headers(&response), [HSTS, Some("same-origin"), None, None], "{response:?}");
        let policy = Some("default-src 'none'; frame-ancestors 'none'");
        assert_eq!(response.header("content-security-policy"), policy);
    }
    let browser = service.public.with("accept", "text/html");
    for path in ["/login", "/docs", "/docs/start", "/f/00000000-0000-4000-8000-000000000000"] {
        let [hsts, embeds, features, referrer] =
            headers(&browser.get(path).await).map(|text| text.map(str::to_owned));
        assert_eq!(hsts.as_deref(), HSTS, "{path}");
        assert_eq!(embeds.as_deref(), Some("same-origin"), "{path}");
        assert!(features.is_some_and(|text| text.contains("camera=()")), "{path}");
        assert_eq!(referrer.as_deref(), Some("same-origin"), "{path}");
    }
}

#[tokio::test]
async fn security_txt_contains_the_configured_contact() {
    let contact = Some("mailto:security@acme.example".to_owned());
    let edge =
        EdgeConfig { security_contact: contact, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    let service = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await;
    let response = service.public.get("/.well-known/security.txt").await;
    assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"));
    insta::assert_snapshot!(response.text, @r"
    Contact: mailto:security@acme.example
    Expires: 2026-11-30T00:00:00.000Z
    Preferred-Languages: en
    ");

    let service = crate::service::test_service().await;
    let error = service.public.get("/.well-known/security.txt").await;
    assert_eq!(error.to_string(), "404 NOT_FOUND");
}
