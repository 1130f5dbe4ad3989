//! Stored policy snapshots, which are returned as they were hashed.

use receipt::canonical_json::CanonicalJson;

use crate::prelude::*;

#[testkit::test]
async fn snapshot_is_returned_as_hashed(service: TestService) {
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
