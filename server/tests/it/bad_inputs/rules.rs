//! Rules that cannot be evaluated are rejected when they are written.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::service::{TestService, policy, test_service};

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

#[tokio::test]
async fn each_invalid_rule_is_reported_with_its_path() {
    let service = test_service().await;
    let conditions = [
        ("presence", json!({})),
        ("presence", json!({"required_fields": []})),
        ("presence", json!({"required_fields": [""]})),
        ("presence", json!({"min_length": {"a": 0}})),
        ("threshold", json!({"field": "a"})),
        ("threshold", json!({"field": "a", "min": 2, "max": 1})),
        ("threshold", json!({"field": "a", "min": "1"})),
        ("list", json!({"field": "a"})),
        ("list", json!({"field": "a", "allowed": [1], "forbidden": [2]})),
        ("temporal", json!({"field": "a"})),
        ("temporal", json!({"field": "a", "check": "expired"})),
        ("temporal", json!({"field": "a", "not_before": "2026-02-30"})),
        ("temporal", json!({"field": "a", "max_age_days": -1})),
        ("pattern", json!({"field": "a", "matches": "("})),
        ("pattern", json!({"field": "a", "matches": "(?=a)"})),
        ("pattern", json!({"field": "a", "matches": "a", "forbids": "b"})),
        ("pattern", json!({"field": "a", "matches": "a".repeat(1_001)})),
        ("pattern", json!({"field": "a", "matches": "((a{100}){100}){100}"})),
        ("comparison", json!({"left": "a", "operator": "eq"})),
        ("comparison", json!({"left": "a", "operator": "==", "right": "b"})),
        ("comparison", json!({"left": "a", "operator": "eq", "right": "b", "right_value": 1})),
        ("evidence", json!({"required_kinds": []})),
        ("distinct", json!({"fields": ["a"]})),
        ("distinct", json!([])),
        ("presence", json!({"required_fields": ["a"], "max": 1})),
        ("pattern", json!({"field": "a", "matches": "[01]*1[01]{2900}[a-z]"})),
        ("pattern", json!({"field": "a", "forbids": "^[01]{1001}$"})),
    ];
    let rules = conditions
        .iter()
        .enumerate()
        .map(|(number, (rule_type, condition))| rule(&format!("R{number}"), rule_type, condition));
    assert_snapshot!(rule_errors(&service, rules.collect()).await, @"
    /rules/0/condition/required_fields required
    /rules/1/condition/required_fields too_few
    /rules/2/condition/required_fields/0 too_short
    /rules/3/condition/min_length/a range
    /rules/4/condition/min required
    /rules/5/condition/min order
    /rules/6/condition/min type
    /rules/7/condition/allowed required
    /rules/8/condition/forbidden conflict
    /rules/9/condition/check required
    /rules/10/condition/check enum
    /rules/11/condition/not_before format
    /rules/12/condition/max_age_days range
    /rules/13/condition/matches format
    /rules/14/condition/matches format
    /rules/15/condition/forbids conflict
    /rules/16/condition/matches too_long
    /rules/17/condition/matches value
    /rules/18/condition/right required
    /rules/19/condition/operator enum
    /rules/20/condition/right_value conflict
    /rules/21/condition/required_kinds too_few
    /rules/22/condition/fields too_few
    /rules/23/condition type
    /rules/24/condition/max unknown
    /rules/25/condition/matches value
    /rules/26/condition/forbids value
    ");
}

#[tokio::test]
async fn patterns_of_a_version_are_limited_together() {
    let service = test_service().await;
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

#[tokio::test]
async fn rules_with_the_same_code_are_rejected() {
    let service = test_service().await;
    let condition = json!({"required_fields": ["a"]});
    let rules = json!([
        rule("A", "presence", &condition),
        rule("B", "presence", &condition),
        rule("A", "presence", &condition),
        rule("A", "presence", &condition),
    ]);
    assert_snapshot!(rule_errors(&service, rules).await, @"
    /rules/2/code duplicate
    /rules/3/code duplicate
    ");
}

#[tokio::test]
async fn a_rule_requires_a_known_severity() {
    let service = test_service().await;
    let mut missing = rule("A", "presence", &json!({"required_fields": ["a"]}));
    missing.as_object_mut().unwrap().remove("severity");
    let mut unknown = rule("B", "presence", &json!({"required_fields": ["a"]}));
    unknown["severity"] = json!("HIGH");
    assert_snapshot!(rule_errors(&service, json!([missing, unknown])).await, @"
    /rules/0/severity required
    /rules/1/severity enum
    ");
}

#[tokio::test]
async fn a_gate_is_validated_as_strictly_as_a_condition() {
    let service = test_service().await;
    let mut deep = json!({"field": "a", "exists": true});
    for _ in 0..9 {
        deep = json!({"all": [deep]});
    }
    let gates = [
        json!({}),
        json!({"field": "a"}),
        json!({"field": "a", "equals": null}),
        json!({"field": "a", "equals": 1, "exists": true}),
        json!({"field": "a", "in": []}),
        json!({"field": "a", "in": [[1]]}),
        json!({"field": "a", "exists": "yes"}),
        json!({"field": "a", "exists": true, "case_sensitive": false}),
        json!({"all": []}),
        json!({"any": [{"feld": "a", "exists": true}]}),
        json!([]),
        deep,
    ];
    let rules = gates.iter().enumerate().map(|(number, gate)| {
        let mut rule = rule(&format!("R{number}"), "presence", &json!({"required_fields": ["a"]}));
        rule["when"] = gate.clone();
        rule
    });
    assert_snapshot!(rule_errors(&service, rules.collect()).await, @"
    /rules/0/when/field required
    /rules/0/when/equals required
    /rules/1/when/equals required
    /rules/2/when/equals required
    /rules/3/when/exists conflict
    /rules/4/when/in too_few
    /rules/5/when/in/0 type
    /rules/6/when/exists type
    /rules/7/when/case_sensitive unknown
    /rules/8/when/all type
    /rules/9/when/any/0/field required
    /rules/9/when/any/0/feld unknown
    /rules/10/when type
    /rules/11/when/all/0/all/0/all/0/all/0/all/0/all/0/all/0/all/0/all too_deep
    ");
}

#[tokio::test]
async fn an_unknown_rule_type_has_its_own_error_code() {
    let service = test_service().await;
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

#[tokio::test]
async fn a_version_has_at_most_a_thousand_rules() {
    let service = test_service().await;
    let many = |count: usize| -> Value {
        let condition = json!({"required_fields": ["a"]});
        (0..count).map(|number| rule(&format!("R{number}"), "presence", &condition)).collect()
    };
    assert_snapshot!(rule_errors(&service, many(1_001)).await, @"/rules too_many");
    let mut body = policy("PAY-01");
    body["rules"] = many(1_000);
    service.key.post("/v1/policies", &body).await.expect(201);
}

#[tokio::test]
async fn a_rejected_policy_is_not_stored() {
    let service = test_service().await;
    rule_errors(&service, json!([rule("A", "presence", &json!({}))])).await;
    assert_eq!(service.sql("select code from policies").await, [""; 0]);
    service.key.post("/v1/policies", &policy("PAY-01")).await.expect(201);
}
