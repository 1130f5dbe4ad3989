//! Receipts and approvals: they contain the stored statement and its signature, and no signature if
//! the process has no signing key.

use contract::{decision::DecisionRecord, receipt::Redaction};
use governance::{authoring::policy::version, proof::trust_registry};
use receipt::{digest::Digest, jwks, key::PayloadType};

use super::{StoredDecision, stored_decision};
use crate::{fixtures::public_key, prelude::*};

/// Asserts that the public receipt and the tenant's record match the stored row.
pub(super) async fn assert_receipt_matches(
    tenant: &TestTenant,
    stored: &StoredDecision,
    record: &DecisionRecord,
) {
    let public = tenant.governance.public(tenant.governance.correlation_id());
    let receipt = governance::deciding::decision::receipt(&public, record.id).await.unwrap();
    assert_eq!(receipt.statement.as_ref().unwrap().to_canonical(), stored.statement);
    assert_eq!(receipt.context_digest, Digest::compute(stored.context.as_bytes()).to_string());
    assert_eq!(receipt.result, record.result);
    assert_eq!(receipt.policy, record.policy);
    assert_eq!(receipt.signature, stored.signature);
    assert_eq!(receipt.payload_type.as_deref(), Some(PayloadType::Receipt.as_str()));
    let read =
        governance::deciding::decision::read(&tenant.key_cx().await, record.id).await.unwrap();
    assert_eq!(&read, record);
}

#[testkit::test]
async fn redacted_receipt_omits_values_and_still_verifies(env: TestEnv) {
    let tenant = env.tenant("redacted").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let id = tenant.record(&request("k", payment(7_777_777))).await.unwrap().id;
    let public = || env.governance.public(env.governance.correlation_id());
    let unredacted = governance::deciding::decision::receipt(&public(), id).await.unwrap();
    assert!(serde_json::to_string(&unredacted).unwrap().contains("7777777"));
    env.execute_as_superuser("update settings set public_receipt_redaction = 'values'").await;
    let redacted = governance::deciding::decision::receipt(&public(), id).await.unwrap();
    assert!(!serde_json::to_string(&redacted).unwrap().contains("7777777"));
    assert_eq!(redacted.redaction, Redaction::Values);
    assert_eq!(redacted.result.violations[0].reason, "VALUE_ABOVE_MAX");
    assert_eq!(redacted.statement, unredacted.statement);
    let signature = redacted.signature.unwrap();
    let statement = redacted.statement.as_ref().unwrap().to_canonical();
    public_key().verify(PayloadType::Receipt, &statement, &signature).unwrap();
    // The tenant still reads the whole record.
    let read = governance::deciding::decision::read(&tenant.key_cx().await, id).await.unwrap();
    assert_eq!(read.result, unredacted.result);
}

#[testkit::test]
async fn signing_keys_are_published_and_distinct(env: TestEnv) {
    let published = trust_registry::signing_keys(&env.governance).await.unwrap();
    let keys = jwks::read(&published).unwrap();
    assert_eq!(keys[0], public_key());
    // Approvals and grants have separate keys.
    assert!(keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}

#[testkit::test]
async fn receipt_has_no_signature_without_a_signing_key(env: TestEnv) {
    let tenant = env.tenant("unsigned").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let unsigned = tenant.in_process(&env.unsigned_process(2).await);
    let recorded = unsigned.record(&request("k", payment(5))).await.unwrap();
    assert!(!recorded.record.contains("signature"));
    let stored = stored_decision(&env, "k").await;
    assert_eq!((stored.signature, stored.kid), (None, None));
    let statement = value(&stored.statement);
    assert_eq!((statement.get("alg"), statement.get("kid")), (None, None));
    let published = trust_registry::signing_keys(&unsigned.governance).await.unwrap();
    assert_eq!(jwks::read(&published), Ok(Vec::new()));
}

#[testkit::test]
async fn approval_has_no_signature_without_a_signing_key(env: TestEnv) {
    let tenant = env.tenant("unsigned").await;
    let unsigned = tenant.in_process(&env.unsigned_process(2).await);
    let id = unsigned.create_policy(&spending("PAY", 100)).await;
    unsigned.ratify(id, 1).await;
    let cx = unsigned.key_cx().await;
    let response = version::approval(&cx, id, 1).await.unwrap();
    assert_eq!((response.approval.get("alg"), response.approval.get("kid")), (None, None));
    assert_eq!(response.envelope, None);
    let text = response.approval.to_canonical();
    assert_eq!(response.approval_digest, Digest::compute(text.as_bytes()).to_string());
}
