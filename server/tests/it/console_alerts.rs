//! Alerts in the console, in a browser without JavaScript.

mod assignment;
mod details;
mod list;
mod selection;

use crate::prelude::*;

async fn alerts(service: &TestService, query: &str) -> Vec<Value> {
    let page = service.key.get(format!("/v1/alerts?{query}")).await.expect(200);
    items(&page).to_vec()
}

/// Returns the fields that select these alerts.
fn of_ids(ids: &[&str]) -> String {
    let fields: Vec<_> = ids.iter().map(|id| ("selection[ids][]", *id)).collect();
    form(&fields)
}

/// Returns the fields of a page of the list that select one alert, and the address of the page.
fn only(id: &str, page: &str) -> String {
    form(&[("selection[only]", id), ("page", page), ("back", page)])
}

/// Returns the fields of a page of the list that select all alerts with this severity, at the time of the page.
fn all_of(page: &str, severity: &str) -> String {
    let at = hidden(page, "selection[at]");
    let severity = ("selection[query][severity]", severity);
    form(&[("selection[all]", "1"), ("selection[at]", &at), severity])
}

/// Returns the hidden fields of the form of a confirmation page.
fn fields(page: &str, action: &str) -> String {
    let form_start = page.find(&format!("action=\"{action}\"")).expect("the page has the form");
    let form_end = page[form_start..].find("</form>").expect("the form ends") + form_start;
    let inputs = page[form_start..form_end].split("<input ").skip(1);
    let hidden_inputs = inputs.filter(|input| input.starts_with("type=\"hidden\""));
    let values = hidden_inputs.map(|input| {
        let input = format!(" {input}");
        ["name", "value"].map(|name| unescape(attribute(&input, name)))
    });
    // `Browser::post` adds the tenant.
    let values: Vec<_> = values.filter(|[name, _]| name != "tenant").collect();
    let pairs: Vec<_> = values.iter().map(|[name, value]| (&**name, &**value)).collect();
    form(&pairs)
}

const ACKNOWLEDGE: &str = "/console/acknowledge-alerts";
const ASSIGN: &str = "/console/assign-alerts";
const SNOOZE: &str = "/console/snooze-alerts";
const UNDO: &str = "/console/undo-alerts";

#[testkit::test]
async fn alerts_are_counted_up_to_one_thousand(service: TestService) {
    let insert = |count: u32| {
        format!(
            "insert into alerts (tenant_id, id, alert_type, severity, message, rule_codes, data, created_at) \
             select tenant_id, gen_random_uuid(), 'policy_violation', 'critical', 'Look.', '{{R-1}}', '{{}}', \
             '2026-08-01'::timestamptz from tenants, generate_series(1, {count}) returning id::text"
        )
    };
    service.sql(&insert(999)).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let inbox = operator.shows("inbox", ["Show all (999)", "999 critical"]).await;
    assert!(!inbox.contains("1,000"), "{inbox}");
    service.sql(&insert(2)).await;
    operator.shows("inbox", ["Show all (1,000+)", "1,000+ critical"]).await;
    let list = service.key.get("/v1/alerts?limit=1&offset=1000").await.expect(200);
    assert_eq!(list["total"], 1_000);
    assert_eq!(list["items"].as_array().expect("a list").len(), 1, "the list continues");
    let counts = format!("/console/live?tenant={}&once=true", service.tenant);
    let counts = operator.client("theme=dark").get(counts).await;
    assert_eq!((counts.status, &*counts.text), (200, "0 0 1000 0"));
}

#[testkit::test]
async fn alerts_are_counted_and_acknowledged_with_html_forms(service: TestService) {
    service.active("PAY-01").await;
    for (key, amount) in [("a", 20_000), ("b", 20_000), ("c", 20_000), ("d", 1)] {
        service.record(key, amount).await;
    }
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page("alerts").await.text;
    assert_eq!(page.matches("name=\"selection[ids][]\"").count(), 4);
    assert!(page.contains("1 to 4 of 4") && page.contains("3 alerts on this page"), "{page}");
    let high = operator.page("alerts?severity=high").await.text;
    assert_eq!(high.matches("name=\"selection[ids][]\"").count(), 3);
    assert!(high.contains("?severity=high&amp;rule=AMOUNT"), "a rule links to its alerts: {high}");
    assert!(operator.page("alerts?rule=NO-SUCH").await.text.contains("Clear filters"));
    let selected = operator.page("alerts?select=page").await.text;
    assert_eq!(selected.matches(" checked").count(), 4);
    assert!(
        operator.page("alerts?severity=bad").await.text.contains("A filter has an invalid value.")
    );

    // Acknowledges two selected alerts, then one with its own button, then none.
    let rows = alerts(&service, "status=open").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let back = operator.at("alerts?page=1");
    let selected = format!("{}&{}", of_ids(&ids[..2]), form(&[("back", &back)]));
    let response = operator.post(ACKNOWLEDGE, &selected).await;
    response.assert_redirects_to(&back);
    assert!(operator.page("alerts?page=1").await.text.contains("2 alerts acknowledged."));
    assert_eq!(alerts(&service, "status=open").await.len(), 2);
    let one = operator.at(&format!("alerts/{}", ids[2]));
    operator.post(ACKNOWLEDGE, &only(ids[2], &one)).await;
    let alert_page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    assert!(
        alert_page.contains("<bdi>operator") && !alert_page.contains("<button data-key=\"e\""),
        "{alert_page}"
    );
    assert!(alert_page.contains("Alert acknowledged.") && !alert_page.contains(UNDO), "final");
    let list = operator.at("alerts");
    let none = operator.post(ACKNOWLEDGE, &form(&[("page", &list), ("back", &list)])).await;
    assert_eq!(none.status, 303);
    assert!(operator.page("alerts").await.text.contains("Select at least one alert."));
    assert_eq!(alerts(&service, "status=open").await.len(), 1);
    let none = operator.page("alerts").await.text;
    assert!(!none.contains("Last alert:"), "one alert is open: {none}");
    let acknowledged = operator.page("alerts?status=acknowledged").await.text;
    assert!(
        acknowledged.contains("1 to 3 of 3") && !acknowledged.contains("selection[ids]"),
        "{acknowledged}"
    );

    operator.post(ACKNOWLEDGE, &only(ids[3], &list)).await;
    let none = operator.page("alerts").await.text;
    assert!(none.contains("No open alerts") && none.contains("Last alert:"));
    assert!(operator.page("alerts?status=snoozed").await.text.contains("Last alert:"));
}
