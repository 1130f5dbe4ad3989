//! The overview page of the console in a browser without JavaScript.

use contract::scope::Role;
use serde_json::json;

use crate::{
    client::texts,
    console_pages::Browser,
    webhooks::{
        delivery_worker, receiver::Receiver, record_denied, send_due, service_with_one_attempt,
        subscribe,
    },
};

async fn overview(browser: &Browser<'_>) -> String {
    let page = browser.at("");
    browser.client("theme=dark").get(page.trim_end_matches('/')).await.text
}

/// Returns the link and the number of the count with this label.
fn count<'p>(page: &'p str, label: &str) -> Option<(&'p str, &'p str)> {
    let (before, _) = page.split_once(label)?;
    let (_, link) = before.rsplit_once("<a href=\"")?;
    let (list, rest) = link.split_once('"')?;
    let number = rest.split_once("<strong>")?.1.split_once(['<', '!'])?.0;
    Some((list, number))
}

#[tokio::test]
async fn each_count_links_to_the_list_of_the_counted_items() {
    let service = service_with_one_attempt().await;
    let receiver = Receiver::start().await;
    subscribe(&service, receiver.url("500")).await;
    record_denied(&service, "a").await;
    record_denied(&service, "b").await;
    send_due(&service.governance, &delivery_worker(&service.governance)).await;
    let submitted = service.submitted("PAY-02").await;
    let in_shadow_mode = service.active("PAY-03").await;
    let ratifier_client = service.ratifier().await;
    ratifier_client
        .patch(in_shadow_mode.policy_path(), &json!({"shadow_mode": true}))
        .await
        .expect(200);
    // The count includes active policies only, so a draft policy in shadow mode is not counted.
    let draft = service.draft("PAY-04").await;
    service.key.patch(draft.policy_path(), &json!({"shadow_mode": true})).await.expect(200);

    let open = service.key.get("/v1/alerts?status=open").await.expect(200)["total"].to_string();
    let ratifier = Browser::member(&service, Role::Ratifier).await;
    let page = overview(&ratifier).await;
    for (label, number, list, rows) in [
        ("Versions that need your action", "1", "inbox", &*submitted.policy),
        ("Unacknowledged alerts", &open, "alerts", "AMOUNT"),
        ("Dead deliveries", "2", "webhooks/deliveries?status=dead", "dead"),
        ("Active policies in shadow mode", "1", "policies?state=shadow", &*in_shadow_mode.policy),
    ] {
        let expected = ratifier.at(list);
        assert_eq!(count(&page, label), Some((&*expected, number)), "{label}: {page}");
        let response = ratifier.page(list).await;
        assert_eq!(response.status, 200, "{list}");
        assert!(response.text.contains(rows), "{list} shows {rows}: {}", response.text);
    }
    let html = ratifier.page("policies?state=shadow").await.text;
    assert!(!html.contains(&submitted.policy) && !html.contains(&draft.policy), "{html}");
    let path = "/v1/policies?shadow_mode=true";
    let policies = service.key.get(path).await.expect(200);
    assert_eq!(texts(&policies, "code"), ["PAY-04", "PAY-03"]);

    // Another role has other pending actions, and sees only counts of pages that it can open.
    let author = Browser::member(&service, Role::Author).await;
    let page = overview(&author).await;
    assert_eq!(count(&page, "Versions that need your action").map(|(_, number)| number), Some("0"));
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = overview(&viewer).await;
    for label in ["Versions that need your action", "Dead deliveries"] {
        assert!(!page.contains(label), "{label}: {page}");
    }
    assert_eq!(count(&page, "Unacknowledged alerts").map(|(_, number)| number), Some(&*open));
}
