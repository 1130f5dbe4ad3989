//! All objects of this crate against an independent implementation, byte for byte.

use contract::{
    evaluation::{EvaluationResult, NaRule, Verdict, Violation},
    json::{Limits, Number, Value},
};
use receipt::{
    CanonicalJson, Digest,
    approval::PolicyApproval,
    audit::{self, AuditEvent, Checkpoint, EntityRef},
    dsse::Envelope,
    jwks,
    key::{PayloadType, PublicKey, SigningKey, pae},
    statement::{self, Integrity, ReceiptStatement, SnapshotPolicy},
};

use crate::vectors::{Known as _, json};

pub(crate) fn oracle() -> Value {
    json("service_profile_oracle.json")
}

/// Returns the result of the public receipt.
pub(crate) fn result() -> EvaluationResult {
    from(oracle().at("public_receipt").at("result"))
}

fn from<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_str(&value.to_canonical()).unwrap()
}

fn optional<T: serde::de::DeserializeOwned>(value: &Value, name: &str) -> Option<T> {
    value.get(name).map(from)
}

fn object(name: &str) -> Value {
    let oracle = oracle();
    let object = oracle.list("objects").iter().find(|object| object.text("name") == name);
    object.unwrap_or_else(|| panic!("{name}")).clone()
}

pub(crate) fn signed_object(name: &str) -> Value {
    let oracle = oracle();
    let known = oracle.list("signed_objects").iter().find(|known| known.text("name") == name);
    known.unwrap_or_else(|| panic!("{name}")).clone()
}

fn check(name: &str, canonical: &CanonicalJson) {
    let object = object(name);
    assert_eq!(canonical.text, object.text("canonical"), "{name}");
    assert_eq!(canonical.digest.to_string(), object.text("sha256"), "{name}");
}

fn check_digest(name: &str, digest: Digest) {
    assert_eq!(digest.to_string(), object(name).text("sha256"), "{name}");
}

/// Returns the signing key with this kid, whose seed is in the vectors.
fn signing_key(kid: &str) -> SigningKey {
    let oracle = oracle();
    let keys = oracle.at("test_keys").as_object().unwrap();
    let known = keys.iter().map(|(_, key)| key).find(|key| key.at("jwk").text("kid") == kid);
    SigningKey::from_seed(known.unwrap().bytes("seed_hex").try_into().unwrap())
}

#[test]
fn each_object_has_its_canonical_text() {
    for object in oracle().list("objects") {
        let canonical = CanonicalJson::from_value(object.at("object"));
        assert_eq!(canonical.text, object.text("canonical"), "{}", object.text("name"));
        assert_eq!(canonical.digest.to_string(), object.text("sha256"), "{}", object.text("name"));
    }
}

#[test]
fn context_matches_the_oracle() {
    for name in ["decision_context", "decision_context_edge_cases"] {
        check(name, &statement::context(object(name).at("input")));
    }
}

#[test]
fn evidence_matches_the_oracle() {
    let context = object("decision_context");
    let context = context.at("input");
    check("evidence_manifest", &statement::evidence_manifest(context).unwrap());
    check_digest("evidence_data_0", statement::data_digest(context.list("evidence")[0].at("data")));
    let edge_cases = object("decision_context_edge_cases");
    assert_eq!(statement::evidence_manifest(edge_cases.at("input")), None);
}

fn policies() -> Vec<SnapshotPolicy> {
    statement::read_snapshot(object("policy_snapshot").at("object")).unwrap()
}

#[test]
fn policy_snapshot_does_not_depend_on_policy_order() {
    let mut policies = policies();
    for _ in 0..2 {
        check("policy_snapshot", &statement::snapshot(&policies));
        check("evaluated_rules", &statement::evaluated_rules(&policies));
        policies.reverse();
    }
    check("policy_rules", &statement::rules(&policies[0].rules));
}

#[test]
fn evaluated_rules_match_a_public_record() {
    for case in json("evaluated_rules_hash.json").list("cases") {
        let policy = SnapshotPolicy { rules: case.list("rules").to_vec(), ..policies()[0].clone() };
        let hash = statement::evaluated_rules(&[policy]).digest.to_string();
        assert_eq!(hash, case.text("canonical_sha256"), "{}", case.text("name"));
    }
}

