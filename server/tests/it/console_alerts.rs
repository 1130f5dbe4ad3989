//! Alerts in the console, in a browser without JavaScript.

use contract::scope::Role;
use serde_json::Value;

use crate::{
    client::{TestResponse, items, text},
    console_pages::{Browser, FORM, attribute},
    service::{TestService, test_service},
};

async fn alerts(service: &TestService, query: &str) -> Vec<Value> {
    let page = service.key.get(format!("/v1/alerts?{query}")).await.expect(200);
    items(&page).to_vec()
}

#[tokio::test]
async fn alerts_are_grouped_counted_and_acknowledged_with_html_forms() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for (key, amount) in [("a", 20_000), ("b", 20_000), ("c", 20_000), ("d", 1)] {
        service.record(key, amount).await;
    }
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page("alerts").await.text;
    assert_eq!(page.matches("name=\"ids[]\"").count(), 4);
    assert_eq!(page.matches("scope=\"rowgroup\"").count(), 2, "grouped by their first rule");
    assert!(page.contains("1 to 4 of 4") && page.contains("3 alerts on this page"), "{page}");
    let high = operator.page("alerts?severity=high").await.text;
    assert_eq!(high.matches("name=\"ids[]\"").count(), 3);
    assert!(high.contains("?severity=high&amp;rule=AMOUNT"), "a rule links to its alerts: {high}");
    let amount = operator.page("alerts?rule=AMOUNT").await.text;
    assert_eq!(amount.matches("name=\"ids[]\"").count(), 3);
    assert!(operator.page("alerts?rule=NO-SUCH").await.text.contains("Clear filters"));
    let all = operator.page("alerts/acknowledge?all=1&rule=AMOUNT").await.text;
    assert!(all.contains("Acknowledge 3 alerts"), "{all}");
    let selected = operator.page("alerts?select=page").await.text;
    assert_eq!(selected.matches(" checked").count(), 4);
    assert!(
        operator.page("alerts?severity=bad").await.text.contains("A filter has an invalid value.")
    );

    // Acknowledges two selected alerts, then one with its own button, then none.
    let rows = alerts(&service, "status=open").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let back = operator.at("alerts?page=1");
    let form =
        format!("back={}&ids%5B%5D={}&ids%5B%5D={}", back.replace('?', "%3F"), ids[0], ids[1]);
    let path = "/console/acknowledge-alerts";
    let response = operator.post(path, &form).await;
    response.assert_redirects_to(&back);
    assert_eq!(alerts(&service, "status=open").await.len(), 2);
    let one = operator.at(&format!("alerts/{}", ids[2]));
    operator.post(path, &format!("back={one}&only={}", ids[2])).await;
    let alert_page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    assert!(
        alert_page.contains("<bdi>operator") && !alert_page.contains("<button data-key=\"e\""),
        "{alert_page}"
    );
    let none = operator.post(path, &format!("back={}", operator.at("alerts"))).await;
    assert_eq!(none.status, 303);
    assert!(operator.page("alerts").await.text.contains("Select at least one alert."));
    assert_eq!(alerts(&service, "status=open").await.len(), 1);
    let none = operator.page("alerts").await.text;
    assert!(!none.contains("Last alert:"), "one alert is open: {none}");
    let acknowledged = operator.page("alerts?status=acknowledged").await.text;
    assert!(
        acknowledged.contains("1 to 3 of 3") && !acknowledged.contains("ids[]"),
        "{acknowledged}"
    );

    // A viewer sees no buttons and cannot acknowledge.
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.page("alerts").await.text;
    assert!(page.contains(ids[3]) && !page.contains("ids[]") && !page.contains("name=\"only\""));
    viewer.post(path, &format!("back=/&only={}", ids[3])).await;
    assert_eq!(alerts(&service, "status=open").await.len(), 1);

    operator.post(path, &format!("back={}&only={}", operator.at("alerts"), ids[3])).await;
    let none = operator.page("alerts").await.text;
    assert!(none.contains("No unacknowledged alerts.") && none.contains("Last alert:"));
}

/// Returns the alert IDs in the form of the confirmation page.
fn form_ids(page: &str) -> Vec<&str> {
    let form = page.split_once("name=\"ids[]\"").expect("the form contains IDs").1;
    attribute(form, "value").split(',').collect()
}

async fn submit(browser: &Browser<'_>, page: &str, back: &str) -> TestResponse {
    let back = back.replace('?', "%3F").replace('=', "%3D");
    let form = format!("ids%5B%5D={}&back={back}", form_ids(page).join("%2C"));
    browser.post("/console/acknowledge-alerts", &form).await
}

