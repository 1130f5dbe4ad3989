//! Alerts: creation, lists, acknowledgement, assignment and snoozing.

use std::collections::BTreeSet;

use crate::prelude::*;

/// Returns the page of alerts for a query string.
async fn list_alerts(service: &TestService, query: &str) -> Value {
    service.key.get(format!("/v1/alerts{query}")).await.expect(200)
}

/// A service with an active policy and this many denied payments.
async fn with_denied_payments(payments: usize) -> TestService {
    let service = test_service().await;
    service.active("PAY-01").await;
    for number in 0..payments {
        service.record(&format!("k{number}"), 20_000).await;
    }
    service
}

#[tokio::test]
async fn a_decision_creates_one_alert_for_its_worst_violation() {
    let service = with_denied_payments(0).await;
    let reviewed = service.record("reviewed", 1).await;
    let denied = service.record("denied", 20_000).await;
    // A repeated request returns the same decision and creates no alert.
    service.key.post("/v1/decisions/record", &request("denied", 20_000)).await.expect(200);
    let page = list_alerts(&service, "").await;
    let id = text(&denied["id"]);
    assert_eq!(
        (&page["total"], &page["limit"], &page["offset"]),
        (&json!(2), &json!(50), &json!(0))
    );
    let expected = json!({
        "id": page["items"][0]["id"], "tenant_id": service.tenant, "alert_type": "policy_violation",
        "severity": "high", "message": format!("Policy PAY-01 returned DENY for decision {id}."),
        "created_at": NOW, "decision_id": id, "data": {
            "policy_code": "PAY-01", "rule_codes": ["AMOUNT", "PURPOSE"],
            "decision_type": "payment", "correlation_id": denied["correlation_id"],
        },
    });
    assert_eq!(page["items"][0], expected);
    assert_eq!(page["items"][1]["decision_id"], reviewed["id"]);
    assert_eq!(page["items"][1]["severity"], "medium");
    let path = format!("/v1/alerts/{}", text(&expected["id"]));
    assert_eq!(service.key.get(path).await.expect(200), expected);

    // Violations below the minimum severity and allowed decisions create no alert.
    service.key.patch("/v1/settings", &json!({"alert_min_severity": "high"})).await.expect(200);
    service.record("low", 1).await;
    let mut allowed = request("allowed", 1);
    allowed["context"]["fields"]["purpose"] = "rent".into();
    service.key.post("/v1/decisions/record", &allowed).await.expect(201);
    // The change of the setting by an API key creates a governance alert.
    assert_eq!(list_alerts(&service, "").await["total"], 3);
    assert_eq!(list_alerts(&service, "?alert_type=governance_change").await["total"], 1);

    // A violation in shadow mode denies nothing and creates an alert.
    let policies = service.key.get("/v1/policies").await.expect(200);
    let policy = format!("/v1/policies/{}", text(&policies["items"][0]["id"]));
    let shadow = json!({"shadow_mode": true});
    service.ratifier().await.patch(policy, &shadow).await.expect(200);
    let shadowed = service.record("shadowed", 20_000).await;
    let page = list_alerts(&service, "?alert_type=shadow_violation").await;
    assert_eq!((&page["total"], &page["items"][0]["severity"]), (&json!(1), &json!("high")));
    assert_eq!(page["items"][0]["decision_id"], shadowed["id"]);
    assert!(text(&page["items"][0]["message"]).starts_with("Policy PAY-01 returned ALERT for "));
}

