//! What receipts and approvals claim: the stored statement and its signature, and no signature
//! where there is no key.

use contract::{decision::DecisionRecord, receipt::Redaction};
use governance::{authoring::policy::version, proof::trust_registry};
use receipt::{digest::Digest, jwks, key::PayloadType};

use super::{Stored, stored};
use crate::fixtures::{TestTenant, payment, public_key, request, spending, value, world};

/// The receipt that anybody reads, and the record that the tenant reads, say what is stored.
pub(super) async fn receipt_is_told(house: &TestTenant, stored: &Stored, record: &DecisionRecord) {
    let anybody = house.governance.public(house.governance.correlation_id());
    let receipt = governance::deciding::decision::receipt(&anybody, record.id).await.unwrap();
    assert_eq!(receipt.statement.as_ref().unwrap().to_canonical(), stored.statement);
    assert_eq!(receipt.context_digest, Digest::compute(stored.context.as_bytes()).to_string());
    assert_eq!(receipt.result, record.result);
    assert_eq!(receipt.policy, record.policy);
    assert_eq!(receipt.signature, stored.signature);
    assert_eq!(receipt.payload_type.as_deref(), Some(PayloadType::Receipt.as_str()));
    let read =
        governance::deciding::decision::read(&house.by_key().await, record.id).await.unwrap();
    assert_eq!(&read, record);
}

#[tokio::test]
async fn a_redacted_receipt_hides_values_and_can_still_be_checked() {
    let world = world().await;
    let house = world.tenant("redacted").await;
    house.active_policy(&spending("PAY", 100)).await;
    let id = house.record(&request("k", payment(7_777_777))).await.unwrap().id;
    let anybody = || world.governance.public(world.governance.correlation_id());
    let open = governance::deciding::decision::receipt(&anybody(), id).await.unwrap();
    assert!(serde_json::to_string(&open).unwrap().contains("7777777"));
    world.execute_as_superuser("update settings set public_receipt_redaction = 'values'").await;
    let redacted = governance::deciding::decision::receipt(&anybody(), id).await.unwrap();
    assert!(!serde_json::to_string(&redacted).unwrap().contains("7777777"));
    assert_eq!(redacted.redaction, Redaction::Values);
    assert_eq!(redacted.result.violations[0].reason, "VALUE_ABOVE_MAX");
    assert_eq!(redacted.statement, open.statement);
    let signature = redacted.signature.unwrap();
    let statement = redacted.statement.as_ref().unwrap().to_canonical();
    public_key().verify(PayloadType::Receipt, &statement, &signature).unwrap();
    // The tenant still reads all of it.
    let read = governance::deciding::decision::read(&house.by_key().await, id).await.unwrap();
    assert_eq!(read.result, open.result);
}

#[tokio::test]
async fn the_published_key_checks_the_receipts() {
    let world = world().await;
    let published = trust_registry::signing_keys(&world.governance).await.unwrap();
    let keys = jwks::read(&published).unwrap();
    assert_eq!(keys[0], public_key());
    // Approvals and grants have keys of their own.
    assert!(keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}

#[tokio::test]
async fn without_a_signing_key_a_receipt_claims_none() {
    let world = world().await;
    let house = world.tenant("unsigned").await;
    house.active_policy(&spending("PAY", 100)).await;
    let unsigned = house.in_process(&world.unsigned_process(2).await);
    let outcome = unsigned.record(&request("k", payment(5))).await.unwrap();
    assert!(!outcome.record.contains("signature"));
    let stored = stored(&world, "k").await;
    assert_eq!((stored.signature, stored.kid), (None, None));
    let statement = value(&stored.statement);
    assert_eq!((statement.get("alg"), statement.get("kid")), (None, None));
    let published = trust_registry::signing_keys(&unsigned.governance).await.unwrap();
    assert_eq!(jwks::read(&published), Ok(Vec::new()));
}

#[tokio::test]
async fn without_a_signing_key_an_approval_claims_none() {
    let world = world().await;
    let house = world.tenant("unsigned").await;
    let unsigned = house.in_process(&world.unsigned_process(2).await);
    let id = unsigned.drafted(&spending("PAY", 100)).await;
    unsigned.ratified(id, 1).await;
    let cx = unsigned.by_key().await;
    let told = version::approval(&cx, id, 1).await.unwrap();
    assert_eq!((told.approval.get("alg"), told.approval.get("kid")), (None, None));
    assert_eq!(told.envelope, None);
    let text = told.approval.to_canonical();
    assert_eq!(told.approval_digest, Digest::compute(text.as_bytes()).to_string());
}
