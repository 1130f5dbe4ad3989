//! Deliveries: shown as they were sent, tried again, and counted in the navigation.

use contract::scope::Role;
use governance::notify::webhook::DeliveryResult;
use serde_json::json;

use super::{operator, readable, tries_once};
use crate::{
    client::text,
    console_pages::{Browser, encoded},
    webhooks::{deliveries, denied, mailer, ready, receiver::Receiver, subscribed, work},
};

/// Retries these deliveries from a page, and gives what the page says then.
async fn retried(browser: &Browser<'_>, page: &str, ids: &[&str]) -> String {
    let back = browser.at(page);
    let ids = ids.iter().map(|id| format!("&ids%5B%5D={id}")).collect::<Vec<_>>().concat();
    let form = format!("back={}{ids}", encoded(&back));
    let answer = browser.post("/console/retry-deliveries", &form).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*back)), "{answer:?}");
    browser.page(page).await.text
}

#[tokio::test]
async fn a_delivery_shows_exactly_what_was_sent_and_never_the_secret() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let draft = json!({"url": receiver.url("500"), "severity_min": "low"});
    let made = world.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    denied(&world, "k").await;
    let sender = mailer(&world.governance);
    work(&world.governance, &sender).await;
    world.clock.advance(2_000);
    work(&world.governance, &sender).await;
    let [delivery] = &*deliveries(&world, "").await else { panic!("one was queued") };
    let (id, alert) = (text(&delivery["id"]), text(&delivery["alert_id"]));
    let browser = operator(&world).await;
    let page = readable(&browser.page(&format!("webhooks/deliveries/{id}")).await.text);
    let calls = receiver.calls();
    let call = calls.last().expect("it was called");
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
    assert!(page.contains("The receiver answered 500."), "{page}");
    assert!(page.contains(&format!("href=\"{}\"", browser.at(&format!("alerts/{alert}")))));
    assert!(!page.contains(text(&made["secret"])), "{page}");

    // Once the webhook is deleted nobody can tell the signature any more.
    let subscription = format!("id={}", text(&made["subscription"]["id"]));
    browser.post("/console/delete-webhook", &subscription).await;
    let page = browser.page(&format!("webhooks/deliveries/{id}")).await.text;
    for said in ["Deleted webhook", "Its webhook was deleted", "Timestamp and signature are made"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let said = retried(&browser, "webhooks/deliveries", &[id]).await;
    assert!(said.contains("Its subscription was deleted."), "{said}");
    let missing = "webhooks/deliveries/00000000-0000-4000-8000-000000000000";
    assert_eq!(browser.page(missing).await.status, 404);
}

#[tokio::test]
async fn what_is_dead_is_retried_and_what_is_refused_is_told_by_row() {
    let world = ready().await;
    tries_once(&world);
    let receiver = Receiver::start().await;
    let failing = subscribed(&world, receiver.url("500")).await;
    subscribed(&world, receiver.url("ok")).await;
    for key in ["a", "b", "c"] {
        denied(&world, key).await;
    }
    let sender = mailer(&world.governance);
    work(&world.governance, &sender).await;
    let browser = operator(&world).await;
    let page = browser.page("webhooks/deliveries").await.text;
    assert_eq!(page.matches("name=\"ids[]\"").count(), 3, "{page}");
    assert!(page.contains("1 of 1") && page.contains("The receiver answered 500."), "{page}");
    let dead_page = format!("webhooks/deliveries?status=dead&webhook={failing}");
    let ticked = browser.page(&format!("{dead_page}&select=page")).await.text;
    assert_eq!(ticked.matches(" checked").count(), 3);
    assert!(browser.page("webhooks/deliveries?status=lost").await.text.contains("does not know"));
    let pending = browser.page("webhooks/deliveries?status=pending").await.text;
    assert!(pending.contains("Nothing matches"), "{pending}");

    let dead = deliveries(&world, "?status=dead").await;
    let dead: Vec<&str> = dead.iter().map(|own| text(&own["id"])).collect();
    let taken = deliveries(&world, "?status=delivered").await[0].clone();
    let said = retried(&browser, &dead_page, &[dead[0], text(&taken["id"]), dead[1]]).await;
    for part in [
        "2 deliveries are tried again.",
        "The receiver has taken this delivery.",
        "ALREADY_DELIVERED",
        text(&taken["id"]),
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(deliveries(&world, "?status=pending").await.len(), 2);
    assert!(!browser.page(&dead_page).await.text.contains("tried again."), "it is told once");
    let said = retried(&browser, &dead_page, &[dead[0]]).await;
    assert!(said.contains("No delivery is tried again.") && said.contains("STILL_PENDING"));
    for ids in [vec![], vec!["nothing"]] {
        let said = retried(&browser, &dead_page, &ids).await;
        assert!(said.contains("Tick 1 to 50 deliveries."), "{said}");
    }

    // All that are dead, since a moment or ever.
    let back = browser.at(&dead_page);
    for (since, part) in [
        ("soon", "Queued since: give a date and time"),
        ("2100-01-01T00:00", "No delivery is tried again."),
        ("", "1 delivery is tried again."),
    ] {
        let form = format!("back={}&webhook={failing}&since={since}", encoded(&back));
        let answer = browser.post("/console/redrive-deliveries", &form).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(&*back)), "{since}");
        let page = browser.page(&dead_page).await.text;
        assert!(page.contains(part), "{part}: {page}");
        assert_eq!(page.contains("value=\"soon\""), since == "soon", "{page}");
    }
    let ended = work(&world.governance, &sender).await;
    assert_eq!(
        ended.iter().filter(|sent| matches!(sent, DeliveryResult::Dead(_))).count(),
        3,
        "{ended:?}"
    );
}

/// What the navigation says beside the link to the webhooks: nothing where there is no link.
fn beside(page: &str, browser: &Browser<'_>) -> Option<String> {
    let (_, link) = page.split_once(&format!("href=\"{}\"", browser.at("webhooks")))?;
    let (link, _) = link.split_once("</a>")?;
    let number = link.split_once("text-muted\">").and_then(|(_, rest)| rest.split_once('<'));
    Some(number.map_or(String::new(), |(number, _)| number.to_owned()))
}

#[tokio::test]
async fn the_navigation_counts_what_is_dead_and_stands_without_the_count() {
    let world = ready().await;
    tries_once(&world);
    let receiver = Receiver::start().await;
    let failing = subscribed(&world, receiver.url("500")).await;
    let browser = operator(&world).await;
    assert_eq!(beside(&browser.page("policies").await.text, &browser).as_deref(), Some(""));
    for key in ["a", "b", "c"] {
        denied(&world, key).await;
    }
    work(&world.governance, &mailer(&world.governance)).await;
    assert_eq!(beside(&browser.page("policies").await.text, &browser).as_deref(), Some("3"));
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    assert_eq!(beside(&viewer.page("policies").await.text, &viewer), None);

    // What a deleted webhook left can be retried by nobody, and is not counted.
    browser.post("/console/delete-webhook", &format!("id={failing}")).await;
    assert_eq!(beside(&browser.page("policies").await.text, &browser).as_deref(), Some(""));
    world.sql("alter table webhook_deliveries rename to put_away").await;
    let page = browser.page("policies").await;
    assert_eq!((page.status, beside(&page.text, &browser).as_deref()), (200, Some("")));
}