#[tokio::test]
async fn exactly_the_counted_alerts_are_acknowledged_and_each_failure_is_reported() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c", "d", "e"] {
        service.record(key, 20_000).await;
    }
    service.record("mild", 1).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let list = operator.page("alerts?severity=high").await.text;
    assert!(list.contains("All matching (5)"), "{list}");

    let page = operator.page("alerts/acknowledge?all=1&severity=high").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Acknowledge 5 alerts"), "{}", page.text);
    assert!(
        page.text.contains("Acknowledging cannot be undone")
            && page.text.contains("listed here will be acknowledged")
    );
    let ids = form_ids(&page.text);
    assert_eq!(ids.len(), 5);
    // Another alert is created, and another user acknowledges one of the five.
    service.record("newer", 20_000).await;
    let first = service.signed_in_member(Role::Reviewer).await;
    let path = format!("/v1/alerts/{}/acknowledge", ids[2]);
    let acknowledged = first.post(path, &serde_json::json!({})).await.expect(200);

    let back = operator.at("alerts?severity=high");
    let response = submit(&operator, &page.text, &back).await;
    response.assert_redirects_to(&back);
    let html = operator.page("alerts?severity=high").await.text;
    assert!(html.contains("4 alerts acknowledged."), "{html}");
    assert!(html.contains("1 alert was already acknowledged by someone else:"), "{html}");
    let failure = html.split("by someone else:").nth(1).expect("the page lists the failures");
    let failure = failure.split("</ul>").next().expect("the page lists the failures");
    assert!(
        failure.contains(ids[2]) && failure.contains(text(&acknowledged["message"])),
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
    submit(&operator, &page.text, &back).await;
    assert!(operator.page("alerts?severity=high").await.text.contains("4 alerts acknowledged."));
    let events = service.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(items(&events).len(), 5);
}

#[tokio::test]
async fn selected_alerts_are_counted_before_they_are_acknowledged() {
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
    service.key.post(acknowledge, &serde_json::json!({})).await.expect(200);
    let confirmation_path = |ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|id| format!("ids%5B%5D={id}")).collect();
        format!("alerts/acknowledge?tenant=x&back=y&{}", ids.join("&"))
    };
    let page = operator.page(&confirmation_path(&[ids[0], ids[1], ids[2], "x"])).await.text;
    assert!(page.contains("Acknowledge 2 alerts"), "{page}");
    assert!(page.contains("1 alert of your selection was already acknowledged."), "{page}");
    for empty in
        [confirmation_path(&[ids[0]]), confirmation_path(&[]), "alerts/acknowledge".to_owned()]
    {
        let page = operator.page(&empty).await;
        assert!(page.status == 200 && page.text.contains("Nothing to acknowledge"), "{empty}");
        assert!(!page.text.contains("ids[]"), "{empty}");
    }
    let invalid = operator.page("alerts/acknowledge?all=1&severity=bad").await.text;
    assert!(
        invalid.contains("A filter has an invalid value.") && !invalid.contains("ids[]"),
        "{invalid}"
    );

    // Alerts of another tenant are not found, on the page and in the form.
    let other_admin = other.admin.cookie().expect("a signed-in user has a cookie");
    let other_admin = service.public.with("accept", "text/html").with("cookie", other_admin);
    let other_admin = other_admin.with("sec-fetch-site", "same-origin");
    let other_path = format!("/t/{}/{}", other.tenant, confirmation_path(&ids));
    assert!(other_admin.get(other_path).await.text.contains("Nothing to acknowledge"));
    let back = format!("/t/{}/alerts", other.tenant);
    let form = format!("tenant={}&ids%5B%5D={}&back={back}", other.tenant, ids[1]);
    let path = "/console/acknowledge-alerts";
    let response = other_admin.call("POST", path).body(FORM, form).await;
    assert_eq!(response.header("location"), Some(&*back));
    assert!(other_admin.get(back).await.text.contains("1 alert not found."));
    assert_eq!(alerts(&service, "status=open").await.len(), 2);

    // The role is checked independently of the form.
    let auditor = Browser::member(&service, Role::Auditor).await;
    assert_eq!(auditor.page(&confirmation_path(&ids)).await.status, 403);
    submit(&auditor, &page, &auditor.at("alerts")).await;
    assert_eq!(alerts(&service, "status=open").await.len(), 2);
    submit(&operator, &page, &operator.at("alerts")).await;
    assert_eq!(alerts(&service, "status=open").await.len(), 0);
}

#[tokio::test]
async fn at_most_five_hundred_alerts_are_acknowledged_in_one_request() {
    let service = test_service().await;
    let insert = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'governance_change', 'high', 'Look.', '{}', now() \
                 from tenants, generate_series(1, 620) returning id::text";
    let all = service.sql(insert).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page("alerts/acknowledge?all=1").await.text;
    assert!(page.contains("Acknowledge 500 alerts") && page.contains("120 more match"), "{page}");
    let response = submit(&operator, &page, &operator.at("alerts")).await;
    assert_eq!(response.status, 303, "{response:?}");
    let list = operator.page("alerts").await.text;
    assert!(list.contains("500 alerts acknowledged.") && list.contains("All matching (120)"));
    service.key.post("/v1/audit-log/verify", &serde_json::json!({})).await.expect(200);

    let form = format!("ids%5B%5D={}&back={}", all[..501].join("%2C"), operator.at("alerts"));
    operator.post("/console/acknowledge-alerts", &form).await;
    assert!(operator.page("alerts").await.text.contains("up to 500 alerts at a time"));
    assert!(operator.page("alerts").await.text.contains("All matching (120)"));
}
