//! Pages of authoring capabilities in a browser without JavaScript.

use crate::{capabilities::FOLLOW, prelude::*};

const ID: &str = "5d7d8001-0000-4000-8000-000000000001";

/// Returns the form of a new capability for a version, with the ID that its page generated.
fn form(version: &Version, rest: &str) -> String {
    let Version { policy, number } = version;
    format!("id={ID}&form%5Bversion%5D={policy}%2F{number}&form%5Bname%5D=assistant&{rest}")
}

const ACTIONS: &str = "form%5Bactions%5D%5B%5D=review.retrieve&form%5Bactions%5D%5B%5D=policy.read";

async fn grants(service: &TestService) -> serde_json::Value {
    service.key.get("/v1/authoring-capabilities").await.expect(200)["items"].clone()
}

#[testkit::test]
async fn an_issued_capability_shows_its_key_once_and_in_no_url(service: TestService) {
    let version = service.draft("PAY-01").await;
    let browser = Browser::new(&service, service.author().await);
    let rest = format!("{ACTIONS}&form%5Bmax_uses%5D=3&form%5Bexpires%5D=2026-09-02T10%3A00");
    let form = form(&version, &rest);
    let (key, _) =
        browser.create_secret("/console/issue-grant", &form, "svc_", "capabilities").await;
    let program = service.with_key(&key);
    program.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    let issued = &grants(&service).await[0];
    assert_eq!((&issued["id"], &issued["max_uses"]), (&json!(ID), &json!(3)));
    assert_eq!(issued["actions"], json!(FOLLOW));
    assert_eq!(issued["expires_at"], "2026-09-02T10:00:00.000Z");
    browser.shows("capabilities", ["assistant", "0 of 3 writes made"]).await;
}

#[testkit::test]
async fn a_capability_is_carried_over_and_revoked_on_its_pages(service: TestService) {
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &FOLLOW).await;
    let browser = Browser::new(&service, service.author().await);
    let carry = format!("capabilities/{}/carry", grant.id);
    browser.shows(&carry, ["This policy has no later draft"]).await;
    service.replace_with_new_draft(&version).await;
    browser.shows(&carry, ["Carry over to version 2"]).await;
    let list = browser.at("capabilities");
    let body = format!("id={}&version=2", grant.id);
    let response = browser.post("/console/carry-grant", &body).await;
    response.assert_redirects_to(&list);
    // A second attempt is refused, and the page of the first grant shows the reason.
    let repeated = browser.post("/console/carry-grant", &body).await;
    assert_eq!(repeated.header("location"), Some(&*browser.at(&carry)));
    browser.shows(&carry, ["Only an active capability can be carried over."]).await;

    let current = grants(&service).await[0]["id"].clone();
    let revoke = format!("capabilities/{}/revoke", text(&current));
    browser.shows(&revoke, ["This cannot be undone."]).await;
    let body = format!("id={}", text(&current));
    let response = browser.post("/console/revoke-grant", &body).await;
    response.assert_redirects_to(&list);
    let refusal = grant.key.get("/v1/authoring-capabilities/current").await;
    assert_eq!(refusal.to_string(), "403 AUTHORING_CAPABILITY_REVOKED");
    browser.shows(&revoke, ["This capability is already revoked."]).await;
    let missing = browser.page("capabilities/00000000-0000-4000-8000-000000000000/revoke").await;
    assert_eq!(missing.status, 404);
}
