//! Webhooks and their deliveries in the console, in a browser without JavaScript.

mod deliveries;

use crate::{
    prelude::*,
    webhooks::{deliveries, delivery_worker, receiver, send_due, service_with_webhooks, subscribe},
};

/// The ID that the form page generated.
const ID: &str = "5d7d8001-0000-4000-8000-000000000001";

const URL: &str = "https://1.1.1.1/hook";

/// Returns the form of a new webhook.
fn form(url: &str, types: &str, severity: &str) -> String {
    let url = encoded(url);
    format!("id={ID}&form%5Burl%5D={url}&form%5Btypes%5D={types}&form%5Bseverity%5D={severity}")
}

async fn webhooks(service: &TestService) -> Vec<Value> {
    let page = service.key.get("/v1/alerts/subscriptions").await.expect(200);
    items(&page).to_vec()
}

async fn operator(service: &TestService) -> Browser<'_> {
    Browser::member(service, Role::Operator).await
}

#[testkit::test]
async fn a_new_webhook_shows_its_secret_once_and_in_no_url(service: TestService) {
    let browser = operator(&service).await;
    browser.shows("webhooks", ["Add a webhook to receive alerts."]).await;
    browser.shows("webhooks/new", ["action=\"/console/create-webhook\""]).await;

    let form = form(URL, "payment%0D%0Aloan", "medium");
    let create = "/console/create-webhook";
    let (_, page) = browser.create_secret(create, &form, "whsec_", "webhooks").await;
    assert!(page.contains(&format!("Webhook {URL} created.")), "{page}");
    browser.shows("webhooks", [URL]).await;
    let [webhook] = &*webhooks(&service).await else { panic!("one webhook was created") };
    assert_eq!((&webhook["id"], &webhook["webhook_url"]), (&json!(ID), &json!(URL)));
    assert_eq!(webhook["decision_types"], json!(["payment", "loan"]));
    assert_eq!(webhook["severity_min"], "medium");

    // A repeated form creates no second webhook.
    let repeated = browser.post("/console/create-webhook", &form).await;
    assert_eq!((repeated.status, cookie(&repeated, "made")), (303, None));
    assert_eq!(webhooks(&service).await.len(), 1);
    browser.shows("webhooks/new", ["A webhook with this id already exists."]).await;

    // The form of a copy contains the values of the webhook.
    let copy = browser.page(&format!("webhooks/new?from={ID}")).await.text;
    assert!(copy.contains(&format!("value=\"{URL}\"")) && copy.contains("payment\nloan"), "{copy}");
    assert!(copy.contains("<option value=\"medium\" selected>"), "{copy}");
    for missing in ["00000000-0000-4000-8000-000000000000", "nothing"] {
        assert_eq!(browser.page(&format!("webhooks/new?from={missing}")).await.status, 404);
    }
}

#[testkit::test]
async fn a_refused_webhook_form_preserves_the_input(service: TestService) {
    let browser = operator(&service).await;
    for (page, from) in [
        ("webhooks/new".to_owned(), String::new()),
        (format!("webhooks/new?from={ID}"), format!("&from={ID}")),
    ] {
        if !from.is_empty() {
            browser.post("/console/create-webhook", &form(URL, "", "low")).await;
        }
        for (url, severity, expected) in [
            ("https://10.0.0.1/hook", "low", "URL: must resolve to a public address."),
            ("", "low", "URL: must not be empty."),
            (URL, "dire", "From severity: must be one of low, medium, high, critical."),
        ] {
            let invalid = format!("{}{from}", form(url, "one_type%0D%0Aanother_type", severity));
            let texts = [
                expected,
                "1 field needs attention.",
                "<title>Error: ",
                "aria-invalid=\"true\"",
                "one_type\r\nanother_type",
            ];
            browser.refuse("/console/create-webhook", &invalid, &page, &texts).await;
            browser.post("/console/create-webhook", &invalid).await;
            let html = browser.shows(&page, [format!("value=\"{url}\"")]).await;
            assert_eq!(html.matches("aria-invalid=\"true\"").count(), 1, "{html}");
        }
    }
    assert_eq!(webhooks(&service).await.len(), 1);
}

#[tokio::test]
async fn a_webhook_is_tested_and_deleted_with_html_forms() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let id = subscribe(&service, receiver.url("ok")).await;
    let browser = operator(&service).await;
    let response = browser.post("/console/test-webhook", &format!("id={id}")).await;
    let [sample] = &*deliveries(&service, "").await else { panic!("one delivery was queued") };
    let page = format!("webhooks/deliveries/{}", text(&sample["id"]));
    response.assert_redirects_to(&browser.at(&page));
    browser
        .shows(
            &page,
            ["Still pending", "aria-disabled=\"true\"", "No attempts yet.", "Test without"],
        )
        .await;
    send_due(&service.governance, &delivery_worker(&service.governance)).await;
    browser.shows(&page, ["Already delivered"]).await;
    assert!(browser.page("webhooks").await.text.contains("1 delivered"));

    let list = browser.at("webhooks");
    let deletion = browser.post("/console/delete-webhook", &format!("id={id}")).await;
    deletion.assert_redirects_to(&list);
    assert_eq!(webhooks(&service).await.len(), 0);
    browser.post("/console/delete-webhook", &format!("id={id}")).await;
    assert!(browser.page("webhooks").await.text.contains("NOT_FOUND"));
}
