//! Alerts in the console, in a browser without JavaScript.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{items, text},
    console_pages::{Browser, FORM, attribute, encoded, hidden, unescape},
    service::{TestService, record, request, test_service, user_id},
};

async fn alerts(service: &TestService, query: &str) -> Vec<Value> {
    let page = service.key.get(format!("/v1/alerts?{query}")).await.expect(200);
    items(&page).to_vec()
}

/// Returns the body of a form.
fn form(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
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
    self::form(&pairs)
}

const ACKNOWLEDGE: &str = "/console/acknowledge-alerts";
const ASSIGN: &str = "/console/assign-alerts";
const SNOOZE: &str = "/console/snooze-alerts";
const UNDO: &str = "/console/undo-alerts";

#[tokio::test]
async fn alerts_are_grouped_counted_and_acknowledged_with_html_forms() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for (key, amount) in [("a", 20_000), ("b", 20_000), ("c", 20_000), ("d", 1)] {
        service.record(key, amount).await;
    }
    let operator = Browser::member(&service, Role::Operator).await;
    let page = operator.page("alerts").await.text;
    assert_eq!(page.matches("name=\"selection[ids][]\"").count(), 4);
    assert_eq!(page.matches("class=\"alert-group\"").count(), 2, "grouped by their worst rule");
    assert!(page.contains("1 to 4 of 4") && page.contains("3 alerts on this page"), "{page}");
    let high = operator.page("alerts?severity=high").await.text;
    assert_eq!(high.matches("name=\"selection[ids][]\"").count(), 3);
    assert!(high.contains("?severity=high&amp;rule=AMOUNT"), "a rule links to its alerts: {high}");
    let amount = operator.page("alerts?rule=AMOUNT").await.text;
    assert_eq!(amount.matches("name=\"selection[ids][]\"").count(), 3);
    assert!(!amount.contains("All alerts of this rule"), "the list is that of the rule: {amount}");
    assert!(operator.page("alerts?rule=NO-SUCH").await.text.contains("Clear filters"));
    let all = form(&[("selection[all]", "1"), ("selection[query][rule]", "AMOUNT")]);
    let all = operator.post(&operator.at("alerts/acknowledge"), &all).await.text;
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

    // A viewer sees no buttons and cannot acknowledge.
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.page("alerts").await.text;
    assert!(page.contains(ids[3]) && !page.contains("selection["));
    viewer.post(ACKNOWLEDGE, &only(ids[3], "/")).await;
    assert_eq!(alerts(&service, "status=open").await.len(), 1);

    operator.post(ACKNOWLEDGE, &only(ids[3], &list)).await;
    let none = operator.page("alerts").await.text;
    assert!(none.contains("No open alerts.") && none.contains("Last alert:"));
    assert!(operator.page("alerts?status=snoozed").await.text.contains("Last alert:"));
}

