//! Drafts: dry runs, and the last change of a draft.

use contract::{decision::DecisionContext, evaluation::Verdict};
use governance::{
    authoring::policy::{rule_input::VersionEdit, version},
    deciding::decision,
};

use crate::prelude::*;

fn context(amount: u32) -> DecisionContext {
    body(&payment(amount))
}

#[tokio::test]
async fn a_dry_run_uses_only_the_rules_of_its_draft_and_writes_nothing() {
    let (env, tenant) = test_tenant().await;
    // Another active policy for payments does not affect the dry run.
    tenant.active_policy(&spending("OTHER", 1)).await;
    let id = tenant.create_policy(&spending("PAY", 100)).await;
    let author = tenant.author_cx().await;
    let before = env.table_digests().await;
    let unchanged = decision::evaluate_version(&author, id, 1, None, &context(99)).await.unwrap();
    assert_eq!(unchanged.result.decision, Verdict::Allow);
    assert!(unchanged.result.dry_run && unchanged.result.signature.is_none());
    assert_eq!(unchanged.evaluated_policies.len(), 1);

    let changes = [("expected_revision", 1.into()), ("rules", limit("LIMIT", 50))];
    let changes: VersionEdit = body(&object(changes));
    let changed =
        decision::evaluate_version(&author, id, 1, changes.rules, &context(99)).await.unwrap();
    assert_eq!(changed.result.decision, Verdict::Deny);
    assert_eq!(changed.result.violations[0].rule_code, "LIMIT");
    assert_eq!(changed.result.rules.as_ref().map(Vec::len), Some(1));
    assert_eq!(env.table_digests().await, before);
}

#[tokio::test]
async fn a_dry_run_requires_the_right_to_evaluate() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.create_policy(&spending("PAY", 100)).await;
    let viewer = tenant.create_member("viewer@acme.example", Role::Viewer).await;
    let as_viewer =
        decision::evaluate_version(&tenant.user_cx(viewer).await, id, 1, None, &context(1)).await;
    assert_eq!(result_summary(&as_viewer), "403 FORBIDDEN");
    let author = tenant.author_cx().await;
    let missing = decision::evaluate_version(&author, id, 2, None, &context(1)).await;
    assert_eq!(result_summary(&missing), "404 NOT_FOUND");
    let other = env.tenant("other").await;
    let foreign =
        decision::evaluate_version(&other.author_cx().await, id, 1, None, &context(1)).await;
    assert_eq!(result_summary(&foreign), "404 NOT_FOUND");
}

#[tokio::test]
async fn last_change_returns_the_actor_of_the_last_edit() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.create_policy(&spending("PAY", 100)).await;
    let author = tenant.author_cx().await;
    let change = version::last_change(&author, id, 1).await.unwrap();
    assert_eq!(change, None, "the draft has not been edited");
    version::edit(&tenant.admin_cx().await, id, 1, edit(1, "a wider limit")).await.unwrap();
    let change = version::last_change(&author, id, 1).await.unwrap().unwrap();
    assert_eq!(change.by, tenant.admin.to_string());
    let other = env.tenant("other").await;
    let foreign = version::last_change(&other.author_cx().await, id, 1).await;
    assert_eq!(result_summary(&foreign), "404 NOT_FOUND");
}
