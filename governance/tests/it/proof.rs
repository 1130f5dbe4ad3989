//! Stored decisions: every digest and signature can be recomputed from the stored bytes, and
//! evaluating the stored snapshot with the stored context gives the recorded result.

mod receipts;
mod stored;

use contract::{evaluation::Verdict, id::SnapshotId, time::Timestamp};
use governance::proof::trust_registry;
use receipt::key::SigningKey;
use serde::Deserialize;

pub(crate) use self::stored::snapshot_policies;
use self::{receipts::assert_receipt_matches, stored::assert_recomputable};
use crate::prelude::*;

/// A row of `decisions` joined with its snapshot.
#[derive(Debug, Deserialize)]
struct StoredDecision {
    id: String,
    idempotency_key: String,
    request_digest: String,
    decision_type: String,
    decision: String,
    correlation_id: String,
    policy_id: String,
    policy_version: u32,
    snapshot_id: SnapshotId,
    actor_id: Option<String>,
    policy_ids: Vec<PolicyId>,
    rule_codes: Vec<String>,
    severity: Option<String>,
    shadow_converted: bool,
    recorded_at: Timestamp,
    record: String,
    context: String,
    integrity: String,
    statement: String,
    receipt_digest: String,
    signature: Option<String>,
    kid: Option<String>,
    snapshot_digest: String,
    body: String,
    evaluated_rules_hash: String,
}

async fn stored_decision(env: &TestEnv, key: &str) -> StoredDecision {
    env.decompress_decisions().await;
    let row = format!(
        "select d.*, decision_text(d.texts, 1) record, decision_text(d.texts, 2) context, \
         decision_text(d.texts, 3) integrity, decision_text(d.texts, 4) statement, \
         s.digest snapshot_digest, s.body, s.evaluated_rules_hash from decisions d \
         join policy_snapshots s on s.tenant_id = d.tenant_id and s.id = d.snapshot_id \
         where d.idempotency_key = '{key}'"
    );
    env.rows(&row).await.pop().expect("the decision is stored")
}

#[testkit::test]
async fn unusual_decisions_can_be_recomputed_from_stored_rows(env: TestEnv) {
    let tenant = env.tenant("proof").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let dated = value(
        r#"{"code":"DATED","name":"Dated","decision_types":["dated"],"rules":[
            {"code":"NEW","rule_type":"temporal","severity":"low",
             "condition":{"field":"on","check":"not_future"}},
            {"code":"OFF","is_active":false,"rule_type":"presence","severity":"critical",
             "condition":{"required_fields":["never"]}},
            {"code":"GATED","rule_type":"distinct","severity":"medium","when":{"any":[
                {"field":"x","equals":1},{"field":"y","exists":true}]},
             "condition":{"fields":["a","b"],"include_actor":true}}]}"#,
    );
    tenant.active_policy(&dated).await;
    for (number, request) in unusual_requests().iter().enumerate() {
        let key = format!("unusual-{number}");
        record_and_verify(&env, &tenant, &with(request, "idempotency_key", &*key)).await;
    }
}

fn unusual_requests() -> Vec<Value> {
    [
        // No metadata, and a number with several text forms.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1e2}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":100.5},"metadata":{}}}"#,
        // Transport metadata, which no digest covers.
        r#"{"context":{"decision_type":"payment","fields":{"amount":"7"},"metadata":{
            "ip_address":"203.0.113.7","user_agent":"curl","correlation_id":"mine",
            "timestamp":"2026-11-01T23:59:59.9999+02:00"}}}"#,
        // Evidence with each kind of data, a source artifact and an action.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},"evidence":[
            {"kind":"k","data":null},{"ref":"r","hash":"h"},{},{"data":{"b":1,"a":[2.50,-0]}}],
            "source_artifact":{"type":"PDF","byte_size":3,"hash":"x"}},
            "action":{"type":"pay","reference_id":"r-1","metadata":{"z":1e15,"a":null}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1}},"action":{"type":"pay"}}"#,
        // The actor of the request, the actor of the metadata, and an actor without an ID.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"id":"own","display_name":"Ó"}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"role":"clerk"}}"#,
        // Timestamps: used by a rule, not used by a rule, and the server's own.
        r#"{"context":{"decision_type":"dated","fields":{"on":"2026-11-02T09:30:00.001Z"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"on":"soon","y":null,"a":"p","b":"q"},
            "metadata":{"timestamp":"2020-01-01T00:00:00Z","actor_id":"q"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"x":1,"a":1,"b":1.0}}}"#,
        // Names and texts with special sorting or escaping.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1,"\ud83d\ude00":"\u001f\"\\/",
            "\ufb33":"é","e\u0301":"\u2028","":{"":[]}}}}"#,
    ]
    .map(value)
    .into()
}

