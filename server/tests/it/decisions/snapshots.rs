//! Stored policy snapshots, which are returned as they were hashed.

use contract::scope::Scope;
use insta::assert_snapshot;
use receipt::canonical_json::CanonicalJson;
use serde_json::json;

use crate::{
    client::{text, tree},
    service::{NOW, payment, test_service},
};

#[tokio::test]
async fn snapshot_is_returned_as_hashed() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let path = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let snapshot = service.key.get(&path).await.expect(200);
    assert_eq!(snapshot["id"], decision["policy_snapshot_id"]);
    assert_eq!(snapshot["digest"], decision["result"]["policy_snapshot_digest"]);
    assert_eq!(snapshot["evaluated_rules_hash"], decision["result"]["evaluated_rules_hash"]);
    assert_eq!(snapshot["created_at"], NOW);
    assert_eq!(snapshot["snapshot"]["schema"], "service-policy-snapshot/v1");
    assert_eq!(snapshot["snapshot"]["policies"][0]["policy_id"], json!(version.policy));
    let body = CanonicalJson::from_value(&tree(&snapshot["snapshot"]));
    assert_eq!(text(&snapshot["digest"]), body.digest.to_string());
}

#[tokio::test]
async fn snapshot_of_an_evaluation_is_not_stored() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let context = json!({"context": payment(1)});
    let evaluation = service.key.post("/v1/decisions/evaluate", &context).await.expect(200);
    let path = format!("/v1/snapshots/{}", text(&evaluation["result"]["policy_snapshot_id"]));
    assert_snapshot!(service.key.get(&path).await, @"404 NOT_FOUND");
    let decision = service.record("k", 1).await;
    assert_eq!(decision["policy_snapshot_id"], evaluation["result"]["policy_snapshot_id"]);
    service.key.get(&path).await.expect(200);
}

#[tokio::test]
async fn snapshot_requires_the_policies_read_scope_in_its_tenant() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let path = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let other = service.create_key(&[Scope::DecisionsRead]).await;
    assert_snapshot!(other.get(&path).await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let foreign = service.other_tenant().await.key.get(&path).await;
    let missing_path = "/v1/snapshots/00000000-0000-4000-8000-000000000000";
    let missing = service.key.get(missing_path).await;
    assert_snapshot!(missing, @"404 NOT_FOUND");
    assert_eq!(foreign.without_correlation_id(), missing.without_correlation_id());
    assert_snapshot!(service.key.get("/v1/snapshots/none").await, @"404 NOT_FOUND");
}
