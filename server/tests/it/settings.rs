//! A tenant's settings over HTTP, and what they change.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, Version, drafted, request, world},
};

const PATH: &str = "/v1/settings";

async fn set(by: &Client, name: &str, value: impl Into<Value>) -> TestResponse {
    by.patch(PATH, &json!({name: value.into()})).await
}

/// What the audit log tells of changes, oldest first.
async fn told(world: &TestService) -> Vec<Value> {
    let events = "select event from audit_events where action = 'settings.update' order by seq";
    let events = world.sql(events).await;
    events.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect()
}

async fn ratify(by: &Client, version: &Version) -> TestResponse {
    by.post(version.act("ratify"), &json!({"expected_revision": 1})).await
}

#[tokio::test]
async fn a_tenant_begins_with_the_careful_settings() {
    let world = world().await;
    let expected = json!({
        "maker_checker_enabled": true, "review_required": false,
        "public_receipt_redaction": "none", "bundle_include_context": true,
        "alert_min_severity": "medium", "human_changes_only": false, "updated_at": NOW,
    });
    assert_eq!(world.key.get(PATH).await.expect(200), expected);
    // Every member may read them, and a key that reads policies.
    for role in Role::ALL {
        assert_eq!(world.person(role).await.get(PATH).await.expect(200), expected, "{role}");
    }
    let reader = world.key_with(&[Scope::PoliciesRead]).await;
    reader.get(PATH).await.expect(200);
}

#[tokio::test]
async fn an_admin_changes_settings_and_the_log_says_what_they_were() {
    let world = world().await;
    let admin = world.admin().await;
    let me = admin.get("/v1/session").await.expect(200)["user"]["id"].clone();
    world.clock.advance(MINUTE_MS);
    let patch = json!({
        "maker_checker_enabled": false, "review_required": true,
        "public_receipt_redaction": "values", "alert_min_severity": "medium",
    });
    let expected = json!({
        "maker_checker_enabled": false, "review_required": true,
        "public_receipt_redaction": "values", "bundle_include_context": true,
        "alert_min_severity": "medium", "human_changes_only": false,
        "updated_at": "2026-09-01T10:01:00.000Z", "updated_by": me,
    });
    assert_eq!(admin.patch(PATH, &patch).await.expect(200), expected);
    assert_eq!(world.key.get(PATH).await.expect(200), expected);
    let [event] = &told(&world).await[..] else { panic!("one change is one event") };
    assert_eq!(event["actor"], json!({"type": "human", "id": me}));
    let facts = json!({
        "maker_checker_enabled": {"before": true, "after": false},
        "review_required": {"before": false, "after": true},
        "public_receipt_redaction": {"before": "none", "after": "values"},
    });
    assert_eq!(event["details"], facts);
}

#[tokio::test]
async fn what_is_so_already_is_no_change() {
    let world = world().await;
    let before = world.key.get(PATH).await.expect(200);
    world.clock.advance(MINUTE_MS);
    for patch in
        [json!({}), json!({"alert_min_severity": "medium", "bundle_include_context": true})]
    {
        assert_eq!(world.key.patch(PATH, &patch).await.expect(200), before);
    }
    assert_eq!(told(&world).await, [json!(null); 0]);
}

#[tokio::test]
async fn a_key_changes_every_setting_but_the_one_that_closes_them_to_keys() {
    let world = world().await;
    let writer = world.key_with(&[Scope::PoliciesWrite]).await;
    for (name, value) in [
        ("maker_checker_enabled", json!(false)),
        ("review_required", json!(true)),
        ("public_receipt_redaction", json!("values")),
        ("bundle_include_context", json!(false)),
        ("alert_min_severity", json!("low")),
    ] {
        let changed = set(&writer, name, value.clone()).await.expect(200);
        assert_eq!((&changed[name], changed["updated_by"].is_string()), (&value, true));
    }
    let before = world.key.get(PATH).await.expect(200);
    for value in [true, false] {
        let refused = set(&writer, "human_changes_only", value).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED");
    }
    for role in [Role::Viewer, Role::Author, Role::Ratifier] {
        let person = world.person(role).await;
        let refused = set(&person, "human_changes_only", true).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{role}");
    }
    assert_eq!(world.key.get(PATH).await.expect(200), before);
    // Switched on, it closes all of them.
    let admin = world.admin().await;
    set(&admin, "human_changes_only", true).await.expect(200);
    for (name, value) in [
        ("maker_checker_enabled", json!(true)),
        ("review_required", json!(false)),
        ("public_receipt_redaction", json!("none")),
        ("bundle_include_context", json!(true)),
        ("alert_min_severity", json!("high")),
    ] {
        assert_eq!(set(&writer, name, value.clone()).await.to_string(), "403 HUMAN_REQUIRED");
        set(&admin, name, value).await.expect(200);
    }
    set(&admin, "human_changes_only", false).await.expect(200);
    set(&writer, "alert_min_severity", "low").await.expect(200);
    assert_eq!(told(&world).await.len(), 13);
}

