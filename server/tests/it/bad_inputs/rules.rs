//! Rules that cannot be evaluated are rejected when they are written.

use crate::prelude::*;

fn rule(code: &str, rule_type: &str, condition: &Value) -> Value {
    json!({"code": code, "rule_type": rule_type, "condition": condition, "severity": "low"})
}

/// Returns the field errors of a new policy with these rules.
async fn rule_errors(service: &TestService, rules: Value) -> String {
    let mut body = policy("PAY-01");
    body["rules"] = rules;
    let refusal = service.key.post("/v1/policies", &body).await;
    assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{body}");
    refusal.field_errors()
}

#[testkit::test]
async fn patterns_of_a_version_are_limited_together(service: TestService) {
    let condition = json!({"field": "a", "matches": "^[01]{900}$"});
    let rules = |count: usize| -> Value {
        (0..count).map(|number| rule(&format!("R{number}"), "pattern", &condition)).collect()
    };
    let errors = "/rules/11/condition/matches value\n";
    assert_eq!(rule_errors(&service, rules(12)).await, errors);

    // A change of a draft has the same limit.
    let mut body = policy("PAY-01");
    body["rules"] = rules(11);
    let created = service.key.post("/v1/policies", &body).await.expect(201);
    let version = format!("/v1/policies/{}/versions/1", created["policy"]["id"].as_str().unwrap());
    let edit = json!({"expected_revision": 1, "rules": rules(12)});
    assert_eq!(service.key.patch(&version, &edit).await.field_errors(), errors);
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
