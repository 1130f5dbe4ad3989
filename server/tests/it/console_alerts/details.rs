//! What the page of an alert and the alert next to the list show.

use super::{ASSIGN, SNOOZE, alerts, only};
use crate::{
    prelude::*,
    webhooks::{deliveries, record_denied, service_with_webhooks, subscribe},
};

#[tokio::test]
async fn an_alert_shows_its_verdict_its_deliveries_and_its_history() {
    let service = service_with_webhooks().await;
    subscribe(&service, "https://1.1.1.1/hook".to_owned()).await;
    record_denied(&service, "k").await;
    let rows = alerts(&service, "").await;
    let (id, decision) = (text(&rows[0]["id"]), text(&rows[0]["decision_id"]));
    let person = service.signed_in_member(Role::Operator).await;
    let person_id = user_id(&person).await;
    let operator = Browser::new(&service, &person);
    let own = operator.at(&format!("alerts/{id}"));
    let one = only(id, &own);
    for (action, value) in [
        (ASSIGN, format!("assignee={}", text(&person_id))),
        (SNOOZE, "until=tomorrow".to_owned()),
        (SNOOZE, "until=open".to_owned()),
    ] {
        operator.post(action, &format!("{one}&{value}")).await.assert_redirects_to(&own);
        service.clock.advance(1);
    }
    let delivery = deliveries(&service, "").await;
    let delivery = operator.at(&format!("webhooks/deliveries/{}", text(&delivery[0]["id"])));
    for page in [format!("alerts/{id}"), "alerts".to_owned(), format!("alerts?alert={id}")] {
        let html = operator.page(&page).await.html();
        let (main, _) = html.split_once("</main>").expect("the page has content");
        for expected in ["DENY", &decision[..8], "1.1.1.1/hook", &delivery, "Pending"] {
            assert!(main.contains(expected), "{page}: {expected}: {main}");
        }
        let (_, history) = main.split_once("class=\"timeline\"").expect("a history");
        let positions =
            ["Created", "Assigned to", "Snoozed until 2 Sep 2026 09:00 UTC", "Opened again"]
                .map(|event| history.find(event).unwrap_or_else(|| panic!("{event}: {history}")));
        assert!(positions.is_sorted(), "{history}");
    }

    // A viewer sees the history, but no deliveries.
    let viewer = Browser::member(&service, Role::Viewer).await;
    let html = viewer.page(&format!("alerts/{id}")).await.html();
    assert!(html.contains("Opened again") && !html.contains("1.1.1.1"), "{html}");
}
