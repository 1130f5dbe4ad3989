//! Webhook deliveries: their pages, retries and the count in the navigation.

use governance::notify::webhook::DeliveryResult;

use super::operator;
use crate::{
    prelude::*,
    webhooks::{
        deliveries, delivery_worker, receiver, record_denied, send_due, service_with_one_attempt,
        service_with_webhooks, subscribe,
    },
};

/// Retries these deliveries from a page and returns the page that is shown next.
async fn retry(browser: &Browser<'_>, page: &str, ids: &[&str]) -> String {
    let back = browser.at(page);
    let ids = ids.iter().map(|id| format!("&ids%5B%5D={id}")).collect::<Vec<_>>().concat();
    let form = format!("back={}{ids}", encoded(&back));
    let response = browser.post("/console/retry-deliveries", &form).await;
    response.assert_redirects_to(&back);
    browser.page(page).await.text
}

#[tokio::test]
async fn the_delivery_page_shows_the_exact_request_and_omits_the_secret() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let draft = json!({"url": receiver.url("500"), "severity_min": "low"});
    let created = service.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    record_denied(&service, "k").await;
    let sender = delivery_worker(&service.governance);
    send_due(&service.governance, &sender).await;
    service.clock.advance(2_000);
    send_due(&service.governance, &sender).await;
    let [delivery] = &*deliveries(&service, "").await else { panic!("one delivery was queued") };
    let (id, alert) = (text(&delivery["id"]), text(&delivery["alert_id"]));
    let browser = operator(&service).await;
    let page = unescape(&browser.page(&format!("webhooks/deliveries/{id}")).await.text);
    let calls = receiver.requests();
    let call = calls.last().expect("the receiver was called");
    for name in [
        "content-type",
        "x-service-event",
        "x-service-delivery-id",
        "x-service-tenant-id",
        "x-service-timestamp",
        "x-service-attempt",
        "x-service-signature",
    ] {
        let line = format!("{name}: {}", call.header(name));
        assert!(page.contains(&line), "{line}: {page}");
    }
    assert_eq!(call.header("x-service-attempt"), "2");
    assert!(page.contains(&call.body), "{page}");
    assert!(page.contains("Attempt 1") && page.contains("Attempt 2") && page.contains("2 of 6"));
    assert!(page.contains("The receiver responded with 500."), "{page}");
    assert!(page.contains("curl -sS 'http") && page.contains("1 failed, retrying"), "{page}");
    assert!(page.contains(&format!("href=\"{}\"", browser.at(&format!("alerts/{alert}")))));
    assert!(page.contains("data-refresh=") && page.contains("s later"), "{page}");
    assert!(!page.contains(text(&created["secret"])), "{page}");

    // After the webhook is deleted, the signature cannot be computed again.
    let subscription = format!("id={}", text(&created["subscription"]["id"]));
    browser.post("/console/delete-webhook", &subscription).await;
    browser
        .shows(
            &format!("webhooks/deliveries/{id}"),
            ["Deleted webhook", "Its webhook was deleted", "Timestamp and signature are created"],
        )
        .await;
    let html = retry(&browser, "webhooks/deliveries", &[id]).await;
    assert!(html.contains("The subscription of this delivery was deleted."), "{html}");
    let missing = "webhooks/deliveries/00000000-0000-4000-8000-000000000000";
    assert_eq!(browser.page(missing).await.status, 404);
}

