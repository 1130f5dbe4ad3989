//! Acknowledging several alerts.

use super::{ACKNOWLEDGE, alerts, all_of, fields, of_ids};
use crate::prelude::*;

#[tokio::test]
async fn the_alerts_that_matched_at_the_time_of_the_page_are_acknowledged_and_each_failure_is_reported()
 {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c", "d", "e"] {
        service.record(key, 20_000).await;
    }
    service.record("mild", 1).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let list = operator.shows("alerts?severity=high", ["All matching (5)"]).await;
    let back = operator.at("alerts?severity=high");
    let selected = format!("{}&{}", all_of(&list, "high"), form(&[("back", &back)]));

    // After the page was loaded, another alert is created and another user acknowledges one of the five.
    let open = alerts(&service, "status=open&severity=high").await;
    let taken = text(&open[2]["id"]);
    service.clock.advance(1);
    service.record("newer", 20_000).await;
    let first = service.signed_in_member(Role::Reviewer).await;
    first.post(format!("/v1/alerts/{taken}/acknowledge"), &json!({})).await.expect(200);

    let page = operator.post(&operator.at("alerts/acknowledge"), &selected).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Acknowledge 4 alerts"), "{}", page.text);
    assert!(page.text.contains("1 alert of your selection is acknowledged"), "{}", page.text);
    let notice =
        "Only the alerts listed here will be acknowledged. Acknowledging cannot be undone.";
    assert!(page.html().contains(notice), "{}", page.html());
    assert!(!page.text.contains("selection[ids]"), "the form posts the filter: {}", page.text);
    let confirmed = fields(&page.text, ACKNOWLEDGE);
    let response = operator.post(ACKNOWLEDGE, &confirmed).await;
    response.assert_redirects_to(&back);
    let html = operator.shows("alerts?severity=high", ["4 alerts acknowledged."]).await;
    assert!(html.contains("1 alert was already acknowledged by someone else:"), "{html}");
    let failure = html.split("by someone else:").nth(1).expect("the page lists the failures");
    let failure = failure.split("</ul>").next().expect("the page lists the failures");
    assert!(
        failure.contains(taken) && failure.contains("amount is 20000, above the maximum"),
        "{failure}"
    );
    assert!(failure.contains("reviewer"), "the page names the other user: {failure}");
    assert!(
        !operator.page("alerts?severity=high").await.text.contains("acknowledged."),
        "the notice is shown once"
    );
    assert_eq!(alerts(&service, "status=open&severity=high").await.len(), 1, "the newer one");
    assert_eq!(alerts(&service, "status=open").await.len(), 2);
    let events = service.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(items(&events).len(), 5, "one event per alert");

    // A second submission reports the same result and changes nothing.
    operator.post(ACKNOWLEDGE, &confirmed).await;
    assert!(operator.page("alerts?severity=high").await.text.contains("4 alerts acknowledged."));
    let events = service.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(items(&events).len(), 5);
}