#[tokio::test]
async fn alerts_are_grouped_by_the_worst_violated_rule_and_show_its_value_and_the_actor() {
    let service = test_service().await;
    let policy = json!({
        "code": "PAY-01", "name": "Payments", "decision_types": ["payment"],
        "rules": [
            {
                "code": "A-PURPOSE", "name": "Payments have a purpose", "severity": "medium",
                "rule_type": "presence", "condition": {"required_fields": ["purpose"]},
            },
            {
                "code": "Z-AMOUNT", "name": "Amounts have a limit", "severity": "high",
                "rule_type": "threshold", "condition": {"field": "amount", "max": 10_000},
            },
            {
                "code": "Y-REGION", "severity": "high",
                "rule_type": "presence", "condition": {"forbidden_fields": ["region"]},
            },
        ],
    });
    service.active_policy(&policy).await;
    for (key, amount, actor) in [("a", 20_000, "m.lindqvist"), ("b", 20_001, "svc-contracts")] {
        let mut body = request(key, amount);
        body["actor"] = json!({"id": actor});
        record(&service.key, &body).await;
    }
    record(&service.key, &request("c", 1)).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let list = operator.page("alerts").await.text;
    let group = |page: &str, code: &str| -> String {
        let is_of_rule = |group: &&str| {
            group.split_once("</summary>").is_some_and(|(summary, _)| summary.contains(code))
        };
        let mut groups = page.split("class=\"alert-group\"").skip(1);
        groups.find(is_of_rule).expect("the group of the rule").to_owned()
    };
    assert_eq!(list.matches("class=\"alert-group\"").count(), 2, "{list}");
    let amount = group(&list, "Z-AMOUNT");
    for expected in [
        "Amounts have a limit",
        "2 alerts on this page",
        "amount is 20000, above the maximum of 10000",
        "amount is 20001, above the maximum of 10000",
        "m.lindqvist",
        "svc-contracts",
        "Payments",
    ] {
        assert!(amount.contains(expected), "{expected}: {amount}");
    }
    let (shown, _) = list.split_once("</main>").expect("the page has content");
    assert!(!shown.contains("returned DENY"), "the row says what is wrong: {shown}");
    // Violations with the same severity are ranked in the order of the rules.
    let region = group(&list, "Y-REGION");
    assert!(region.contains("region is present, but must be absent"), "{region}");
    assert!(unescape(&region).contains("\"US\""), "the reason omits the value: {region}");

    // A filter by rule also finds alerts whose worst violation is of another rule, and shows its violation.
    let filtered = operator.page("alerts?rule=A-PURPOSE").await.text;
    let purpose = group(&filtered, "A-PURPOSE");
    assert_eq!(filtered.matches("class=\"alert-group\"").count(), 1, "{filtered}");
    assert_eq!(purpose.matches("purpose is missing").count(), 6, "link and checkbox: {purpose}");
    let all = form(&[("selection[all]", "1"), ("selection[query][rule]", "A-PURPOSE")]);
    let confirmation = operator.post(&operator.at("alerts/acknowledge"), &all).await.text;
    assert!(confirmation.contains("Payments have a purpose"), "{confirmation}");
    assert_eq!(confirmation.matches("purpose is missing").count(), 3, "every affected alert");

    let oldest = alerts(&service, "").await.pop().expect("an alert");
    let page = operator.page(&format!("alerts/{}", text(&oldest["id"]))).await.text;
    for expected in [
        "amount is 20000, above the maximum of 10000",
        "Amounts have a limit",
        "m.lindqvist",
        "A-PURPOSE, Y-REGION, Z-AMOUNT",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

#[tokio::test]
async fn alerts_are_listed_by_time_and_one_is_shown_next_to_the_list() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
        service.clock.advance(1);
    }
    let rows = alerts(&service, "").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let operator = Browser::member(&service, Role::Operator).await;
    let list = operator.page("alerts?severity=high&order=time").await.text;
    assert_eq!(list.matches("class=\"alert-group\"").count(), 1, "{list}");
    assert!(!list.contains("All alerts of this rule"), "{list}");
    assert!(list.contains("?order=time\"") && list.contains("?severity=high\""), "{list}");
    let newest_first = list.find(ids[0]) < list.find(ids[2]);
    assert!(newest_first && !list.contains("alert-pane"), "{list}");

    // The pane has the facts and the actions of the alert, and links to the adjacent alerts.
    let address = |id: &str| format!("alerts?order=time&page=1&alert={id}");
    let page = operator.page(&address(ids[1])).await.text;
    let (_, pane) = page.split_once("alert-pane").expect("the page has a pane");
    for expected in ["Expected", "Previous alert", "Next alert", ids[0], ids[2], ACKNOWLEDGE] {
        assert!(pane.contains(expected), "{expected}: {pane}");
    }
    assert_eq!(page.matches("tabindex=\"-1\" aria-current=\"true\"").count(), 1, "{page}");
    let own = operator.at(&address(ids[1]));
    operator.post(ACKNOWLEDGE, &only(ids[1], &own)).await.assert_redirects_to(&own);
    let page = operator.page(&address(ids[1])).await.text;
    assert!(page.contains("Alert acknowledged."), "{page}");
    let (_, pane) = page.split_once("alert-pane").expect("the page has a pane");
    assert!(!pane.contains(ACKNOWLEDGE), "{pane}");

    // A rejected form is reported on the page of the list.
    let own = operator.at(&address(ids[0]));
    operator.post(SNOOZE, &format!("{}&date=soon", only(ids[0], &own))).await;
    let page = operator.page(&address(ids[0])).await.text;
    assert!(page.contains("The date is invalid.") && page.contains("alert-pane"), "{page}");
    let unknown = "alerts?alert=00000000-0000-4000-8000-000000000000";
    assert_eq!(operator.page(unknown).await.status, 404);
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.page(&address(ids[0])).await.text;
    assert!(page.contains("alert-pane") && !page.contains("/console/snooze-alerts"), "{page}");
}

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
    let list = operator.page("alerts?severity=high").await.text;
    assert!(list.contains("All matching (5)"), "{list}");
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
    assert!(page.text.contains("Acknowledging cannot be undone"), "{}", page.text);
    assert!(!page.text.contains("selection[ids]"), "the form posts the filter: {}", page.text);
    let confirmed = fields(&page.text, ACKNOWLEDGE);
    let response = operator.post(ACKNOWLEDGE, &confirmed).await;
    response.assert_redirects_to(&back);
    let html = operator.page("alerts?severity=high").await.text;
    assert!(html.contains("4 alerts acknowledged."), "{html}");
    assert!(html.contains("1 alert has changed in the meantime."), "{html}");
    let failure = html.split("changed again:").nth(1).expect("the page lists the failures");
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
    assert!(done.text.contains("No alerts selected") && done.text.contains("already acknowledged"));
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

