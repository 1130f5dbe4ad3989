//! Rules that cannot be evaluated are rejected when they are written.

use crate::prelude::*;

fn rule(code: &str, rule_type: &str, condition: &Value) -> Value {
    json!({"code": code, "rule_type": rule_type, "condition": condition, "severity": "low"})
}

#[testkit::test]
async fn an_unknown_rule_type_has_its_own_error_code(service: TestService) {
    let rules = json!([
        rule("GOOD", "presence", &json!({"required_fields": ["a"]})),
        rule("ODD", "geofence", &json!({"radius": 1})),
    ]);
    let mut body = policy("PAY-01");
    body["rules"] = rules.clone();
    let refusal = service.key.post("/v1/policies", &body).await;
    assert_snapshot!(refusal, @"422 UNSUPPORTED_RULE_TYPE (geofence)");
    assert_eq!(refusal.details()["rule_code"], "ODD");
    let version = service.draft("PAY-02").await;
    let edit = json!({"expected_revision": 1, "rules": rules});
    let refusal = service.key.patch(version.path(), &edit).await;
    assert_snapshot!(refusal, @"422 UNSUPPORTED_RULE_TYPE (geofence)");
    let mistyped = json!([rule("A", "Presence", &json!({"required_fields": ["a"]}))]);
    let edit = json!({"expected_revision": 1, "rules": mistyped});
    let refusal = service.key.patch(version.path(), &edit).await;
    assert_snapshot!(refusal, @"422 UNSUPPORTED_RULE_TYPE (Presence)");
}
