//! Headers that protect answers in browsers, and where vulnerabilities are reported.

use server::config::edge::{EdgeConfig, Rates};

use crate::{
    client::TestResponse,
    service::{TestServiceBuilder, request, world},
};

fn headers(answer: &TestResponse) -> [Option<&str>; 4] {
    [
        "strict-transport-security",
        "cross-origin-resource-policy",
        "permissions-policy",
        "referrer-policy",
    ]
    .map(|name| answer.header(name))
}

const HSTS: Option<&str> = Some("max-age=31536000; includeSubDomains");

#[tokio::test]
async fn every_answer_of_an_https_service_asks_for_https_and_may_be_embedded_by_no_other_origin() {
    let world =
        TestServiceBuilder { is_https: true, ..TestServiceBuilder::default() }.world().await;
    let answers = [
        world.key.get("/v1/policies").await,
        world.key.get("/v1/nothing").await,
        world.public.get("/v1/health").await,
        world.public.get("/metrics").await,
    ];
    for answer in answers {
        assert_eq!(headers(&answer), [HSTS, Some("same-origin"), None, None], "{answer:?}");
        let policy = Some("default-src 'none'; frame-ancestors 'none'");
        assert_eq!(answer.header("content-security-policy"), policy);
    }
    let page = world.public.with("accept", "text/html");
    for path in ["/login", "/docs", "/f/00000000-0000-4000-8000-000000000000"] {
        let [hsts, embeds, features, referrer] =
            headers(&page.get(path).await).map(|text| text.map(str::to_owned));
        assert_eq!(hsts.as_deref(), HSTS, "{path}");
        assert_eq!(embeds.as_deref(), Some("same-origin"), "{path}");
        assert!(features.is_some_and(|text| text.contains("camera=()")), "{path}");
        assert_eq!(referrer.as_deref(), Some("same-origin"), "{path}");
    }
}

#[tokio::test]
async fn proof_for_other_origins_may_be_embedded_by_them() {
    let world = world().await;
    world.active("PAY-01").await;
    let made = world.key.post("/v1/decisions/record", &request("k", 1)).await.expect(201);
    let receipt = format!("/v1/receipts/{}", made["decision"]["id"].as_str().unwrap_or_default());
    let answer = world.public.get(receipt).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(headers(&answer), [None, Some("cross-origin"), None, None]);
}

#[tokio::test]
async fn security_txt_names_the_contact_that_is_configured() {
    let contact = Some("mailto:security@acme.example".to_owned());
    let edge =
        EdgeConfig { security_contact: contact, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    let world = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await;
    let answer = world.public.get("/.well-known/security.txt").await;
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    insta::assert_snapshot!(answer.text, @r"
    Contact: mailto:security@acme.example
    Expires: 2026-11-30T00:00:00.000Z
    Preferred-Languages: en
    ");

    let world = crate::service::world().await;
    let absent = world.public.get("/.well-known/security.txt").await;
    assert_eq!(absent.to_string(), "404 NOT_FOUND");
}
