//! Receipts of schema version 1, which have no statement: they remain readable and verifiable.

use contract::verification::Claim;
use ed25519_dalek::Signer as _;
use receipt::digest::Digest;

use super::id;
use crate::prelude::*;

const V1_ID: &str = "01d00000-0000-4000-8000-000000000001";

/// The integrity hash in the test vectors.
const HASH: &str = "9f063534a602280e411ccfedbed74442c80736a7f0018d929174fec818f9336d";

/// Inserts a decision whose receipt has schema version 1.
async fn insert_v1_decision(service: &TestService) {
    service.active("PAY-01").await;
    let mut record = service.record("k", 20_000).await;
    let signer = ed25519_dalek::SigningKey::from_bytes(&[9; 32]);
    let signature = signer.sign(HASH.as_bytes()).to_bytes();
    record["id"] = json!(V1_ID);
    record["idempotency_key"] = json!("old");
    let result = record["result"].as_object_mut().expect("an object");
    result.remove("receipt_schema_version");
    result.remove("policy_snapshot_digest");
    result.insert("integrity_hash".into(), json!(HASH));
    let signature = base64(&signature);
    result.insert("signature".into(), json!(signature));
    result.insert("signature_kid".into(), json!("receipts 2025"));
    result.insert("signature_algorithm".into(), json!("ed25519"));
    let text = record.to_string().replace('\'', "''");
    service.decompress_decisions().await;
    let insert = format!(
        "insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest, \
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, \
             actor_id, policy_ids, rule_codes, recorded_at, texts, receipt_digest, signature, \
             kid, receipt_schema_version) \
         select tenant_id, '{V1_ID}', 1000000, 'old', request_digest, decision_type, decision, \
             correlation_id, policy_id, policy_version, snapshot_id, actor_id, policy_ids, \
             rule_codes, recorded_at, \
             convert_to(concat_ws(E'\\n', '{text}', decision_text(texts, 2), '', ''), 'UTF8'), \
             '\\x{}', '{signature}', 'receipts 2025', 1 \
         from decisions",
        receipt::statement::receipt_v1(HASH.parse().expect("a digest")).digest,
    );
    service.sql(&insert).await;
    let insert = "insert into public_ids (tenant_id, id, kind) \
                  select tenant_id, id, 'decision' from decisions where sequence = 1000000";
    service.sql(insert).await;
}

fn base64(bytes: &[u8]) -> String {
    use ::base64::Engine as _;
    ::base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

#[testkit::test]
async fn v1_receipt_is_returned_and_verifies(service: TestService) {
    insert_v1_decision(&service).await;
    let receipt = service.public.get(format!("/v1/receipts/{V1_ID}")).await.expect(200);
    assert_eq!(receipt["receipt_schema_version"], 1);
    for absent in ["statement", "payload_type"] {
        assert_eq!(receipt.get(absent), None, "{absent}");
    }
    assert_eq!(receipt["result"].get("policy_snapshot_digest"), None);
    assert_eq!(receipt["signature_kid"], "receipts 2025");
    assert_eq!(receipt["signature_algorithm"], "ed25519");

    let key = &service.published_keys().await[0];
    let hash: Digest = text(&receipt["result"]["integrity_hash"]).parse().unwrap();
    let signature = text(&receipt["signature"]);
    assert_eq!(key.verify_v1(hash, signature), Ok(()));
    key.verify_v1(Digest::compute(b"another"), signature).unwrap_err();
}

#[testkit::test]
async fn v1_decision_can_be_read_listed_exported_and_replayed(service: TestService) {
    insert_v1_decision(&service).await;
    let read = service.key.get(format!("/v1/decisions/{V1_ID}")).await.expect(200);
    assert_eq!(id(&read), V1_ID);
    let list = service.key.get("/v1/decisions?idempotency_key=old").await.expect(200);
    assert_eq!(list["items"], json!([read]));
    let path =
        format!("/v1/decisions/export?{}&idempotency_key=old&format=csv", crate::routes::EVER);
    assert!(service.key.get(path).await.text.contains(HASH));

    // The hash has a format that is no longer created: it is returned but not compared.
    let replay =
        service.key.call("POST", format!("/v1/decisions/{V1_ID}/replay")).await.expect(200);
    assert_eq!(replay["original"]["integrity_hash"], HASH);
    assert_ne!(replay["replay"]["integrity_hash"], HASH);
    assert_eq!(replay["differences"], json!([]));
    assert_eq!(replay["matches"], Value::Bool(true));
}

#[testkit::test]
async fn v1_bundle_has_no_failed_claim(service: TestService) {
    insert_v1_decision(&service).await;
    crate::trust::create_registry(&service).await;
    let bundle = service.public.get(format!("/v1/receipts/{V1_ID}/bundle")).await;
    assert_eq!(bundle.status, 200, "{}", bundle.text);
    let trust = crate::trust::current_trust(&service).await;
    let report = verify::verify(bundle.text.as_bytes(), &trust, &verify::Options::default());
    assert_eq!(report.overall, verify::Overall::Incomplete);
    let unbound = report.claim(Claim::Evaluation).and_then(|claim| claim.code);
    assert_eq!(unbound, Some(verify::Code::NotBoundByV1));
}
