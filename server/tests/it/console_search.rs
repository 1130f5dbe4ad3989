//! The search page of the console in a browser without JavaScript.

use crate::{capabilities::FOLLOW, prelude::*};

/// Returns the search page for a text.
async fn found(browser: &Browser<'_>, text: &str) -> String {
    browser.page(&format!("search?q={}", encoded(text))).await.text
}

#[testkit::test]
async fn an_id_redirects_to_its_object_and_a_digest_leads_to_the_log(service: TestService) {
    let version = service.active("PAY-01").await;
    let chain = "c3a1b2d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d";
    let mut request = crate::service::request("one", 1);
    request["chain"] = json!({"chain_id": chain});
    let decision = crate::service::record(&service.key, &request).await;
    let id = text(&decision["id"]);
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = found(&viewer, text(&decision["correlation_id"])).await;
    assert!(page.contains(&viewer.at(&format!("decisions/{id}"))), "{page}");
    for (id, page) in [
        (id.to_owned(), format!("decisions/{id}")),
        (version.policy.clone(), format!("policies/{}", version.policy)),
        (chain.to_owned(), format!("chains/{chain}")),
    ] {
        let response = viewer.page(&format!("search?q={id}")).await;
        response.assert_redirects_to(&viewer.at(&page));
        let results = palette(&viewer, &id).await;
        let html = text(&results["html"]);
        let first = html.split("href=\"").nth(1).expect("a result");
        assert!(first.starts_with(&format!("{}\"", viewer.at(&page))), "{html}");
    }
    let digest = "ab".repeat(32);
    let page = found(&viewer, &digest).await;
    assert!(page.contains(&format!("href=\"/log?digest={digest}\"")), "{page}");
    let prefixed = found(&viewer, &format!("sha256:{digest}")).await;
    assert!(prefixed.contains(&format!("href=\"/log?digest={digest}\"")), "{prefixed}");
    let admin = Browser::member(&service, Role::Admin).await;
    let page = found(&admin, "maker-checker").await;
    assert!(page.contains(&admin.at("settings#governance")), "{page}");
    assert!(!found(&viewer, "maker-checker").await.contains("settings#"));
}

#[testkit::test]
async fn an_id_finds_only_an_object_that_the_role_can_read(service: TestService) {
    let version = service.active("PAY-01").await;
    let draft = service.draft("PAY-02").await;
    let capability = service.grant(&draft, &FOLLOW).await.id;
    service.record("denied", 20_000).await;
    let webhook = json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    let webhook = service.key.post("/v1/alerts/subscriptions", &webhook).await.expect(201);
    let test = format!("/v1/alerts/subscriptions/{}/test", text(&webhook["subscription"]["id"]));
    service.key.post(test, &json!({})).await.expect(201);
    let id = async |table: &str| {
        service.sql(&format!("select id::text from {table} limit 1")).await.remove(0)
    };
    let [alert, key, delivery] =
        [id("alerts").await, id("api_keys").await, id("webhook_deliveries").await];
    let version_id = text(&service.read(&version).await["id"]).to_owned();
    let version_page = format!("policies/{}/versions/1", version.policy);

    let viewer = Browser::member(&service, Role::Viewer).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let author = Browser::member(&service, Role::Author).await;
    let admin = Browser::member(&service, Role::Admin).await;
    let cases = [
        (&version_id, version_page, &viewer, None),
        (&alert, format!("alerts/{alert}"), &viewer, None),
        (&delivery, format!("webhooks/deliveries/{delivery}"), &operator, Some(&viewer)),
        (&capability, format!("capabilities/{capability}/revoke"), &author, Some(&operator)),
        (&key, format!("keys/{key}/revoke"), &admin, Some(&author)),
    ];
    for (id, page, reader, other) in cases {
        let response = reader.page(&format!("search?q={}", id.to_uppercase())).await;
        response.assert_redirects_to(&reader.at(&page));
        let shown = reader.page(&page).await;
        assert_eq!(shown.status, 200, "{page}: {}", shown.text);
        if let Some(other) = other {
            let result = found(other, id).await;
            assert!(result.contains("No results for"), "{page}: {result}");
        }
    }

    let neighbour = service.other_tenant().await;
    let foreign = create_draft(&neighbour.admin, "PAY-01").await;
    let foreign = neighbour.key.get(foreign.path()).await.expect(200);
    let result = found(&admin, text(&foreign["id"])).await;
    assert!(result.contains("No results for"), "{result}");
}

#[testkit::test]
async fn any_text_is_searched_and_shown_as_text(service: TestService) {
    let viewer = Browser::member(&service, Role::Viewer).await;
    for hostile in
        ["<script>alert(1)</script>", "%", "\\", "\u{202e}\u{0}", "'; drop table policies; --"]
    {
        let response = viewer.page(&format!("search?q={}", encoded(hostile))).await;
        assert_eq!(response.status, 200, "{hostile:?}");
        assert!(!response.text.contains("<script>alert"), "{hostile:?}");
        assert!(response.text.contains("No results for"), "{hostile:?}: {}", response.text);
    }
    let long = viewer.page(&format!("search?q={}", "x".repeat(5_000))).await;
    assert_eq!(long.status, 200);
    assert!(viewer.page("search").await.text.contains("Enter a name, a code or an ID."));
}

/// Returns the results of the command palette for a text.
async fn palette(browser: &Browser<'_>, text: &str) -> Value {
    let body = format!("tenant={}&text={}", browser.tenant(), encoded(text));
    let script = browser.client("theme=dark").without("accept");
    script.call("POST", "/console/palette").body(FORM, body).await.expect(200)
}

#[testkit::test]
async fn the_palette_offers_the_pages_and_actions_that_the_role_permits(service: TestService) {
    let version = service.submitted("PAY-01").await;
    let page = format!("policies/{}/versions/1", version.policy);
    let ratifier = Browser::member(&service, Role::Ratifier).await;
    let results = palette(&ratifier, "").await;
    let html = text(&results["html"]);
    let dialog = ratifier.at(&format!("{page}/ratify"));
    assert!(html.contains(&format!("href=\"{dialog}\"")), "{html}");
    for (link, is_permitted) in [("audit", true), ("policies/new", true), ("keys", false)] {
        let link = format!("href=\"{}\"", ratifier.at(link));
        assert_eq!(html.contains(&link), is_permitted, "{link}: {html}");
    }
    // The palette executes nothing: it contains only links.
    assert!(!html.contains("<form") && !html.contains("<button"), "{html}");
    assert_eq!(service.read(&version).await["status"], "submitted");

    let viewer = Browser::member(&service, Role::Viewer).await;
    let results = palette(&viewer, "").await;
    let html = text(&results["html"]);
    for hidden in ["/ratify\"", "policies/new\"", "/inbox\"", "/settings\""] {
        assert!(!html.contains(hidden), "{hidden}: {html}");
    }
    let results = palette(&viewer, "<b>nothing</b>").await;
    assert_eq!(results, json!({"html": "", "status": "No results for \"<b>nothing</b>\""}));
}
