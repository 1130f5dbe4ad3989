//! What is stored proves itself: every digest and signature of a recorded decision can be computed
//! again from bytes at rest, and the stored snapshot decides the stored context as it did then.

mod receipts;
mod stored;

use contract::{
    evaluation::Verdict,
    id::{PolicyId, SnapshotId},
    json::Value,
    time::Timestamp,
};
use governance::demo::SAMPLES;
use serde::Deserialize;

pub(crate) use self::stored::policies;
use self::{receipts::receipt_is_told, stored::proven};
use crate::{
    fixtures::{
        TestEnv, TestTenant, decision_record, limit, list, payment, request, spending, text, value,
        with, world,
    },
    log,
    samples::asked,
};

/// A row of `decisions` with its snapshot.
#[derive(Debug, Deserialize)]
struct Stored {
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

async fn stored(world: &TestEnv, key: &str) -> Stored {
    let row = format!(
        "select d.*, s.digest snapshot_digest, s.body, s.evaluated_rules_hash from decisions d \
         join policy_snapshots s on s.tenant_id = d.tenant_id and s.id = d.snapshot_id \
         where d.idempotency_key = '{key}'"
    );
    world.rows(&row).await.pop().expect("the decision is stored")
}

#[tokio::test]
async fn everything_about_a_worked_decision_can_be_computed_from_what_is_stored() {
    let world = world().await;
    let house = world.tenant("proof").await;
    for file in SAMPLES {
        house.active_policy(value(file).get("policy").unwrap()).await;
    }
    for (file, worked) in SAMPLES.iter().map(|file| value(file)).enumerate() {
        // Each file's decisions are alike in what is stored; a third of them is enough.
        for (number, case) in list(&worked, "contexts").iter().enumerate().step_by(3) {
            let key = format!("{file}-{number}");
            recorded_and_proven(&world, &house, &with(&asked(case), "idempotency_key", &*key))
                .await;
        }
    }
    log::intact(&world, house.tenant).await;
}

#[tokio::test]
async fn everything_about_an_unusual_decision_can_be_computed_from_what_is_stored() {
    let world = world().await;
    let house = world.tenant("proof").await;
    house.active_policy(&spending("PAY", 100)).await;
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
    house.active_policy(&dated).await;
    for (number, request) in unusual().iter().enumerate() {
        let key = format!("unusual-{number}");
        recorded_and_proven(&world, &house, &with(request, "idempotency_key", &*key)).await;
    }
}

fn unusual() -> Vec<Value> {
    [
        // No metadata at all, and a number that has several texts.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1e2}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":100.5},"metadata":{}}}"#,
        // Facts of the transport, which no digest covers.
        r#"{"context":{"decision_type":"payment","fields":{"amount":"7"},"metadata":{
            "ip_address":"203.0.113.7","user_agent":"curl","correlation_id":"mine",
            "timestamp":"2026-11-01T23:59:59.9999+02:00"}}}"#,
        // Evidence with every kind of data, a source artifact and an action.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},"evidence":[
            {"kind":"k","data":null},{"ref":"r","hash":"h"},{},{"data":{"b":1,"a":[2.50,-0]}}],
            "source_artifact":{"type":"PDF","byte_size":3,"hash":"x"}},
            "action":{"type":"pay","reference_id":"r-1","metadata":{"z":1e15,"a":null}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1}},"action":{"type":"pay"}}"#,
        // The actor of the request, of the metadata, and one without an id.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"id":"own","display_name":"Ó"}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"role":"clerk"}}"#,
        // Instants: consulted, not consulted, the server's own.
        r#"{"context":{"decision_type":"dated","fields":{"on":"2026-11-02T09:30:00.001Z"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"on":"soon","y":null,"a":"p","b":"q"},
            "metadata":{"timestamp":"2020-01-01T00:00:00Z","actor_id":"q"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"x":1,"a":1,"b":1.0}}}"#,
        // Names and texts that sort or escape in ways of their own.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1,"\ud83d\ude00":"\u001f\"\\/",
            "\ufb33":"é","e\u0301":"\u2028","":{"":[]}}}}"#,
    ]
    .map(value)
    .into()
}

/// Records a request, and proves all of what is stored about it.
async fn recorded_and_proven(world: &TestEnv, house: &TestTenant, request: &Value) {
    let dry = {
        let mut dry = request.as_object().unwrap().clone();
        dry.remove("idempotency_key");
        dry.remove("action");
        house.evaluate(&dry.into()).await.unwrap().result
    };
    let outcome = house.record(request).await.unwrap();
    assert!(outcome.is_new);
    let stored = stored(world, text(request, "idempotency_key")).await;
    assert_eq!(stored.record, outcome.record, "what is answered is what is stored");
    let record = decision_record(&stored.record);
    assert_eq!(record.result.integrity_hash, dry.integrity_hash);
    assert_eq!(record.result.policy_snapshot_id, dry.policy_snapshot_id);
    proven(&stored, &record, request);
    receipt_is_told(house, &stored, &record).await;
}

#[tokio::test]
async fn shadow_mode_softens_the_verdict_and_says_so() {
    let world = world().await;
    let house = world.tenant("shadow").await;
    let watching = with(&spending("A-WATCHES", 10), "shadow_mode", true);
    let watching = with(&watching, "rules", limit("WATCHED", 10));
    house.active_policy(&watching).await;

    // Alone in force: everything is in shadow mode.
    recorded_and_proven(&world, &house, &request("alone", payment(50))).await;
    let alone = decision_record(&stored(&world, "alone").await.record);
    assert_eq!(alone.decision, Verdict::Alert);
    assert_eq!(alone.result.original_decision, Some(Verdict::Deny));
    assert!(alone.result.is_shadow && alone.result.shadow_converted);
    assert_eq!(alone.policy.code, "A-WATCHES");

    // Beside a policy that is enforced, whose verdict wins.
    house.active_policy(&spending("B-ENFORCES", 100)).await;
    for (key, amount, verdict, original, deciding) in [
        ("none", 5, Verdict::Allow, None, "A-WATCHES"),
        ("first", 50, Verdict::Alert, Some(Verdict::Deny), "A-WATCHES"),
        ("both", 500, Verdict::Deny, None, "B-ENFORCES"),
    ] {
        recorded_and_proven(&world, &house, &request(key, payment(amount))).await;
        let record = decision_record(&stored(&world, key).await.record);
        assert_eq!(record.decision, verdict, "{key}");
        assert_eq!(record.result.original_decision, original, "{key}");
        assert_eq!(record.result.shadow_converted, original.is_some(), "{key}");
        assert!(!record.result.is_shadow, "{key}");
        assert_eq!(record.policy.code, deciding, "{key}");
    }
}