#[test]
fn integrity_matches_the_oracle() {
    for name in ["integrity", "integrity_shadow_with_as_of"] {
        let object = object(name);
        let (known, result) = (object.at("object"), object.at("input_result"));
        let violations: Vec<Violation> = from(result.at("violations"));
        let na_rules: Vec<NaRule> = from(result.at("na_rules"));
        let canonical = statement::integrity(&Integrity {
            decision_type: known.text("decision_type"),
            decision: from(result.at("decision")),
            context_digest: from(known.at("context_digest")),
            policy_snapshot_digest: from(known.at("policy_snapshot_digest")),
            evaluated_rules_hash: from(known.at("evaluated_rules_hash")),
            evidence_manifest_digest: optional(known, "evidence_manifest_digest"),
            violations: &violations,
            na_rules: &na_rules,
            is_shadow: optional(result, "is_shadow").unwrap_or_default(),
            shadow_converted: optional(result, "shadow_converted").unwrap_or_default(),
            original_decision: optional::<Verdict>(result, "original_decision"),
            actor_id: known.get("actor_id").and_then(Value::as_str),
            as_of: optional(known, "as_of"),
            narrowing: None,
        });
        check(name, &canonical);
    }
}

#[test]
fn idempotency_key_and_action_match_the_oracle() {
    let key = object("idempotency_key");
    let key = key.at("object");
    let tenant_id = from(key.at("tenant_id"));
    check_digest(
        "idempotency_key",
        statement::idempotency_key(tenant_id, key.text("idempotency_key")),
    );
    check_digest("action", statement::action(object("action").at("object").at("action")));
}

#[test]
fn receipt_statement_matches_the_oracle() {
    let known = signed_object("receipt_statement");
    let statement = ReceiptStatement::read(known.at("object")).unwrap();
    assert_eq!(statement::receipt(&statement).text, known.text("canonical"));
}

#[test]
fn policy_approval_matches_the_oracle_and_does_not_depend_on_maker_order() {
    let known = signed_object("policy_approval");
    let approval = PolicyApproval::read(known.at("object")).unwrap();
    assert_eq!(approval.canonical().text, known.text("canonical"));
    // Makers may be unsorted and repeated; the statement is the same.
    let (maker, other) = (approval.makers[0], approval.ratifier.user_id);
    let by = |makers| PolicyApproval { makers, ..approval.clone() }.canonical();
    assert_eq!(by(vec![maker, other, maker]), by(vec![other, maker]));
    assert_ne!(by(vec![other, maker]), approval.canonical());
}

#[test]
fn signatures_and_envelopes_match_the_oracle() {
    for known in oracle().list("signed_objects") {
        let name = known.text("name");
        let payload_type = PayloadType::ALL
            .into_iter()
            .find(|payload_type| payload_type.as_str() == known.text("payload_type"))
            .unwrap();
        let statement = CanonicalJson::from_value(known.at("object"));
        assert_eq!(statement.text, known.text("canonical"), "{name}");
        let bytes = pae(payload_type.as_str(), &statement.text);
        assert_eq!(hex::encode(bytes), known.text("pae_hex"), "{name}");

        let key = signing_key(known.text("kid"));
        let signature = key.sign(payload_type, &statement).unwrap();
        assert_eq!((signature.as_str(), signature.len()), (known.text("signature"), 86), "{name}");
        let signed = [(key.kid(), signature.as_str())];
        let envelope = Envelope::new(payload_type, statement, signed).unwrap();
        assert_eq!(&envelope.to_value(), known.at("envelope"), "{name}");
        assert_eq!(Envelope::read(known.at("envelope")), Ok(envelope.clone()), "{name}");
        assert_eq!(envelope.verify(payload_type, key.public()), Ok(()), "{name}");
    }
}

#[test]
fn key_set_matches_the_oracle() {
    let oracle = oracle();
    let known = oracle.at("jwks");
    let keys = jwks::read(known).unwrap();
    let built = jwks::build(&keys);
    assert_eq!(built.at("keys"), known.at("keys"));
    let successor = built.at("deprecation").text("successor");
    assert_eq!(successor, "/v1/.well-known/trust-registry");
    for (_, key) in oracle.at("test_keys").as_object().unwrap() {
        let signing = SigningKey::from_seed(key.bytes("seed_hex").try_into().unwrap());
        assert_eq!(&signing.jwk(), key.at("jwk"));
    }
}

