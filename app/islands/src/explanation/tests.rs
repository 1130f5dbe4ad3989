//! A decision over two policies, one of them in shadow mode.

use contract::decision::DecisionRecord;

use super::*;

const ID: &str = "00000000-0000-0000-0000-000000000000";
const OTHER: &str = "00000000-0000-0000-0000-000000000001";

fn record() -> DecisionRecord {
    let digest = "0".repeat(64);
    let text = format!(
        r#"{{
        "id": "{ID}", "tenant_id": "{ID}", "idempotency_key": "k", "decision_type": "payment",
        "decision": "DENY", "context": {{"decision_type": "payment", "fields": {{}}}},
        "policy_snapshot_id": "{ID}", "correlation_id": "c",
        "recorded_at": "2026-11-20T23:04:11.302Z", "created_at": "2026-11-20T23:04:11.302Z",
        "governance_source": {{"tenant_id": "{ID}", "tenant_name": "Acme", "level": 0}},
        "policy": {{"id": "{ID}", "code": "PAY", "name": "Payments", "version": 17}},
        "evaluated_policies": [
            {{"policy_id": "{OTHER}", "policy_code": "NEW", "policy_name": "Trial", "version": 1,
              "shadow_mode": true, "rules": [{{"code": "N-1"}}], "regulatory_refs": []}},
            {{"policy_id": "{ID}", "policy_code": "PAY", "policy_name": "Payments", "version": 17,
              "shadow_mode": false, "regulatory_refs": [],
              "rules": [{{"code": "P-1"}}, {{"code": "P-2"}}, {{"code": "P-3"}}]}}
        ],
        "result": {{
            "decision": "DENY", "rules_evaluated": 3, "rules_na": 1, "evaluation_time_ms": 0.5,
            "timestamp": "2026-11-20T23:04:11.302Z", "policy_snapshot_id": "{ID}",
            "policy_snapshot_digest": "{digest}", "evaluated_rules_hash": "{digest}",
            "integrity_hash": "{digest}", "receipt_schema_version": 2,
            "na_rules": [{{"rule_code": "P-2", "policy_id": "{ID}", "when": {{}},
                           "reason": "kind is \"old\", not \"new\""}}],
            "violations": [
                {{"rule_code": "P-3", "severity": "high", "reason": "amount was 9; expected <= 5",
                  "reason_code": "VALUE_ABOVE_MAX", "field": "amount", "actual_value": 9,
                  "expected_value": {{"max": 5}}, "policy_id": "{ID}", "is_shadow": false}},
                {{"rule_code": "N-1", "severity": "critical", "reason": "x is missing",
                  "reason_code": "FIELD_MISSING", "field": "x", "policy_id": "{OTHER}",
                  "is_shadow": true}}
            ]
        }}
    }}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn explain_record(record: &DecisionRecord) -> Vec<PolicyExplanation> {
    policies(&record.evaluated_policies, &record.result, &RuleBook::new())
}

#[test]
fn violations_come_first_and_shadow_policies_last() {
    let policies = explain_record(&record());
    assert_eq!(policies.iter().map(|policy| policy.shadow).collect::<Vec<_>>(), [false, true]);
    let codes: Vec<_> = policies[0].rules.iter().map(|rule| rule.code.as_str()).collect();
    assert_eq!(codes, ["P-3", "P-2", "P-1"]);
    assert_eq!(Counts::of(&policies), Counts { violated: 2, not_applicable: 1, passed: 1 });
}

#[test]
fn the_summary_ignores_shadow_violations() {
    let record = record();
    let counts = Counts::of(&explain_record(&record));
    assert_eq!(
        summary(&record.evaluated_policies, &record.result, counts),
        ["1 high violation in Payments v17.", "4 rules: 1 passed, 2 violated, 1 not applicable."]
    );
}

#[test]
fn a_violated_rule_names_its_source() {
    let rule = |code: &str| {
        let text = format!(
            r#"{{"code": "{code}", "rule_type": "threshold", "severity": "high",
                "condition": {{"field": "amount", "max": 5}},
                "source_ref": {{"document": "Manual", "section": "4.2"}}}}"#
        );
        serde_json::from_str::<Rule>(&text).unwrap()
    };
    let record = record();
    let policy = record.evaluated_policies[1].policy_id;
    let book = ["P-1", "P-3"].map(|code| ((policy, code.to_owned()), rule(code)));
    let policies = policies(&record.evaluated_policies, &record.result, &book.into());
    let sources = policies[0].rules.iter().filter_map(|rule| {
        let section = rule.source.as_ref()?.section.as_deref()?;
        Some((rule.code.as_str(), section))
    });
    assert_eq!(sources.collect::<Vec<_>>(), [("P-3", "4.2")]);
}
