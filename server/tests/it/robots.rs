//! What crawlers read: `robots.txt`, descriptions of public pages, and which pages they may index.

use crate::prelude::*;

#[testkit::test]
async fn robots_txt_is_plain_text(service: TestService) {
    let response = service.public.get("/robots.txt").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"));
    insta::assert_snapshot!(response.text, @r"
    User-agent: *
    Disallow: /v1/
    Disallow: /console/
    ");
}

#[tokio::test]
async fn public_pages_have_a_description_and_only_pages_without_ids_are_indexed() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let form = json!({"policy_id": version.policy, "title": "Payments", "is_published": true});
    let form = service.key.post("/v1/forms", &form).await.expect(201);
    let browser = Browser::member(&service, Role::Admin).await;
    let public = |path: &str, is_indexed| (path.to_owned(), true, is_indexed);
    for (path, has_description, is_indexed) in [
        public("/login", true),
        public("/reset", true),
        public("/help", true),
        public("/verify", true),
        public("/log", true),
        public("/trust", true),
        public("/docs", true),
        public("/docs/start", true),
        public("/docs/guide/author", true),
        public("/setup?token=none", false),
        (format!("/r/{}", text(&decision["id"])), true, false),
        (format!("/f/{}", text(&form["id"])), true, false),
        (browser.at("policies"), false, false),
        ("/account".to_owned(), false, false),
        ("/invitations".to_owned(), false, false),
        ("/nothing".to_owned(), false, false),
    ] {
        let page = browser.client("theme=dark").get(&path).await;
        let robots = page.header("x-robots-tag");
        assert_eq!(robots, (!is_indexed).then_some("noindex"), "{path}");
        let description = page.text.split_once("<meta name=\"description\"");
        assert_eq!(description.is_some(), has_description, "{path}");
        if let Some((_, rest)) = description {
            let description = attribute(rest, "content");
            assert!((30..=160).contains(&description.len()), "{path}: {description}");
        }
    }
}