#[tokio::test]
async fn at_most_five_hundred_alerts_are_acknowledged_in_one_request() {
    let service = test_service().await;
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

#[tokio::test]
async fn alerts_are_filtered_by_the_policy_whose_rules_are_violated() {
    let service = test_service().await;
    let rule = |code: &str, severity: &str| {
        json!({
            "code": code, "severity": severity,
            "rule_type": "threshold", "condition": {"field": "amount", "max": 10_000},
        })
    };
    let policy = |code: &str, name: &str, rule: Value| json!({"code": code, "name": name, "decision_types": ["payment"], "rules": [rule]});
    service.active_policy(&policy("PAY-01", "Payments", rule("AMOUNT", "high"))).await;
    service.active_policy(&policy("LIM-01", "Limits", rule("LIMIT", "medium"))).await;
    record(&service.key, &request("a", 20_000)).await;
    let operator = Browser::member(&service, Role::Operator).await;
    let id = service.sql("select id::text from policies where code = 'LIM-01'").await.concat();
    let list = operator.page(&format!("alerts?policy={id}")).await.text;
    assert_eq!(list.matches("name=\"selection[ids][]\"").count(), 1, "{list}");
    let (shown, _) = list.split_once("</main>").expect("the page has content");
    assert!(shown.contains("rule=LIMIT") && !shown.contains("rule=AMOUNT"), "{shown}");
    assert!(shown.contains("Clear filter: Policy"), "{shown}");
    let nothing = format!("alerts?policy={}", "00000000-0000-4000-8000-000000000000");
    assert!(operator.page(&nothing).await.text.contains("No results"));
    // The API has no such filter (contract, section 6).
    let refused = service.key.get(format!("/v1/alerts?policy_id={id}")).await;
    assert_eq!(refused.status, 422, "{refused:?}");
}

#[tokio::test]
async fn assigning_and_snoozing_are_undone_unless_another_person_changed_the_alert() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
    }
    let rows = alerts(&service, "").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let person = service.signed_in_member(Role::Operator).await;
    let person_id = user_id(&person).await;
    let (operator, person_id) = (Browser::new(&service, &person), text(&person_id));
    let back = operator.at("alerts?page=1");
    let assign = format!("{}&{}", of_ids(&ids), form(&[("back", &back), ("assignee", person_id)]));

    operator.post(ASSIGN, &assign).await.assert_redirects_to(&back);
    let page = operator.page("alerts?page=1").await.text;
    assert!(page.contains("3 alerts assigned to operator"), "{page}");
    // Another person acknowledges one and assigns one to another member.
    let other = user_id(&service.signed_in_member(Role::Author).await).await;
    service.clock.advance(1);
    let acknowledge = format!("/v1/alerts/{}/acknowledge", ids[0]);
    service.key.post(acknowledge, &json!({})).await.expect(200);
    let assign = json!({"user_id": other});
    service.key.post(format!("/v1/alerts/{}/assign", ids[1]), &assign).await.expect(200);
    let undo = fields(&page, UNDO);
    operator.post(UNDO, &undo).await.assert_redirects_to(&back);
    let page = operator.page("alerts?page=1").await.text;
    assert!(page.contains("Alert restored."), "{page}");
    assert!(page.contains("2 alerts have changed in the meantime."), "{page}");
    assert!(page.contains("Assigned to author"), "{page}");
    assert!(!page.contains(UNDO), "an undo is not undone: {page}");
    let assigned = alerts(&service, &format!("assigned_to={person_id}")).await;
    assert_eq!(assigned.len(), 1, "the acknowledged alert keeps its assignee");
    operator.post(UNDO, &undo).await;
    assert!(
        operator.page("alerts?page=1").await.text.contains("This action can no longer be undone.")
    );

    // A snooze time is restored, not removed.
    let own = operator.at(&format!("alerts/{}", ids[2]));
    let snooze = |until: &str| format!("{}&until={until}", only(ids[2], &own));
    operator.post(SNOOZE, &snooze("1h")).await;
    let until = alerts(&service, "status=snoozed").await[0]["snoozed_until"].clone();
    operator.post(SNOOZE, &snooze("tomorrow")).await;
    let page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    assert!(page.contains("Alert snoozed until 2 Sep 2026 09:00 UTC."), "{page}");
    operator.post(UNDO, &fields(&page, UNDO)).await.assert_redirects_to(&own);
    assert!(operator.page(&format!("alerts/{}", ids[2])).await.text.contains("Alert restored."));
    assert_eq!(alerts(&service, "status=snoozed").await[0]["snoozed_until"], until);

    // The acknowledgement of another person since the page was loaded is reported, and nothing changes.
    let page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    let opened = format!("{}&assignee={person_id}", fields(&page, ASSIGN));
    service.clock.advance(1);
    service.key.post(format!("/v1/alerts/{}/snooze", ids[2]), &json!({})).await.expect(200);
    operator.post(ASSIGN, &opened).await;
    let page = operator.page(&format!("alerts/{}", ids[2])).await.text;
    assert!(page.contains("1 alert has changed in the meantime."), "{page}");
    assert_eq!(alerts(&service, &format!("assigned_to={person_id}")).await.len(), 1);
}