#[tokio::test]
async fn alerts_are_filtered_and_paginated() {
    let service = with_denied_payments(5).await;
    service.record("low", 1).await;
    let mut ids = BTreeSet::new();
    for offset in [0, 2, 4, 6] {
        let page = list_alerts(&service, &format!("?limit=2&offset={offset}")).await;
        assert_eq!((&page["total"], &page["offset"]), (&json!(6), &json!(offset)));
        ids.extend(texts(&page, "id"));
    }
    assert_eq!(ids.len(), 6);
    let count = async |query: &str| list_alerts(&service, query).await["total"].clone();
    assert_eq!(count("?severity=high").await, 5);
    assert_eq!(count("?severity=medium&status=open&alert_type=policy_violation").await, 1);
    assert_eq!(count("?status=acknowledged").await, 0);
    assert_eq!(count("?alert_type=webhook_dead").await, 0);
    assert_eq!(count("?rule_code=AMOUNT").await, 5);
    assert_eq!(count("?rule_code=PURPOSE").await, 6);
    assert_eq!(count("?rule_code=PURPOSE&severity=medium").await, 1);
    assert_eq!(count("?rule_code=purpose").await, 0, "codes are compared by bytes");
    let neighbour = service.other_tenant().await;
    assert_eq!(neighbour.key.get("/v1/alerts").await.expect(200)["total"], 0);
    let id = ids.first().expect("an alert");
    let foreign = neighbour.key.get(format!("/v1/alerts/{id}")).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
    let foreign = neighbour.key.post(format!("/v1/alerts/{id}/acknowledge"), &json!({})).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn repeated_acknowledgements_return_the_first_one() {
    let service = with_denied_payments(1).await;
    let alert = list_alerts(&service, "").await["items"][0].clone();
    let path = format!("/v1/alerts/{}/acknowledge", text(&alert["id"]));
    let operator = service.signed_in_member(Role::Operator).await;
    let first = operator.post(&path, &json!({})).await.expect(200);
    assert_eq!(first["acknowledged_at"], NOW);
    let session = operator.get("/v1/session").await.expect(200);
    assert_eq!(first["acknowledged_by"], session["user"]["id"]);
    service.clock.advance(1_000);
    let events =
        async || service.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    // Another caller repeats it, with and without a body.
    assert_eq!(service.key.post(&path, &json!({})).await.expect(200), first);
    assert_eq!(service.key.call("POST", &path).await.expect(200), first);
    assert_eq!(items(&events().await).len(), 1);
    assert_eq!(list_alerts(&service, "?status=acknowledged").await["items"][0], first);
}

#[tokio::test]
async fn a_bulk_acknowledgement_reports_missing_alerts() {
    let service = with_denied_payments(4).await;
    let page = list_alerts(&service, "").await;
    let mut ids: Vec<Value> = items(&page).iter().map(|alert| alert["id"].clone()).collect();
    let first = format!("/v1/alerts/{}/acknowledge", text(&ids[0]));
    service.signed_in_member(Role::Operator).await.post(first, &json!({})).await.expect(200);
    let missing = json!("00000000-0000-4000-8000-000000000000");
    ids.insert(2, missing.clone());
    let response =
        service.key.post("/v1/alerts/acknowledge", &json!({"ids": ids})).await.expect(200);
    let items = items(&response);
    assert_eq!(items.iter().map(|item| item["id"].clone()).collect::<Vec<_>>(), ids);
    for item in items {
        let is_missing = item["id"] == missing;
        assert_eq!(item["error"]["code"] == "NOT_FOUND", is_missing, "{item}");
        assert_eq!(item["alert"]["acknowledged_at"] == NOW, !is_missing, "{item}");
    }
    let events = service.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(events["items"].as_array().map(Vec::len), Some(4), "one event for each alert");
    service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
}

/// Returns the path of an action on the newest alert.
async fn action_path(service: &TestService, action: &str) -> String {
    let newest = list_alerts(service, "?limit=1").await;
    format!("/v1/alerts/{}/{action}", text(&newest["items"][0]["id"]))
}

/// Returns the number of audit events with this action.
async fn count_events(service: &TestService, action: &str) -> usize {
    let events = service.key.get(format!("/v1/audit-log?action={action}")).await.expect(200);
    items(&events).len()
}

#[tokio::test]
async fn an_alert_is_assigned_to_a_member_and_found_by_it() {
    let service = with_denied_payments(2).await;
    let operator = service.signed_in_member(Role::Operator).await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let path = action_path(&service, "assign").await;
    let to_viewer = json!({"user_id": user_id(&viewer).await});
    let assigned = operator.post(&path, &to_viewer).await.expect(200);
    assert_eq!(assigned["assigned_to"], to_viewer["user_id"]);
    let filter = format!("?status=open&assigned_to={}", text(&to_viewer["user_id"]));
    let found = list_alerts(&service, &filter).await;
    assert_eq!((&found["total"], &found["items"][0]), (&json!(1), &assigned));
    assert_eq!(
        service.key.get(format!("/v1/alerts/{}", text(&assigned["id"]))).await.expect(200),
        assigned
    );
    // The same assignment changes nothing.
    assert_eq!(service.key.post(&path, &to_viewer).await.expect(200), assigned);
    assert_eq!(count_events(&service, "alert.assign").await, 1);

    // An empty body assigns it to no one.
    let unassigned = service.key.call("POST", &path).await.expect(200);
    assert_eq!(unassigned.get("assigned_to"), None);
    assert_eq!(list_alerts(&service, &filter).await["total"], 0);
    assert_eq!(count_events(&service, "alert.assign").await, 2);
    service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
}

#[tokio::test]
async fn an_alert_is_assigned_to_active_members_of_its_tenant_only() {
    let service = with_denied_payments(1).await;
    let path = action_path(&service, "assign").await;
    let neighbour = service.other_tenant().await;
    for (user, error) in [
        (user_id(&neighbour.admin).await, "/user_id unknown\n"),
        (json!("00000000-0000-4000-8000-000000000000"), "/user_id unknown\n"),
        (json!("x"), "/user_id format\n"),
    ] {
        let refusal = service.key.post(&path, &json!({"user_id": user})).await;
        assert_eq!((refusal.status, &*refusal.field_errors()), (422, error));
    }
}

#[tokio::test]
async fn removing_a_member_unassigns_the_unacknowledged_alerts() {
    let service = with_denied_payments(2).await;
    let viewer = user_id(&service.signed_in_member(Role::Viewer).await).await;
    let to_viewer = json!({"user_id": viewer});
    let page = list_alerts(&service, "").await;
    let [open, acknowledged] = items(&page) else { panic!("two alerts: {page}") };
    for alert in [open, acknowledged] {
        let path = format!("/v1/alerts/{}/assign", text(&alert["id"]));
        service.key.post(path, &to_viewer).await.expect(200);
    }
    let path = format!("/v1/alerts/{}/acknowledge", text(&acknowledged["id"]));
    service.key.post(path, &json!({})).await.expect(200);
    let member = format!("/v1/admin/members/{}", text(&viewer));
    assert_eq!(service.admin().await.delete(member).await.status, 204);
    let remaining = list_alerts(&service, &format!("?assigned_to={}", text(&viewer))).await;
    assert_eq!(texts(&remaining, "id"), [text(&acknowledged["id"])]);
}

#[tokio::test]
async fn a_snoozed_alert_is_open_again_when_its_time_has_passed() {
    let service = with_denied_payments(2).await;
    let path = action_path(&service, "snooze").await;
    let count = async |status: &str| {
        list_alerts(&service, &format!("?status={status}")).await["total"].clone()
    };
    let until = json!({"until": "2026-09-01T11:00:00Z"});
    let operator = service.signed_in_member(Role::Operator).await;
    let snoozed = operator.post(&path, &until).await.expect(200);
    assert_eq!(snoozed["snoozed_until"], "2026-09-01T11:00:00.000Z");
    assert_eq!((count("open").await, count("snoozed").await), (json!(1), json!(1)));
    assert_eq!(list_alerts(&service, "").await["total"], 2);
    assert_eq!(operator.post(&path, &until).await.expect(200), snoozed);
    assert_eq!(count_events(&service, "alert.snooze").await, 1);

    service.clock.advance(60 * 60 * 1_000 - 1);
    assert_eq!((count("open").await, count("snoozed").await), (json!(1), json!(1)));
    service.clock.advance(1);
    assert_eq!((count("open").await, count("snoozed").await), (json!(2), json!(0)));

    // An empty body ends the snooze time, and a snoozed alert can be acknowledged.
    let until = json!({"until": "2026-09-02T11:00:00Z"});
    service.key.post(&path, &until).await.expect(200);
    let woken = service.key.call("POST", &path).await.expect(200);
    assert_eq!(woken.get("snoozed_until"), None);
    assert_eq!((count("open").await, count("snoozed").await), (json!(2), json!(0)));
    service.key.post(&path, &until).await.expect(200);
    let acknowledge = action_path(&service, "acknowledge").await;
    service.key.post(acknowledge, &json!({})).await.expect(200);
    assert_eq!((count("snoozed").await, count("acknowledged").await), (json!(0), json!(1)));
}

#[tokio::test]
async fn an_alert_is_snoozed_for_at_most_thirty_days() {
    let service = with_denied_payments(1).await;
    let path = action_path(&service, "snooze").await;
    for (until, error) in [
        (NOW, "/until range\n"),
        ("2026-10-01T10:00:00.001Z", "/until range\n"),
        ("tomorrow", "/until format\n"),
    ] {
        let refusal = service.key.post(&path, &json!({"until": until})).await;
        assert_eq!((refusal.status, &*refusal.field_errors()), (422, error), "{until}");
    }
    service.key.post(&path, &json!({"until": "2026-10-01T10:00:00Z"})).await.expect(200);
}

#[tokio::test]
async fn an_acknowledged_alert_is_neither_assigned_nor_snoozed() {
    let service = with_denied_payments(1).await;
    let acknowledge = action_path(&service, "acknowledge").await;
    let acknowledged = service.key.post(acknowledge, &json!({})).await.expect(200);
    for action in ["assign", "snooze"] {
        let path = action_path(&service, action).await;
        let refusal = service.key.post(path, &json!({})).await;
        assert_eq!(refusal.to_string(), "409 INVALID_TRANSITION (ALERT_ACKNOWLEDGED)");
    }
    assert_eq!(list_alerts(&service, "").await["items"][0], acknowledged);
    let missing = "/v1/alerts/00000000-0000-4000-8000-000000000000";
    for action in ["assign", "snooze"] {
        let refusal = service.key.post(format!("{missing}/{action}"), &json!({})).await;
        assert_eq!(refusal.to_string(), "404 NOT_FOUND");
    }
}
