//! The list of alerts: groups, order, filters, and the alert next to it.

use super::{ACKNOWLEDGE, SNOOZE, alerts, only};
use crate::prelude::*;

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
        let (list, _) = page.split_once("alert-pane").expect("an alert is shown next to the list");
        let mut groups = list.split("class=\"alert-group\"").skip(1);
        groups.find(is_of_rule).expect("the group of the rule").to_owned()
    };
    assert_eq!(list.matches("class=\"alert-group\"").count(), 2, "{list}");
    let amount = group(&list, "Z-AMOUNT");
    assert_contains(
        &amount,
        [
            "Amounts have a limit",
            "2 alerts on this page",
            "amount is 20000, above the maximum of 10000",
            "amount is 20001, above the maximum of 10000",
            "m.lindqvist",
            "svc-contracts",
            "Payments",
        ],
    );
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
    operator
        .shows(
            &format!("alerts/{}", text(&oldest["id"])),
            [
                "amount is 20000, above the maximum of 10000",
                "Amounts have a limit",
                "m.lindqvist",
                "A-PURPOSE, Y-REGION, Z-AMOUNT",
            ],
        )
        .await;
}

#[testkit::test]
async fn alerts_are_listed_by_time_and_one_is_shown_next_to_the_list(service: TestService) {
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
    assert!(list.find(ids[0]) < list.find(ids[2]), "newest first: {list}");

    // The first alert is shown by default. Single keys act only on an alert that the user has chosen.
    let (rows, pane) = list.split_once("alert-pane by-default").expect("the page has a pane");
    let (pane, _) = pane.split_once("</aside>").expect("the pane ends");
    assert!(
        pane.contains(&format!("value=\"{}\"", ids[0])) && pane.contains(ACKNOWLEDGE),
        "{pane}"
    );
    assert!(!pane.contains("data-key") && !pane.contains("Back to the alerts"), "{pane}");
    assert_eq!(rows.matches("name=\"selection[only]\"").count(), 3, "each row has its button");

    // The pane has the facts and the actions of the alert, and links to the adjacent alerts.
    let address = |id: &str| format!("alerts?order=time&page=1&alert={id}");
    let page = operator.page(&address(ids[1])).await.text;
    let (_, pane) = page.split_once("alert-pane").expect("the page has a pane");
    assert_contains(
        pane,
        ["Expected", "Previous alert", "Next alert", ids[0], ids[2], ACKNOWLEDGE],
    );
    assert_eq!(page.matches("tabindex=\"-1\" aria-current=\"true\"").count(), 1, "{page}");
    let own = operator.at(&address(ids[1]));
    operator.post(ACKNOWLEDGE, &only(ids[1], &own)).await.assert_redirects_to(&own);
    let page = operator.shows(&address(ids[1]), ["Alert acknowledged."]).await;
    let (_, pane) = page.split_once("alert-pane").expect("the page has a pane");
    assert!(!pane.contains(ACKNOWLEDGE), "{pane}");

    // A rejected form is reported on the page of the list.
    let own = operator.at(&address(ids[0]));
    operator.post(SNOOZE, &format!("{}&date=soon", only(ids[0], &own))).await;
    operator.shows(&address(ids[0]), ["The date is invalid.", "alert-pane"]).await;
    let unknown = "alerts?alert=00000000-0000-4000-8000-000000000000";
    assert_eq!(operator.page(unknown).await.status, 404);
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.page(&address(ids[0])).await.text;
    assert!(page.contains("alert-pane") && !page.contains("/console/snooze-alerts"), "{page}");
}

#[testkit::test]
async fn alerts_are_filtered_by_the_policy_whose_rules_are_violated(service: TestService) {
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
}
