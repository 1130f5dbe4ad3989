//! Replays: re-evaluation of stored decisions.

use super::{id, policy_with};
use crate::prelude::*;

async fn replay(service: &TestService, decision: &Value) -> Value {
    let path = format!("/v1/decisions/{}/replay", id(decision));
    service.key.post(path, &json!({})).await.expect(200)
}

#[testkit::test]
async fn replay_matches_the_record_after_policies_change(service: TestService) {
    let version = service.active("PAY-01").await;
    let decision = service.record("k", 20_000).await;
    assert_eq!(decision["decision"], "DENY");
    let next = service.successor(&version, &rules(1_000_000)).await;
    service.activate(&next).await;
    assert_eq!(service.record("later", 20_000).await["decision"], "REVIEW");

    service.clock.advance(MINUTE_MS);
    let count = "select (select count(*) from decisions) || ' ' || \
                 (select count(*) from policy_snapshots) || ' ' || (select count(*) from audit_events)";
    let before = service.sql(count).await;
    let replay = replay(&service, &decision).await;
    assert_eq!(service.sql(count).await, before, "a replay writes nothing");
    assert_eq!(replay["matches"], true);
    assert_eq!(replay["differences"], json!([]));
    for side in ["original", "replay"] {
        let side = replay[side].as_object().unwrap();
        let names: Vec<&String> = side.keys().collect();
        assert_eq!(names, ["decision", "integrity_hash", "violations"]);
        for (name, value) in side {
            assert_eq!(value, &decision["result"][name], "{name}");
        }
    }
}

#[testkit::test]
async fn replay_uses_the_recorded_time_actor_and_evidence(service: TestService) {
    let rules = json!([
        {"code": "FRESH", "severity": "high", "rule_type": "temporal",
         "condition": {"field": "valid_to", "check": "not_expired"}},
        {"code": "PAPER", "severity": "high", "rule_type": "evidence",
         "condition": {"required_kinds": ["invoice"]}},
        {"code": "PEOPLE", "severity": "high", "rule_type": "distinct",
         "condition": {"fields": ["payee", "payer"], "include_actor": true}},
    ]);
    service.active_policy(&policy_with("PAPERS", &rules)).await;

    let context = json!({
        "decision_type": "payment",
        "fields": {"valid_to": "2026-09-01T10:00:30Z", "payee": "ann", "payer": "bob"},
        "evidence": [{"kind": "invoice", "data": {"total": 1}, "hash": "0".repeat(64)}],
    });
    let body = json!({"idempotency_key": "k", "context": context, "actor": {"id": "ann"}});
    let decision = record(&service.key, &body).await;
    let codes: Vec<&Value> = decision["result"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| &violation["reason_code"])
        .collect();
    assert_eq!(codes, ["EVIDENCE_HASH_MISMATCH", "VALUES_NOT_DISTINCT"]);

    // The date has passed by now; the replay uses the time of the record.
    service.clock.advance(MINUTE_MS);
    assert_eq!(replay(&service, &decision).await["matches"], true);
    let metadata = json!({"timestamp": "2026-08-01T00:00:00+02:00", "actor_id": "bob"});
    let mut context = context.clone();
    context["metadata"] = metadata;
    let dated = json!({"idempotency_key": "dated", "context": context});
    let dated = record(&service.key, &dated).await;
    service.clock.advance(MINUTE_MS);
    assert_eq!(replay(&service, &dated).await["matches"], true);
}

#[testkit::test]
async fn replay_of_a_tampered_record_lists_the_differences(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k", 20_000).await;
    service.decompress_decisions().await;
    let tamper = "update decisions set texts = change_text(texts, 2, '20000', '30000')";
    service.change_rows("decisions", tamper).await;
    let replay = replay(&service, &decision).await;
    assert_eq!(replay["matches"], false);
    let paths: Vec<&Value> = replay["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| &difference["path"])
        .collect();
    assert_eq!(paths, ["/integrity_hash", "/violations/0/actual_value", "/violations/0/reason"]);
    let value = &replay["differences"][1];
    assert_eq!(value["original"], 20_000);
    assert_eq!(value["replay"], 30_000);
    assert_eq!(replay["original"]["integrity_hash"], decision["result"]["integrity_hash"]);
}

#[testkit::test]
async fn replay_of_a_shadow_verdict_matches_the_converted_verdict(service: TestService) {
    let mut shadow = crate::service::policy("SHADOW");
    shadow["shadow_mode"] = json!(true);
    service.active_policy(&shadow).await;
    create_draft(service.author().await, "INACTIVE").await;
    let decision = record(&service.key, &request("k", 20_000)).await;
    assert_eq!(decision["decision"], "ALERT");
    assert_eq!(replay(&service, &decision).await["matches"], true);
}
