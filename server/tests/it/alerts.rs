//! Alerts: raised with what they are about, listed, and acknowledged.

use std::collections::BTreeSet;

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::text,
    service::{NOW, TestService, request, world},
};

/// Records a payment; gives the decision.
async fn recorded(world: &TestService, key: &str, amount: u32) -> Value {
    world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201)["decision"]
        .clone()
}

/// The alerts under a filter.
async fn alerts(world: &TestService, query: &str) -> Value {
    world.key.get(format!("/v1/alerts{query}")).await.expect(200)
}

/// A world with a policy in force, and this many denied payments.
async fn denied(payments: usize) -> TestService {
    let world = world().await;
    world.active("PAY-01").await;
    for number in 0..payments {
        recorded(&world, &format!("k{number}"), 20_000).await;
    }
    world
}

#[tokio::test]
async fn a_decision_raises_one_alert_of_its_worst_violation() {
    let world = denied(0).await;
    let reviewed = recorded(&world, "reviewed", 1).await;
    let denied = recorded(&world, "denied", 20_000).await;
    // A repeat is the same decision, and raises nothing more.
    world.key.post("/v1/decisions/record", &request("denied", 20_000)).await.expect(200);
    let page = alerts(&world, "").await;
    let id = text(&denied["id"]);
    assert_eq!(
        (&page["total"], &page["limit"], &page["offset"]),
        (&json!(2), &json!(50), &json!(0))
    );
    let expected = json!({
        "id": page["items"][0]["id"], "tenant_id": world.tenant, "alert_type": "policy_violation",
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
    assert_eq!(world.key.get(path).await.expect(200), expected);

    // What is milder than the setting raises nothing from then on, and neither does what is allowed.
    world.key.patch("/v1/settings", &json!({"alert_min_severity": "high"})).await.expect(200);
    recorded(&world, "mild", 1).await;
    let mut allowed = request("allowed", 1);
    allowed["context"]["fields"]["purpose"] = "rent".into();
    world.key.post("/v1/decisions/record", &allowed).await.expect(201);
    // The change of the setting by a key is an alert of its own.
    assert_eq!(alerts(&world, "").await["total"], 3);
    assert_eq!(alerts(&world, "?alert_type=governance_change").await["total"], 1);

    // In shadow mode nothing is denied, and people hear of it all the same.
    let policies = world.key.get("/v1/policies").await.expect(200);
    let policy = format!("/v1/policies/{}", text(&policies["items"][0]["id"]));
    let shadow = json!({"shadow_mode": true});
    world.ratifier().await.patch(policy, &shadow).await.expect(200);
    let shadowed = recorded(&world, "shadowed", 20_000).await;
    let page = alerts(&world, "?alert_type=shadow_violation").await;
    assert_eq!((&page["total"], &page["items"][0]["severity"]), (&json!(1), &json!("high")));
    assert_eq!(page["items"][0]["decision_id"], shadowed["id"]);
    assert!(text(&page["items"][0]["message"]).starts_with("Policy PAY-01 returned ALERT for "));
}

#[tokio::test]
async fn a_decision_that_is_not_written_raises_nothing() {
    let world = denied(1).await;
    let wall = "create function refuse() returns trigger language plpgsql as \
                $$ begin raise exception 'no'; end $$";
    world.sql(wall).await;
    let wall = "create trigger z_refuse after insert on audit_events for each row \
                when (new.action = 'decision.record') execute function refuse()";
    world.sql(wall).await;
    let refused = world.key.post("/v1/decisions/record", &request("lost", 20_000)).await;
    assert_eq!(refused.to_string(), "500 INTERNAL_ERROR");
    assert_eq!(alerts(&world, "").await["total"], 1);
}

#[tokio::test]
async fn switching_maker_checker_off_is_an_alert_whatever_the_setting() {
    let world = world().await;
    let admin = world.admin().await;
    let change =
        |is_on: bool| json!({"maker_checker_enabled": is_on, "alert_min_severity": "critical"});
    admin.patch("/v1/settings", &change(false)).await.expect(200);
    admin.patch("/v1/settings", &change(true)).await.expect(200);
    let page = alerts(&world, "").await;
    assert_eq!(
        (&page["total"], &page["items"][0]["alert_type"]),
        (&json!(1), &json!("governance_change"))
    );
    assert_eq!(page["items"][0].get("decision_id"), None);
    assert_eq!(page["items"][0]["data"]["setting"], "maker_checker_enabled");
}

#[tokio::test]
async fn lists_are_filtered_and_read_page_by_page() {
    let world = denied(5).await;
    recorded(&world, "mild", 1).await;
    let mut seen = BTreeSet::new();
    for offset in [0, 2, 4, 6] {
        let page = alerts(&world, &format!("?limit=2&offset={offset}")).await;
        assert_eq!((&page["total"], &page["offset"]), (&json!(6), &json!(offset)));
        let items = page["items"].as_array().expect("a list");
        seen.extend(items.iter().map(|alert| text(&alert["id"]).to_owned()));
    }
    assert_eq!(seen.len(), 6);
    let of = async |query: &str| alerts(&world, query).await["total"].clone();
    assert_eq!(of("?severity=high").await, 5);
    assert_eq!(of("?severity=medium&status=open&alert_type=policy_violation").await, 1);
    assert_eq!(of("?status=acknowledged").await, 0);
    assert_eq!(of("?alert_type=webhook_dead").await, 0);
    assert_eq!(of("?rule_code=AMOUNT").await, 5);
    assert_eq!(of("?rule_code=PURPOSE").await, 6);
    assert_eq!(of("?rule_code=PURPOSE&severity=medium").await, 1);
    assert_eq!(of("?rule_code=purpose").await, 0, "codes are compared by bytes");
    let long = format!("rule_code={}", "x".repeat(101));
    for bad in [
        "limit=0",
        "limit=101",
        "limit=x",
        "offset=-1",
        "severity=bad",
        "status=x",
        "alert_type=x",
        "a=1",
        long.as_str(),
    ] {
        let answer = world.key.get(format!("/v1/alerts?{bad}")).await;
        assert_eq!(answer.to_string(), "422 VALIDATION_ERROR", "{bad}");
    }
    let neighbour = world.neighbour().await;
    assert_eq!(neighbour.key.get("/v1/alerts").await.expect(200)["total"], 0);
    let id = seen.first().expect("an alert");
    let foreign = neighbour.key.get(format!("/v1/alerts/{id}")).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
    let foreign = neighbour.key.post(format!("/v1/alerts/{id}/acknowledge"), &json!({})).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn the_first_who_acknowledges_is_kept() {
    let world = denied(1).await;
    let alert = alerts(&world, "").await["items"][0].clone();
    let path = format!("/v1/alerts/{}/acknowledge", text(&alert["id"]));
    let operator = world.person(Role::Operator).await;
    let first = operator.post(&path, &json!({})).await.expect(200);
    assert_eq!(first["acknowledged_at"], NOW);
    let session = operator.get("/v1/session").await.expect(200);
    assert_eq!(first["acknowledged_by"], session["user"]["id"]);
    world.clock.advance(1_000);
    let events = async || world.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    // Again, and by another one, with a body or without.
    assert_eq!(world.key.post(&path, &json!({})).await.expect(200), first);
    assert_eq!(world.key.call("POST", &path).await.expect(200), first);
    assert_eq!(events().await["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(alerts(&world, "?status=acknowledged").await["items"][0], first);
}

#[tokio::test]
async fn many_are_acknowledged_at_once_and_what_is_missing_is_told() {
    let world = denied(4).await;
    let page = alerts(&world, "").await;
    let mut ids: Vec<Value> =
        page["items"].as_array().expect("a list").iter().map(|alert| alert["id"].clone()).collect();
    let first = format!("/v1/alerts/{}/acknowledge", text(&ids[0]));
    world.person(Role::Operator).await.post(first, &json!({})).await.expect(200);
    let missing = json!("00000000-0000-4000-8000-000000000000");
    ids.insert(2, missing.clone());
    let answer = world.key.post("/v1/alerts/acknowledge", &json!({"ids": ids})).await.expect(200);
    let items = answer["items"].as_array().expect("a list");
    assert_eq!(items.iter().map(|item| item["id"].clone()).collect::<Vec<_>>(), ids);
    for item in items {
        let is_missing = item["id"] == missing;
        assert_eq!(item["error"]["code"] == "NOT_FOUND", is_missing, "{item}");
        assert_eq!(item["alert"]["acknowledged_at"] == NOW, !is_missing, "{item}");
    }
    let events = world.key.get("/v1/audit-log?action=alert.acknowledge").await.expect(200);
    assert_eq!(
        events["items"].as_array().map(Vec::len),
        Some(4),
        "one for each, and no second one"
    );
    world.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);

    let ids = |count: usize| -> Vec<String> {
        (0..count).map(|n| format!("00000000-0000-4000-8000-{n:012}")).collect()
    };
    let many = ids(500);
    world.key.post("/v1/alerts/acknowledge", &json!({"ids": many})).await.expect(200);
    for (ids, faults) in [
        (json!(ids(501)), "/ids too_many\n"),
        (json!([]), "/ids too_few\n"),
        (json!(["x"]), "/ids/0 format\n"),
        (json!([missing, missing]), "/ids/1 duplicate\n"),
    ] {
        let refused = world.key.post("/v1/alerts/acknowledge", &json!({"ids": ids})).await;
        assert_eq!((refused.status, &*refused.faults()), (422, faults));
    }
}