#[tokio::test]
async fn dead_deliveries_are_retried_and_each_refusal_is_reported() {
    let service = service_with_one_attempt().await;
    let receiver = receiver::start().await;
    let failing = subscribe(&service, receiver.url("500")).await;
    subscribe(&service, receiver.url("ok")).await;
    for key in ["a", "b", "c"] {
        record_denied(&service, key).await;
    }
    let sender = delivery_worker(&service.governance);
    send_due(&service.governance, &sender).await;
    let browser = operator(&service).await;
    let page = browser.page("webhooks/deliveries").await.text;
    assert_eq!(page.matches("name=\"ids[]\"").count(), 3, "{page}");
    assert!(page.contains("1 of 1") && page.contains("The receiver responded with 500."), "{page}");
    let dead_page = format!("webhooks/deliveries?status=dead&webhook={failing}");
    let selected = browser
        .shows(
            &format!("{dead_page}&select=page"),
            ["Clear filter: Status", "Clear filter: Webhook"],
        )
        .await;
    assert_eq!(selected.matches(" checked").count(), 3);
    assert!(
        browser
            .page("webhooks/deliveries?status=lost")
            .await
            .text
            .contains("A filter has an invalid value.")
    );
    browser.shows("webhooks/deliveries?status=pending", ["No results"]).await;

    let dead = deliveries(&service, "?status=dead").await;
    let page = format!("webhooks/deliveries/{}", text(&dead[0]["id"]));
    let page = browser.page(&page).await.html();
    assert!(page.contains("The only attempt failed.") && !page.contains("data-refresh="), "{page}");
    assert!(page.contains(" bytes</h3>") && !page.contains("attempts-plot"), "one attempt: {page}");
    let dead: Vec<&str> = dead.iter().map(|delivery| text(&delivery["id"])).collect();
    let delivered = deliveries(&service, "?status=delivered").await[0].clone();
    let html = retry(&browser, &dead_page, &[dead[0], text(&delivered["id"]), dead[1]]).await;
    assert_contains(
        &html,
        [
            "2 deliveries are retried.",
            "This delivery already succeeded.",
            "ALREADY_DELIVERED",
            text(&delivered["id"]),
        ],
    );
    assert_eq!(deliveries(&service, "?status=pending").await.len(), 2);
    assert!(!browser.page(&dead_page).await.text.contains("retried."), "the notice is shown once");
    let html = retry(&browser, &dead_page, &[dead[0]]).await;
    assert!(html.contains("No deliveries are retried.") && html.contains("STILL_PENDING"));
    for ids in [vec![], vec!["nothing"]] {
        let html = retry(&browser, &dead_page, &ids).await;
        assert!(html.contains("Select 1 to 50 deliveries."), "{html}");
    }

    // Redrives all dead deliveries, with and without a start time.
    let back = browser.at(&dead_page);
    for (since, part) in [
        ("soon", "Queued since: enter a date and time"),
        ("2100-01-01T00:00", "No deliveries are retried."),
        ("", "1 delivery is retried."),
    ] {
        let form = format!("back={}&webhook={failing}&since={since}", encoded(&back));
        let response = browser.post("/console/redrive-deliveries", &form).await;
        response.assert_redirects_to(&back);
        let page = browser.page(&dead_page).await.text;
        assert!(page.contains(part), "{part}: {page}");
        assert_eq!(page.contains("value=\"soon\""), since == "soon", "{page}");
    }
    let results = send_due(&service.governance, &sender).await;
    assert_eq!(
        results.iter().filter(|result| matches!(result, DeliveryResult::Dead(_))).count(),
        3,
        "{results:?}"
    );
}

/// Returns the count next to the webhooks link of the navigation, or `None` without the link.
fn navigation_count(page: &str, browser: &Browser<'_>) -> Option<String> {
    let (_, link) = page.split_once(&format!("href=\"{}\"", browser.at("webhooks")))?;
    let (link, _) = link.split_once("</a>")?;
    let number = link.split_once("class=\"count bad\">").and_then(|(_, rest)| rest.split_once('<'));
    Some(number.map_or(String::new(), |(number, _)| number.to_owned()))
}

#[tokio::test]
async fn the_navigation_shows_the_number_of_dead_deliveries_and_tolerates_a_failed_count() {
    let service = service_with_one_attempt().await;
    let receiver = receiver::start().await;
    let failing = subscribe(&service, receiver.url("500")).await;
    let browser = operator(&service).await;
    assert_eq!(
        navigation_count(&browser.page("policies").await.text, &browser).as_deref(),
        Some("")
    );
    for key in ["a", "b", "c"] {
        record_denied(&service, key).await;
    }
    send_due(&service.governance, &delivery_worker(&service.governance)).await;
    assert_eq!(
        navigation_count(&browser.page("policies").await.text, &browser).as_deref(),
        Some("3")
    );
    let viewer = Browser::member(&service, Role::Viewer).await;
    assert_eq!(navigation_count(&viewer.page("policies").await.text, &viewer), None);

    // Deliveries of a deleted webhook cannot be retried and are not counted.
    browser.post("/console/delete-webhook", &format!("id={failing}")).await;
    assert_eq!(
        navigation_count(&browser.page("policies").await.text, &browser).as_deref(),
        Some("")
    );
    service.sql("alter table webhook_deliveries rename to webhook_deliveries_renamed").await;
    let page = browser.page("policies").await;
    assert_eq!((page.status, navigation_count(&page.text, &browser).as_deref()), (200, Some("")));
}