#[test]
fn audit_events_match_the_oracle() {
    for known in oracle().at("audit").list("events") {
        let event = known.at("event");
        let entity_ref = |name| {
            let entity: &Value = event.at(name);
            EntityRef { kind: entity.text("type"), id: entity.text("id") }
        };
        let canonical = audit::event(&AuditEvent {
            tenant_id: from(event.at("tenant_id")),
            seq: from::<Number>(event.at("seq")),
            event_id: from(event.at("event_id")),
            occurred_at: from(event.at("occurred_at")),
            action: event.text("action"),
            actor: entity_ref("actor"),
            object: entity_ref("object"),
            details: event.get("details"),
            personal_digest: optional(event, "personal_digest"),
            prev: optional(event, "prev"),
        });
        assert_eq!(canonical.text, known.text("canonical"));
        assert_eq!(canonical.digest.to_string(), known.text("hash"));
    }
}

#[test]
fn audit_checkpoint_matches_the_oracle() {
    let oracle = oracle();
    let known = oracle.at("audit").at("checkpoint");
    let object = known.at("object");
    let canonical = audit::checkpoint(&Checkpoint {
        tenant_tag: from(object.at("tenant_tag")),
        seq: from::<Number>(object.at("seq")),
        hash: from(object.at("hash")),
        count: from::<Number>(object.at("count")),
    });
    assert_eq!(canonical.text, known.text("canonical"));
    assert_eq!(canonical.digest.to_string(), known.text("sha256"));

    let tenant = "5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e01";
    let preimage =
        format!(r#"{{"salt":"00ff","schema":"service-tenant-tag/v1","tenant_id":"{tenant}"}}"#);
    let tag = audit::tenant_tag(tenant.parse().unwrap(), &[0, 255]);
    assert_eq!(tag, Digest::compute(preimage.as_bytes()));
}

#[test]
fn personal_digest_binds_data_and_salt() {
    let data = Value::parse(br#"{"name":"A"}"#, &Limits::REQUEST).unwrap();
    let preimage = r#"{"data":{"name":"A"},"salt":"00ff","schema":"service-audit-personal/v1"}"#;
    assert_eq!(audit::personal_digest(&[0, 255], &data), Digest::compute(preimage.as_bytes()));
    let preimage = r#"{"email":"müller@example.org","salt":"00ff","schema":"service-email/v1"}"#;
    let digest = audit::email_digest(&[0, 255], "MÜLLER@Example.org");
    assert_eq!(digest, Digest::compute(preimage.as_bytes()));
}

#[test]
fn receipt_of_version_1_verifies() {
    let oracle = oracle();
    let receipt = oracle.at("receipt_v1");
    let key = signing_key(receipt.text("kid"));
    let hash: Digest = from(receipt.at("integrity_hash"));
    assert_eq!(hash.to_string().as_bytes(), receipt.bytes("signed_bytes_hex"));
    assert_eq!(key.public().verify_v1(hash, receipt.text("signature")), Ok(()));
    let other = Digest::compute(b"other");
    assert!(key.public().verify_v1(other, receipt.text("signature")).is_err());
    let preimage = format!(r#"{{"integrity_hash":"{hash}","schema":"service-receipt/v1"}}"#);
    assert_eq!(statement::receipt_v1(hash).digest, Digest::compute(preimage.as_bytes()));
}

#[test]
fn public_receipt_matches_its_statement() {
    let oracle = oracle();
    let receipt = oracle.at("public_receipt");
    let key = PublicKey::from_jwk(oracle.at("test_keys").at("receipt").at("jwk")).unwrap();
    assert_eq!(receipt.text("signature_kid"), key.kid());
    let text = receipt.at("statement").to_canonical();
    assert_eq!(key.verify(PayloadType::Receipt, &text, receipt.text("signature")), Ok(()));
    let action = statement::action(receipt.at("result").at("action"));
    assert_eq!(action.to_string(), receipt.at("statement").text("action_digest"));
}
