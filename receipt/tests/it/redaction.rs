//! Redaction of public receipts.

use contract::{
    evaluation::{NaRule, ReasonCode, Violation},
    json::{Object, Value},
    rule::Severity,
};
use receipt::redaction::redact_values;

use crate::{oracle, vectors::Known as _};

#[test]
fn redacted_result_contains_no_context_values() {
    let mut result = oracle::result();
    let policy_id = result.na_rules[0].policy_id;
    result.violations = vec![Violation {
        rule_code: "R-1".into(),
        severity: Severity::High,
        reason: "iban is \"secret\"".into(),
        reason_code: ReasonCode::ValueForbidden,
        field: Some("iban".into()),
        actual_value: Some("secret".into()),
        expected_value: None,
        details: Some(Object::from([("seen", "secret".into())]).into()),
        policy_id,
        is_shadow: false,
    }];
    result.na_rules =
        vec![NaRule { reason: "iban is \"secret\"".into(), ..result.na_rules[0].clone() }];
    redact_values(&mut result);

    let redacted: Value =
        serde_json::from_str(&serde_json::to_string_pretty(&result).unwrap()).unwrap();
    assert!(!redacted.to_string().contains("secret"));
    assert_eq!(redacted.list("violations")[0].text("reason"), "VALUE_FORBIDDEN");
    assert_eq!(redacted.list("na_rules")[0].text("reason"), "not applicable");
}