#[tokio::test]
async fn alerts_are_assigned_and_snoozed_with_html_forms() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b", "c"] {
        service.record(key, 20_000).await;
    }
    let rows = alerts(&service, "").await;
    let ids: Vec<&str> = rows.iter().map(|row| text(&row["id"])).collect();
    let person = service.signed_in_member(Role::Operator).await;
    let person_id = user_id(&person).await;
    let (operator, person_id) = (Browser::new(&service, &person), text(&person_id));

    // Two selected alerts are assigned after a confirmation page.
    let confirmation = operator.at("alerts/assign");
    let back = operator.at("alerts");
    let selected = format!("{}&{}", of_ids(&ids[..2]), form(&[("back", &back)]));
    let page = operator.post(&confirmation, &selected).await.text;
    assert!(page.contains("Assign 2 alerts") && page.contains(person_id), "{page}");
    let list = fields(&page, ASSIGN);
    let assign = format!("{list}&assignee={person_id}");
    operator.post(ASSIGN, &assign).await.assert_redirects_to(&back);
    let page = operator.page("alerts").await.text;
    assert!(page.contains("2 alerts assigned to operator"), "{page}");
    let own = operator.page(&format!("alerts?assignee={person_id}")).await.text;
    assert_eq!(own.matches("name=\"selection[ids][]\"").count(), 2, "{own}");
    operator.post(ASSIGN, &format!("{list}&assignee=")).await;
    assert!(operator.page("alerts").await.text.contains("2 alerts assigned to no one."));

    // One alert is snoozed on its page, and has a tab until its time has passed.
    let own = operator.at(&format!("alerts/{}", ids[0]));
    let one = only(ids[0], &own);
    let tomorrow = format!("{one}&until=tomorrow");
    operator.post(SNOOZE, &tomorrow).await.assert_redirects_to(&own);
    let page = operator.page(&format!("alerts/{}", ids[0])).await.text;
    assert!(page.contains("Snoozed until") && page.contains("2 Sep 2026 09:00 UTC"), "{page}");
    assert!(!operator.page("alerts").await.text.contains(ids[0]));
    let snoozed = operator.page("alerts?status=snoozed").await.text;
    assert!(snoozed.contains(ids[0]) && snoozed.contains("2 Sep 2026 09:00 UTC"), "{snoozed}");
    let all = form(&[("selection[all]", "1"), ("selection[query][status]", "snoozed")]);
    let all = operator.post(&operator.at("alerts/acknowledge"), &all).await.text;
    assert!(all.contains("Acknowledge 1 alert"), "{all}");
    operator.post(SNOOZE, &format!("{one}&until=open")).await;
    assert!(operator.page("alerts").await.text.contains(ids[0]));
    assert!(operator.page("alerts?status=snoozed").await.text.contains("No snoozed alerts."));

    // A rejected date stays on the page of the form.
    for (date, error) in
        [("soon", "The date is invalid."), ("2026-12-01T00:00", "must be at most 30 days from now")]
    {
        let rejected = format!("{one}&until=1h&date={}", encoded(date));
        operator.post(SNOOZE, &rejected).await.assert_redirects_to(&own);
        let page = operator.page(&format!("alerts/{}", ids[0])).await.text;
        assert!(page.contains(error) && page.contains(&format!("value=\"{date}\"")), "{page}");
    }
    let unknown = format!("{one}&assignee=00000000-0000-4000-8000-000000000000");
    operator.post(ASSIGN, &unknown).await.assert_redirects_to(&own);
    let page = operator.page(&format!("alerts/{}", ids[0])).await.text;
    assert!(page.contains("must be the id of an active member"), "{page}");

    // The page of a rejected form shows the error and the same selection.
    let page = operator.at("alerts/snooze");
    let snooze = fields(&operator.post(&page, &selected).await.text, SNOOZE);
    operator.post(SNOOZE, &format!("{snooze}&date=soon")).await.assert_redirects_to(&page);
    let rejected = operator.page("alerts/snooze").await.text;
    assert!(rejected.contains("The date is invalid.") && rejected.contains("Snooze 2 alerts"));
    assert_eq!(fields(&rejected, SNOOZE), snooze);

    // An alert that another user has acknowledged is reported and stays unchanged.
    let path = format!("/v1/alerts/{}/acknowledge", ids[1]);
    service.key.post(path, &json!({})).await.expect(200);
    operator.post(SNOOZE, &format!("{snooze}&until=4h")).await;
    let page = operator.page("alerts").await.text;
    assert!(page.contains("Alert snoozed until 1 Sep 2026 14:00 UTC."), "{page}");
    assert!(page.contains("1 alert has changed in the meantime."), "{page}");
    assert_eq!(alerts(&service, "status=snoozed").await.len(), 1);

    // A viewer sees the assignee, and can neither open the pages nor send the forms.
    let viewer = Browser::member(&service, Role::Viewer).await;
    assert_eq!(viewer.post(&confirmation, &selected).await.status, 403);
    assert!(!viewer.page(&format!("alerts/{}", ids[2])).await.text.contains("-alerts\""));
    viewer.post(ASSIGN, &format!("{}&assignee={person_id}", only(ids[2], "/"))).await;
    assert_eq!(alerts(&service, &format!("assigned_to={person_id}")).await.len(), 0);
}