/// Records a request and verifies everything stored about it.
async fn record_and_verify(env: &TestEnv, tenant: &TestTenant, request: &Value) {
    let dry = {
        let mut dry = request.as_object().unwrap().clone();
        dry.remove("idempotency_key");
        dry.remove("action");
        let dry = dry.into();
        let response = tenant.evaluate(&dry).await.unwrap();
        let text = tenant.evaluate_text(&dry).await.unwrap();
        assert_eq!(text, serde_json::to_string(&response).unwrap(), "a response has one text form");
        response.result
    };
    let recorded = tenant.record(request).await.unwrap();
    assert!(recorded.is_new);
    let stored = stored_decision(env, text(request, "idempotency_key")).await;
    assert_eq!(stored.record, recorded.record, "the response is the stored record");
    let record = decision_record(&stored.record);
    assert_eq!(record.result.integrity_hash, dry.integrity_hash);
    assert_eq!(record.result.policy_snapshot_id, dry.policy_snapshot_id);
    if trust_registry::trust_document(&env.governance).await.is_err() {
        trust_registry::init(&env.governance, &[SigningKey::from_seed([31; 32])], 1).await.unwrap();
    }
    assert_recomputable(tenant, &stored, &record, request).await;
    assert_receipt_matches(tenant, &stored, &record).await;
}

#[testkit::test]
async fn shadow_mode_converts_the_verdict_and_reports_the_original(env: TestEnv) {
    let tenant = env.tenant("shadow").await;
    let shadow = with(&spending("A-SHADOW", 10), "shadow_mode", true);
    let shadow = with(&shadow, "rules", limit("SHADOW-LIMIT", 10));
    tenant.active_policy(&shadow).await;

    // The only active policy is in shadow mode.
    record_and_verify(&env, &tenant, &request("alone", payment(50))).await;
    let alone = decision_record(&stored_decision(&env, "alone").await.record);
    assert_eq!(alone.decision, Verdict::Alert);
    assert_eq!(alone.result.original_decision, Some(Verdict::Deny));
    assert!(alone.result.is_shadow && alone.result.shadow_converted);
    assert_eq!(alone.policy.code, "A-SHADOW");

    // The verdict of an enforced policy takes precedence.
    tenant.active_policy(&spending("B-ENFORCED", 100)).await;
    for (key, amount, verdict, original, deciding) in [
        ("none", 5, Verdict::Allow, None, "A-SHADOW"),
        ("first", 50, Verdict::Alert, Some(Verdict::Deny), "A-SHADOW"),
        ("both", 500, Verdict::Deny, None, "B-ENFORCED"),
    ] {
        record_and_verify(&env, &tenant, &request(key, payment(amount))).await;
        let record = decision_record(&stored_decision(&env, key).await.record);
        assert_eq!(record.decision, verdict, "{key}");
        assert_eq!(record.result.original_decision, original, "{key}");
        assert_eq!(record.result.shadow_converted, original.is_some(), "{key}");
        assert!(!record.result.is_shadow, "{key}");
        assert_eq!(record.policy.code, deciding, "{key}");
    }
}