#[tokio::test]
async fn settings_are_changed_without_faults() {
    let world = world().await;
    let patch = json!({
        "maker_checker_enabled": "no", "review_required": null, "public_receipt_redaction": "all",
        "bundle_include_context": 1, "alert_min_severity": "severe", "reason": "because",
        "updated_by": "me",
    });
    assert_snapshot!(world.admin().await.patch(PATH, &patch).await.faults(), @"
    /maker_checker_enabled type
    /review_required type
    /public_receipt_redaction enum
    /bundle_include_context type
    /alert_min_severity enum
    /reason unknown
    /updated_by unknown
    ");
}

#[tokio::test]
async fn an_old_sign_in_changes_no_setting_and_a_key_has_none() {
    let world = world().await;
    let admin = world.admin().await;
    world.clock.advance(16 * MINUTE_MS);
    for (name, value) in
        [("maker_checker_enabled", json!(false)), ("alert_min_severity", json!("low"))]
    {
        let refused = set(&admin, name, value).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN (CONFIRMATION_REQUIRED)", "{name}");
    }
    set(&world.key, "alert_min_severity", "low").await.expect(200);
    let password = json!({"password": crate::service::PASSWORD});
    admin.post("/v1/session/confirm", &password).await.expect(200);
    set(&admin, "maker_checker_enabled", false).await.expect(200);
}

#[tokio::test]
async fn maker_checker_holds_from_the_moment_it_is_switched() {
    let world = world().await;
    let admin = world.admin().await;
    let mut versions = Vec::new();
    for code in ["PAY-01", "PAY-02"] {
        let version = drafted(&admin, code).await;
        admin.post(version.act("submit"), &json!({})).await.expect(200);
        versions.push(version);
    }
    assert_eq!(ratify(&admin, &versions[0]).await.to_string(), "403 MAKER_CHECKER_VIOLATION");
    set(&admin, "maker_checker_enabled", false).await.expect(200);
    ratify(&admin, &versions[0]).await.expect(200);
    set(&admin, "maker_checker_enabled", true).await.expect(200);
    assert_eq!(ratify(&admin, &versions[1]).await.to_string(), "403 MAKER_CHECKER_VIOLATION");
    // A neighbour's switch is a neighbour's.
    let neighbour = world.neighbour().await;
    set(&neighbour.admin, "maker_checker_enabled", false).await.expect(200);
    assert_eq!(ratify(&admin, &versions[1]).await.to_string(), "403 MAKER_CHECKER_VIOLATION");
}

#[tokio::test]
async fn where_reviews_are_asked_for_a_submission_is_not_enough() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let admin = world.admin().await;
    set(&admin, "review_required", true).await.expect(200);
    let refused = ratify(world.ratifier().await, &version).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    let facts = json!({"reason": "REVIEW_REQUIRED", "from": "submitted", "requested": "ratify"});
    assert_eq!(refused.details(), facts);
    set(&admin, "review_required", false).await.expect(200);
    ratify(world.ratifier().await, &version).await.expect(200);
}

#[tokio::test]
async fn public_receipts_leave_out_what_the_setting_says() {
    let world = world().await;
    world.active("PAY-01").await;
    let made = world.key.post("/v1/decisions/record", &request("k", 987_654)).await.expect(201);
    let receipt = format!("/v1/receipts/{}", text(&made["decision"]["id"]));
    let open = world.public.get(&receipt).await;
    assert!(open.expect(200)["redaction"] == "none" && open.text.contains("987654"));
    let etag = open.header("etag").expect("receipts have one").to_owned();
    let again = async || world.public.get(&receipt).header("if-none-match", &etag).await.status;
    assert_eq!(again().await, 304);

    set(&world.key, "public_receipt_redaction", "values").await.expect(200);
    let redacted = world.public.get(&receipt).header("if-none-match", &etag).await;
    assert_eq!(redacted.expect(200)["redaction"], "values");
    assert!(!redacted.text.contains("987654"), "{}", redacted.text);
    let signed = |answer: &TestResponse| answer.json()["signature"].clone();
    assert_eq!(signed(&redacted), signed(&open), "what was signed is as it was");
    set(&world.key, "public_receipt_redaction", "none").await.expect(200);
    assert_eq!(again().await, 304);
}