#[tokio::test]
async fn a_posted_selection_is_shown_before_it_is_acknowledged_and_is_in_no_address() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
    }
    let other = service.other_tenant().await;
    let operator = Browser::member(&service, Role::Operator).await;
    let rows = alerts(&service, "status=open").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let acknowledge = format!("/v1/alerts/{}/acknowledge", ids[0]);
    service.key.post(acknowledge, &json!({})).await.expect(200);
    let confirmation = operator.at("alerts/acknowledge");
    let page = operator.post(&confirmation, &of_ids(&[ids[0], ids[1], ids[2], "x"])).await.text;
    assert!(page.contains("Acknowledge 2 alerts"), "{page}");
    assert!(page.contains("1 alert of your selection is acknowledged"), "{page}");
    let own = fields(&page, ACKNOWLEDGE);
    assert!(own.contains(&encoded(ids[1])) && !own.contains(&encoded(ids[0])), "{own}");
    let done = operator.post(&confirmation, &of_ids(&[ids[0]])).await;
    assert!(
        done.text.contains("No open alerts are selected. They may already have been acknowledged.")
    );
    let invalid = [("selection[all]", "1"), ("selection[query][severity]", "bad")];
    let invalid = operator.post(&confirmation, &form(&invalid)).await.text;
    assert!(
        invalid.contains("A filter has an invalid value.") && !invalid.contains(ACKNOWLEDGE),
        "{invalid}"
    );

    // A page that is requested without a selection, also with one in its address, leads back to the list.
    for page in ["acknowledge", "assign", "snooze"] {
        let address = format!("alerts/{page}?selection%5Bids%5D%5B%5D={}", ids[1]);
        let page = operator.page(&address).await;
        let (shown, _) = page.text.split_once("</main>").expect("the page has content");
        assert!(page.status == 200 && shown.contains("No alerts selected"), "{shown}");
        assert!(shown.contains(&format!("href=\"{}\"", operator.at("alerts"))), "{shown}");
        assert!(!shown.contains("selection["), "{shown}");
    }

    // Alerts of another tenant are not found, on the page and in the form.
    let other_admin = other.admin.cookie().expect("a signed-in user has a cookie");
    let other_admin = service.public.with("accept", "text/html").with("cookie", other_admin);
    let other_admin = other_admin.with("sec-fetch-site", "same-origin");
    let other_path = format!("/t/{}/alerts/acknowledge", other.tenant);
    let foreign = other_admin.call("POST", other_path).body(FORM, of_ids(&ids)).await;
    assert!(foreign.text.contains("No alerts selected"), "{}", foreign.text);
    let back = format!("/t/{}/alerts", other.tenant);
    let foreign = form(&[("tenant", &other.tenant.to_string()), ("back", &back)]);
    let foreign = format!("{foreign}&{}", of_ids(&[ids[1]]));
    let response = other_admin.call("POST", ACKNOWLEDGE).body(FORM, foreign).await;
    assert_eq!(response.header("location"), Some(&*back));
    assert!(other_admin.get(back).await.text.contains("1 alert not found."));
    assert_eq!(alerts(&service, "status=open").await.len(), 2);

    // The role is checked independently of the form, and another site cannot post it.
    let auditor = Browser::member(&service, Role::Auditor).await;
    assert_eq!(auditor.post(&confirmation, &of_ids(&ids)).await.status, 403);
    auditor.post(ACKNOWLEDGE, &own).await;
    let foreign = operator.client("theme=dark").without("sec-fetch-site");
    let foreign = foreign.with("sec-fetch-site", "cross-site");
    let foreign = foreign.call("POST", &*confirmation).body(FORM, of_ids(&ids)).await;
    assert_eq!(foreign.status, 403);
    assert_eq!(alerts(&service, "status=open").await.len(), 2);
    operator.post(ACKNOWLEDGE, &own).await;
    assert_eq!(alerts(&service, "status=open").await.len(), 0);
}

#[testkit::test]
async fn at_most_five_hundred_alerts_are_acknowledged_in_one_request(service: TestService) {
    let insert = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'governance_change', 'high', 'Look.', '{}', \
                 '2026-08-01'::timestamptz from tenants, generate_series(1, 620) returning id::text";
    let all = service.sql(insert).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let list = operator.page("alerts").await.text;
    let back = operator.at("alerts");
    let selected = format!("{}&{}", all_of(&list, ""), form(&[("back", &back)]));
    let page = operator.post(&operator.at("alerts/acknowledge"), &selected).await.text;
    assert!(page.contains("Acknowledge 500 alerts") && page.contains("120 more match"), "{page}");
    let response = operator.post(ACKNOWLEDGE, &fields(&page, ACKNOWLEDGE)).await;
    assert_eq!(response.status, 303, "{response:?}");
    let list = operator.page("alerts").await.text;
    assert!(list.contains("500 alerts acknowledged.") && list.contains("All matching (120)"));
    service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);

    let many: Vec<&str> = all[..501].iter().map(String::as_str).collect();
    let many = form(&[("selection[ids][]", &many.join(",")), ("page", &back), ("back", &back)]);
    operator.post(ACKNOWLEDGE, &many).await;
    assert!(operator.page("alerts").await.text.contains("up to 500 alerts at a time"));
    assert!(operator.page("alerts").await.text.contains("All matching (120)"));
}
