//! Comparison of a stored decision with its request and its response. The offline verifier evaluates it again.

use contract::{decision::DecisionRecord, rule::Severity};
use governance::{
    bundle::{self, BundleSource, Format},
    proof::trust_registry,
};
use receipt::{canonical_json::CanonicalJson, digest::Digest, statement};
use verify::{Options, Status, Trust, TrustDocument, verify};

use super::StoredDecision;
use crate::prelude::*;

/// Returns the text of a digest in a row that was read as JSON.
fn bytea(digest: Digest) -> String {
    format!("\\x{digest}")
}

/// Asserts that every column and preimage of a stored decision matches its request and response, and that its bundle
/// verifies.
pub(super) async fn assert_recomputable(
    tenant: &TestTenant,
    stored: &StoredDecision,
    record: &DecisionRecord,
    request: &Value,
) {
    assert_eq!(stored.request_digest, bytea(CanonicalJson::from_value(request).digest));
    assert_columns_match(stored, record);
    assert_context_matches(stored, record, request);
    let digest = |text: &str| Digest::compute(text.as_bytes());
    let result = &record.result;
    assert_eq!(digest(&stored.integrity).to_string(), result.integrity_hash);
    assert_eq!(digest(&stored.body).to_string(), stored.snapshot_digest);
    assert_eq!(Some(&stored.snapshot_digest), result.policy_snapshot_digest.as_ref());
    assert_eq!(stored.evaluated_rules_hash, result.evaluated_rules_hash);
    assert_eq!(bytea(digest(&stored.statement)), stored.receipt_digest);
    let signature = result.signature.as_ref().expect("the test key signs");
    assert_eq!(Some(&signature.signature), stored.signature.as_ref());
    assert_eq!(Some(&signature.signature_kid), stored.kid.as_ref());
    assert_bundle_verifies(tenant, record).await;
}

/// Asserts that the offline verifier finds each claim true, except that the decision is not in a log yet.
async fn assert_bundle_verifies(tenant: &TestTenant, record: &DecisionRecord) {
    let governance = &tenant.governance;
    let public = governance.public(governance.correlation_id());
    let source = BundleSource::Decision(record.id);
    let export = bundle::export(&public, source, Format::Archive).await.unwrap();
    let document = trust_registry::trust_document(governance).await.unwrap().to_canonical();
    let trust = Trust::new(TrustDocument::read(document.as_bytes()).unwrap()).unwrap();
    let report = verify(&export.bytes, &trust, &Options::default());
    let is_open = |status| !matches!(status, Status::Verified | Status::NotApplicable);
    let open = report.claims.iter().filter(|claim| is_open(claim.status));
    let open: Vec<String> = open.map(|claim| claim.name.to_string()).collect();
    assert_eq!(open, ["transparency_proof"], "{report:?}");
}

fn assert_columns_match(stored: &StoredDecision, record: &DecisionRecord) {
    assert_eq!(stored.id, record.id.to_string());
    assert_eq!(stored.idempotency_key, record.idempotency_key);
    assert_eq!(stored.decision_type, record.decision_type);
    assert_eq!(stored.decision, record.decision.as_str());
    assert_eq!(record.decision, record.result.decision);
    assert_eq!(stored.correlation_id, record.correlation_id);
    let metadata = record.context.get("metadata").unwrap();
    assert_eq!(text(metadata, "correlation_id"), record.correlation_id);
    assert_eq!(stored.policy_id, record.policy.id.to_string());
    assert_eq!(stored.policy_version, record.policy.version);
    assert_eq!(stored.snapshot_id, record.policy_snapshot_id);
    assert_eq!(stored.snapshot_id, record.result.policy_snapshot_id);
    assert_eq!(stored.actor_id, record.actor.as_ref().and_then(|actor| actor.id.clone()));
    let policy_ids: Vec<_> = record.evaluated_policies.iter().map(|p| p.policy_id).collect();
    assert_eq!(stored.policy_ids, policy_ids);
    let mut violated: Vec<_> =
        record.result.violations.iter().map(|violation| violation.rule_code.clone()).collect();
    violated.sort();
    violated.dedup();
    assert_eq!(stored.rule_codes, violated);
    let severity = record.result.violations.iter().map(|violation| violation.severity).max();
    assert_eq!(stored.severity.as_deref(), severity.map(Severity::as_str));
    assert_eq!(stored.shadow_converted, record.result.shadow_converted);
    assert_eq!(stored.recorded_at, record.recorded_at);
    assert_eq!(record.recorded_at, record.created_at);
}

fn assert_context_matches(stored: &StoredDecision, record: &DecisionRecord, request: &Value) {
    let sent = request.get("context").unwrap();
    assert_eq!(
        statement::context(sent).text,
        stored.context,
        "the preimage is the context of the request"
    );
    if sent.get("metadata").is_some() {
        assert_eq!(statement::context(&record.context).text, stored.context);
    }
    for name in ["ip_address", "user_agent", "correlation_id"] {
        assert!(!stored.context.contains(name), "{name} is not part of the preimage");
    }
    let manifest = statement::evidence_manifest(&record.context);
    let manifest = manifest.map(|manifest| manifest.digest.to_string());
    assert_eq!(manifest, record.result.evidence_manifest_digest);
}

pub(crate) fn snapshot_policies(snapshot: &str) -> Vec<Value> {
    list(&value(snapshot), "policies").to_vec()
}
