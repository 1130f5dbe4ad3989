//! Cost of one record: the digests of a decision and a self-verified signature.

use std::hint::black_box;

use contract::{
    evaluation::Verdict,
    id::{DecisionId, SnapshotId, TenantId},
    json::{Limits, Value},
    time::Timestamp,
};
use criterion::{Criterion, criterion_group, criterion_main};
use receipt::{
    CanonicalJson, Digest,
    key::{PayloadType, SigningKey},
    statement::{self, Integrity, ReceiptStatement},
};

const CONTEXT: &[u8] = br#"{"decision_type":"expense_approval","fields":{"amount":3751.5,
    "cost_centre":"CC-3","currency":"EUR","vendor":"Example Supplies","approved":true,"items":3},
    "metadata":{"actor_id":"agent-7","correlation_id":"corr-3","ip_address":"192.0.2.1"},
    "evidence":[{"kind":"invoice","ref":"urn:example:42","data":{"lines":2,"total":3751.5}}]}"#;

/// Computes all digests of one record and returns its statement.
fn digests(context: &Value, time: Timestamp) -> CanonicalJson {
    let nil = "00000000-0000-0000-0000-000000000000";
    let tenant_id: TenantId = nil.parse().expect("an id");
    let decision_id: DecisionId = nil.parse().expect("an id");
    let policy_snapshot_id: SnapshotId = nil.parse().expect("an id");
    let snapshot = Digest::from([1; 32]);
    let evidence_manifest_digest =
        statement::evidence_manifest(context).map(|manifest| manifest.digest);
    let integrity = statement::integrity(&Integrity {
        decision_type: "expense_approval",
        decision: Verdict::Allow,
        context_digest: statement::context(context).digest,
        policy_snapshot_digest: snapshot,
        evaluated_rules_hash: snapshot,
        evidence_manifest_digest,
        violations: &[],
        na_rules: &[],
        is_shadow: false,
        shadow_converted: false,
        original_decision: None,
        actor_id: Some("agent-7"),
        as_of: None,
        narrowing: None,
    });
    statement::receipt(&ReceiptStatement {
        tenant_id,
        decision_id,
        decision_type: "expense_approval",
        decision: Verdict::Allow,
        timestamp: time,
        recorded_at: time,
        integrity_hash: integrity.digest,
        policy_snapshot_id,
        policy_snapshot_digest: snapshot,
        evidence_manifest_digest,
        idempotency_key_digest: statement::idempotency_key(tenant_id, "order-3"),
        action_digest: None,
        chain: None,
        kid: Some("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
    })
}

fn record(criterion: &mut Criterion) {
    let context = Value::parse(CONTEXT, &Limits::REQUEST).expect("a context");
    let time = Timestamp::from_millis(1_788_256_803_250).expect("a timestamp");
    criterion.bench_function("record/digests", |bench| {
        bench.iter(|| digests(black_box(&context), time));
    });
    let key = SigningKey::from_seed([7; 32]);
    let statement = digests(&context, time);
    criterion.bench_function("record/sign", |bench| {
        bench.iter(|| key.sign(PayloadType::Receipt, black_box(&statement)));
    });
}

criterion_group!(benches, record);
criterion_main!(benches);
