//! Governance changes by API keys: each one creates an alert, and a setting allows only people.

use crate::prelude::*;

/// Lists the alerts of governance changes, oldest first: severity, action and message.
async fn alerts(service: &TestService) -> Vec<(String, String, String)> {
    let path = "/v1/alerts?alert_type=governance_change&limit=100";
    let page = service.key.get(path).await.expect(200);
    let mut items = items(&page).to_vec();
    items.reverse();
    let summary = |alert: Value| {
        assert_eq!(alert.get("decision_id"), None, "{alert}");
        assert!(alert["data"]["changed_by"].is_string(), "{alert}");
        let member = |value: &Value| text(value).to_owned();
        let action = member(&alert["data"]["action"]);
        (member(&alert["severity"]), action, member(&alert["message"]))
    };
    items.into_iter().map(summary).collect()
}

/// The policies that the changes apply to.
struct Policies {
    group: String,
    submitted: Version,
    /// The active policy, which belongs to the group.
    active: Version,
}

async fn create_policies(service: &TestService) -> Policies {
    let group = json!({"code": "LENDING", "name": "Lending"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();
    let active = service.active("ACTIVE").await;
    let into = json!({"policy_group_id": group});
    service.key.patch(active.policy_path(), &into).await.expect(200);
    Policies { group, submitted: service.submitted("WAITING").await, active }
}

/// Applies one of the changes, by name.
async fn change(by: &Client, name: &str, policies: &Policies) -> TestResponse {
    let Policies { group, submitted, active } = policies;
    match name {
        "shadow_mode" | "inheritable" => by.patch(active.policy_path(), &json!({name: true})).await,
        "decision_types" => {
            by.patch(active.policy_path(), &json!({name: ["payment", "refund"]})).await
        }
        "policy_group_id" => by.patch(active.policy_path(), &json!({name: null})).await,
        "reject" => by.post(submitted.action_path("reject"), &json!({"reason": "too high"})).await,
        "deactivate" => {
            by.post(format!("{}/deactivate", active.policy_path()), &json!({"reason": "over"}))
                .await
        }
        "group" => by.patch(format!("/v1/policy-groups/{group}"), &json!({"name": "Loans"})).await,
        _ => by.patch("/v1/settings", &json!({"bundle_include_context": false})).await,
    }
}

/// The changes, in an order that allows each of them.
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

#[testkit::test]
async fn each_change_by_an_api_key_creates_an_alert(service: TestService) {
    let policies = create_policies(&service).await;
    let key = service.create_key(&[Scope::PoliciesWrite]).await;
    let before = alerts(&service).await.len();
    for (number, name) in CHANGES.into_iter().enumerate() {
        change(&key, name, &policies).await.expect(200);
        assert_eq!(alerts(&service).await.len(), before + number + 1, "{name}");
    }
    let alerts_created: Vec<_> = alerts(&service)
        .await
        .split_off(before)
        .into_iter()
        .map(|(severity, action, message)| format!("{severity} {action}: {message}"))
        .collect();
    insta::assert_snapshot!(alerts_created.join("\n"), @"
    high policy.edit: Active policy ACTIVE was changed: shadow_mode.
    high policy.edit: Active policy ACTIVE was changed: decision_types.
    high policy.edit: Active policy ACTIVE was changed: inheritable.
    high policy_group.edit: Policy group LENDING, which has active policies, was changed: name.
    high settings.update: Settings were changed: bundle_include_context from true to false.
    high policy_version.reject: Version 1 of policy WAITING was rejected.
    high policy.edit: Active policy ACTIVE was changed: policy_group_id.
    high policy.deactivate: Policy ACTIVE was deactivated: version 1 is no longer active.
    ");
    // A change that does not affect verdicts creates no alert.
    key.patch(policies.active.policy_path(), &json!({"description": "A longer description"}))
        .await
        .expect(200);
    assert_eq!(alerts(&service).await.len(), before + CHANGES.len());
}

#[testkit::test]
async fn setting_rejects_all_changes_by_api_keys_but_not_by_people(service: TestService) {
    let policies = create_policies(&service).await;
    let key = service.create_key(&[Scope::PoliciesRead, Scope::PoliciesWrite]).await;
    let admin = service.admin().await;
    let enable = json!({"human_changes_only": true});
    admin.patch("/v1/settings", &enable).await.expect(200);
    let before = alerts(&service).await;
    for name in CHANGES {
        assert_eq!(change(&key, name, &policies).await.to_string(), "403 HUMAN_REQUIRED", "{name}");
    }
    assert_eq!(alerts(&service).await, before, "a rejected change creates no alert");
    // API keys can still make changes that do not affect verdicts.
    key.patch(policies.active.policy_path(), &json!({"name": "Another name"})).await.expect(200);
    service.draft("DRAFT").await;
    key.post(policies.submitted.action_path("recall"), &json!({})).await.expect(200);
    key.post(policies.submitted.action_path("submit"), &json!({})).await.expect(200);
    for name in CHANGES {
        change(&admin, name, &policies).await.expect(200);
    }
}

#[testkit::test]
async fn group_of_an_active_policy_requires_the_right_to_change_verdicts(service: TestService) {
    let policies = create_policies(&service).await;
    let author = service.signed_in_member(Role::Author).await;
    let refusal = change(&author, "policy_group_id", &policies).await;
    assert_eq!(refusal.to_string(), "403 FORBIDDEN");
    change(service.ratifier().await, "policy_group_id", &policies).await.expect(200);
}

#[testkit::test]
async fn weakened_safeguard_creates_an_alert_at_or_above_the_old_threshold(service: TestService) {
    let admin = service.admin().await;
    let set = async |name: &str, value: Value| {
        admin.patch("/v1/settings", &json!({name: value})).await.expect(200);
    };
    for (name, stronger) in [
        ("review_required", json!(true)),
        ("public_receipt_redaction", json!("values")),
        ("human_changes_only", json!(true)),
        ("alert_min_severity", json!("low")),
    ] {
        set(name, stronger).await;
    }
    assert_eq!(alerts(&service).await.len(), 0, "a stronger safeguard creates no alert");
    for (name, weaker, severity) in [
        ("alert_min_severity", json!("critical"), "high"),
        ("maker_checker_enabled", json!(false), "critical"),
        ("review_required", json!(false), "critical"),
        ("public_receipt_redaction", json!("none"), "critical"),
        ("human_changes_only", json!(false), "critical"),
    ] {
        set(name, weaker).await;
        let (created_severity, _, message) = alerts(&service).await.pop().expect("an alert");
        assert!(
            created_severity == severity && message.contains(name),
            "{name}: {created_severity} {message}"
        );
    }
    assert_eq!(alerts(&service).await.len(), 5);
    // A change by an API key creates an alert even if it strengthens a safeguard.
    let enable = json!({"maker_checker_enabled": true});
    service.key.patch("/v1/settings", &enable).await.expect(200);
    let (severity, ..) = alerts(&service).await.pop().expect("an alert");
    assert_eq!((alerts(&service).await.len(), &*severity), (6, "critical"));
}
