//! Changes of verdicts and safeguards that a key may make: each raises an alert, and a setting closes them.

use contract::scope::{Role, Scope};
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{TestService, Version, world},
};

/// The alerts of governance changes, oldest first: severity, action and message.
async fn alerts(world: &TestService) -> Vec<(String, String, String)> {
    let path = "/v1/alerts?alert_type=governance_change&limit=100";
    let page = world.key.get(path).await.expect(200);
    let mut items = page["items"].as_array().expect("a list").clone();
    items.reverse();
    let line = |alert: Value| {
        assert_eq!(alert.get("decision_id"), None, "{alert}");
        assert!(alert["data"]["changed_by"].is_string(), "{alert}");
        let member = |value: &Value| text(value).to_owned();
        let action = member(&alert["data"]["action"]);
        (member(&alert["severity"]), action, member(&alert["message"]))
    };
    items.into_iter().map(line).collect()
}

/// A group with one active policy, a submitted version of another policy, and the active policy.
async fn tenant(world: &TestService) -> (String, Version, Version) {
    let group = json!({"code": "LENDING", "name": "Lending"});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();
    let active = world.active("ACTIVE").await;
    let into = json!({"policy_group_id": group});
    world.key.patch(active.of(), &into).await.expect(200);
    (group, world.submitted("WAITING").await, active)
}

/// One of the changes, by its word.
async fn change(by: &Client, word: &str, of: &(String, Version, Version)) -> TestResponse {
    let (group, waiting, active) = of;
    match word {
        "shadow_mode" | "inheritable" => by.patch(active.of(), &json!({word: true})).await,
        "decision_types" => by.patch(active.of(), &json!({word: ["payment", "refund"]})).await,
        "policy_group_id" => by.patch(active.of(), &json!({word: null})).await,
        "reject" => by.post(waiting.act("reject"), &json!({"reason": "too high"})).await,
        "deactivate" => {
            by.post(format!("{}/deactivate", active.of()), &json!({"reason": "over"})).await
        }
        "group" => by.patch(format!("/v1/policy-groups/{group}"), &json!({"name": "Loans"})).await,
        _ => by.patch("/v1/settings", &json!({"bundle_include_context": false})).await,
    }
}

/// The changes, in an order in which each can be made.
const CHANGES: [&str; 8] = [
    "shadow_mode",
    "decision_types",
    "inheritable",
    "group",
    "settings",
    "reject",
    "policy_group_id",
    "deactivate",
];

#[tokio::test]
async fn a_key_with_policies_write_makes_them_and_each_raises_an_alert() {
    let world = world().await;
    let of = tenant(&world).await;
    let key = world.key_with(&[Scope::PoliciesWrite]).await;
    let before = alerts(&world).await.len();
    for (number, word) in CHANGES.into_iter().enumerate() {
        change(&key, word, &of).await.expect(200);
        assert_eq!(alerts(&world).await.len(), before + number + 1, "{word}");
    }
    let raised: Vec<_> = alerts(&world)
        .await
        .split_off(before)
        .into_iter()
        .map(|(severity, action, message)| format!("{severity} {action}: {message}"))
        .collect();
    insta::assert_snapshot!(raised.join("\n"), @"
    high policy.edit: Active policy ACTIVE was changed: shadow_mode.
    high policy.edit: Active policy ACTIVE was changed: decision_types.
    high policy.edit: Active policy ACTIVE was changed: inheritable.
    high policy_group.edit: Policy group LENDING, which has active policies, was changed: name.
    high settings.update: Settings were changed: bundle_include_context from true to false.
    high policy_version.reject: Version 1 of policy WAITING was rejected.
    high policy.edit: Active policy ACTIVE was changed: policy_group_id.
    high policy.deactivate: Policy ACTIVE was deactivated: version 1 is not active any more.
    ");
    // What changes no verdict raises none.
    key.patch(of.2.of(), &json!({"description": "Longer words"})).await.expect(200);
    assert_eq!(alerts(&world).await.len(), before + CHANGES.len());
}

#[tokio::test]
async fn the_setting_closes_all_of_them_to_keys_and_to_nobody_else() {
    let world = world().await;
    let of = tenant(&world).await;
    let key = world.key_with(&[Scope::PoliciesRead, Scope::PoliciesWrite]).await;
    let admin = world.admin().await;
    let on = json!({"human_changes_only": true});
    admin.patch("/v1/settings", &on).await.expect(200);
    let before = alerts(&world).await;
    for word in CHANGES {
        assert_eq!(change(&key, word, &of).await.to_string(), "403 HUMAN_REQUIRED", "{word}");
    }
    assert_eq!(alerts(&world).await, before, "a refused change raises nothing");
    // Keys go on with what decides nothing.
    key.patch(of.2.of(), &json!({"name": "Another name"})).await.expect(200);
    world.draft("DRAFT").await;
    key.post(of.1.act("recall"), &json!({})).await.expect(200);
    key.post(of.1.act("submit"), &json!({})).await.expect(200);
    for word in CHANGES {
        change(&admin, word, &of).await.expect(200);
    }
}

#[tokio::test]
async fn a_group_of_an_active_policy_is_changed_by_those_who_may_change_verdicts() {
    let world = world().await;
    let of = tenant(&world).await;
    let author = world.person(Role::Author).await;
    let refused = change(&author, "policy_group_id", &of).await;
    assert_eq!(refused.to_string(), "403 FORBIDDEN");
    change(world.ratifier().await, "policy_group_id", &of).await.expect(200);
}

#[tokio::test]
async fn a_weakened_safeguard_is_an_alert_not_below_the_old_threshold() {
    let world = world().await;
    let admin = world.admin().await;
    let set = async |name: &str, value: Value| {
        admin.patch("/v1/settings", &json!({name: value})).await.expect(200);
    };
    for (name, on) in [
        ("review_required", json!(true)),
        ("public_receipt_redaction", json!("values")),
        ("human_changes_only", json!(true)),
        ("alert_min_severity", json!("low")),
    ] {
        set(name, on).await;
    }
    assert_eq!(alerts(&world).await.len(), 0, "a person may strengthen a safeguard");
    for (name, off, severity) in [
        ("alert_min_severity", json!("critical"), "high"),
        ("maker_checker_enabled", json!(false), "critical"),
        ("review_required", json!(false), "critical"),
        ("public_receipt_redaction", json!("none"), "critical"),
        ("human_changes_only", json!(false), "critical"),
    ] {
        set(name, off).await;
        let (raised, _, message) = alerts(&world).await.pop().expect("an alert");
        assert!(raised == severity && message.contains(name), "{name}: {raised} {message}");
    }
    assert_eq!(alerts(&world).await.len(), 5);
    // A key's change is one even where it weakens nothing.
    let on = json!({"maker_checker_enabled": true});
    world.key.patch("/v1/settings", &on).await.expect(200);
    let (severity, ..) = alerts(&world).await.pop().expect("an alert");
    assert_eq!((alerts(&world).await.len(), &*severity), (6, "critical"));
}

#[tokio::test]
async fn the_console_shows_these_alerts() {
    let world = world().await;
    let of = tenant(&world).await;
    change(&world.key, "deactivate", &of).await.expect(200);
    let admin = world.admin().await;
    let browser = crate::console_pages::Browser::of(&world, &admin);
    let page = browser.page("alerts").await.text;
    assert!(page.contains("Policy ACTIVE was deactivated"), "{page}");
}
