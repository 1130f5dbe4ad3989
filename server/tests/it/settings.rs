//! Tenant settings over HTTP, and their effects.

use crate::prelude::*;

const PATH: &str = "/v1/settings";

async fn set(client: &Client, name: &str, value: impl Into<Value>) -> TestResponse {
    client.patch(PATH, &json!({name: value.into()})).await
}

/// The audit events of settings changes, oldest first.
async fn settings_events(service: &TestService) -> Vec<Value> {
    let events = "select event from audit_events where action = 'settings.update' order by seq";
    let events = service.sql(events).await;
    events.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect()
}

#[testkit::test]
async fn a_new_tenant_has_the_default_settings(service: TestService) {
    let expected = json!({
        "maker_checker_enabled": true, "review_required": false,
        "public_receipt_redaction": "none", "bundle_include_context": true,
        "alert_min_severity": "medium", "human_changes_only": false, "sign_in": "any",
        "second_factor_required": false, "updated_at": NOW,
    });
    assert_eq!(service.key.get(PATH).await.expect(200), expected);
    // Every member can read the settings, and so can a key with `policies:read`.
    for role in Role::ALL {
        assert_eq!(
            service.signed_in_member(role).await.get(PATH).await.expect(200),
            expected,
            "{role}"
        );
    }
    let reader = service.create_key(&[Scope::PoliciesRead]).await;
    reader.get(PATH).await.expect(200);
}

#[tokio::test]
async fn an_admin_changes_settings_and_the_audit_event_has_old_and_new_values() {
    let service = test_service().await;
    let admin = service.admin().await;
    let admin_id = user_id(&admin).await;
    service.clock.advance(MINUTE_MS);
    let patch = json!({
        "maker_checker_enabled": false, "review_required": true,
        "public_receipt_redaction": "values", "alert_min_severity": "medium",
    });
    let expected = json!({
        "maker_checker_enabled": false, "review_required": true,
        "public_receipt_redaction": "values", "bundle_include_context": true,
        "alert_min_severity": "medium", "human_changes_only": false, "sign_in": "any",
        "second_factor_required": false, "updated_at": "2026-09-01T10:01:00.000Z", "updated_by": admin_id,
    });
    assert_eq!(admin.patch(PATH, &patch).await.expect(200), expected);
    assert_eq!(service.key.get(PATH).await.expect(200), expected);
    let [event] = &settings_events(&service).await[..] else {
        panic!("one change creates one event")
    };
    assert_eq!(event["actor"], json!({"type": "human", "id": admin_id}));
    let details = json!({
        "maker_checker_enabled": {"before": true, "after": false},
        "review_required": {"before": false, "after": true},
        "public_receipt_redaction": {"before": "none", "after": "values"},
    });
    assert_eq!(event["details"], details);
}

#[testkit::test]
async fn setting_the_current_values_changes_nothing(service: TestService) {
    let before = service.key.get(PATH).await.expect(200);
    service.clock.advance(MINUTE_MS);
    for patch in
        [json!({}), json!({"alert_min_severity": "medium", "bundle_include_context": true})]
    {
        assert_eq!(service.key.patch(PATH, &patch).await.expect(200), before);
    }
    assert_eq!(settings_events(&service).await, [json!(null); 0]);
}

#[testkit::test]
async fn a_key_can_change_every_setting_except_those_for_users(service: TestService) {
    let writer = service.create_key(&[Scope::PoliciesWrite]).await;
    for (name, value) in [
        ("maker_checker_enabled", json!(false)),
        ("review_required", json!(true)),
        ("public_receipt_redaction", json!("values")),
        ("bundle_include_context", json!(false)),
        ("alert_min_severity", json!("low")),
    ] {
        let settings = set(&writer, name, value.clone()).await.expect(200);
        assert_eq!((&settings[name], settings["updated_by"].is_string()), (&value, true));
    }
    let before = service.key.get(PATH).await.expect(200);
    for value in [true, false] {
        let error = set(&writer, "human_changes_only", value).await;
        assert_eq!(error.to_string(), "403 HUMAN_REQUIRED");
    }
    let error = set(&writer, "sign_in", "password").await;
    assert_eq!(error.to_string(), "403 HUMAN_REQUIRED");
    let error = set(&writer, "second_factor_required", false).await;
    assert_eq!(error.to_string(), "403 HUMAN_REQUIRED");
    for role in [Role::Viewer, Role::Author, Role::Ratifier] {
        let person = service.signed_in_member(role).await;
        let error = set(&person, "human_changes_only", true).await;
        assert_eq!(error.to_string(), "403 FORBIDDEN", "{role}");
    }
    assert_eq!(service.key.get(PATH).await.expect(200), before);
}
