//! Stored snapshots: the policies of a decision as they were hashed.

use contract::{
    json::{Limits, Value as Tree},
    scope::Scope,
};
use insta::assert_snapshot;
use receipt::canonical_json::CanonicalJson;
use serde_json::json;

use super::recorded;
use crate::{
    client::text,
    service::{NOW, payment, world},
};

#[tokio::test]
async fn a_snapshot_is_shown_as_it_was_hashed() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let decision = recorded(&world, "k", 1).await;
    let path = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let shown = world.key.get(&path).await.expect(200);
    assert_eq!(shown["id"], decision["policy_snapshot_id"]);
    assert_eq!(shown["digest"], decision["result"]["policy_snapshot_digest"]);
    assert_eq!(shown["evaluated_rules_hash"], decision["result"]["evaluated_rules_hash"]);
    assert_eq!(shown["created_at"], NOW);
    assert_eq!(shown["snapshot"]["schema"], "service-policy-snapshot/v1");
    assert_eq!(shown["snapshot"]["policies"][0]["policy_id"], json!(version.policy));
    let tree = Tree::parse(shown["snapshot"].to_string().as_bytes(), &Limits::REQUEST).unwrap();
    assert_eq!(text(&shown["digest"]), CanonicalJson::from_value(&tree).digest.to_string());
}

#[tokio::test]
async fn a_snapshot_that_only_evaluations_named_is_not_stored() {
    let world = world().await;
    world.active("PAY-01").await;
    let context = json!({"context": payment(1)});
    let evaluated = world.key.post("/v1/decisions/evaluate", &context).await.expect(200);
    let path = format!("/v1/snapshots/{}", text(&evaluated["result"]["policy_snapshot_id"]));
    assert_snapshot!(world.key.get(&path).await, @"404 NOT_FOUND");
    let decision = recorded(&world, "k", 1).await;
    assert_eq!(decision["policy_snapshot_id"], evaluated["result"]["policy_snapshot_id"]);
    world.key.get(&path).await.expect(200);
}

#[tokio::test]
async fn a_snapshot_is_for_those_who_read_policies_of_its_tenant() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 1).await;
    let path = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let other = world.key_with(&[Scope::DecisionsRead]).await;
    assert_snapshot!(other.get(&path).await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let foreign = world.neighbour().await.key.get(&path).await;
    let nothing = "/v1/snapshots/00000000-0000-4000-8000-000000000000";
    let missing = world.key.get(nothing).await;
    assert_snapshot!(missing, @"404 NOT_FOUND");
    assert_eq!(foreign.anonymous(), missing.anonymous());
    assert_snapshot!(world.key.get("/v1/snapshots/none").await, @"404 NOT_FOUND");
}
