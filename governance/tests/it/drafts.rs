//! A draft is tried out, and whoever had it in hand last is known.

use contract::{decision::DecisionContext, evaluation::Verdict, scope::Role};
use governance::authoring::policy::{rule_input::VersionEdit, version};

use crate::fixtures::{body, edit, limit, object, payment, said, spending, world};

fn context(amount: u32) -> DecisionContext {
    body(&payment(amount))
}

#[tokio::test]
async fn a_draft_is_tried_alone_and_nothing_is_written() {
    let world = world().await;
    let house = world.tenant("house").await;
    // Another policy that decides on payments has no say in it.
    house.active_policy(&spending("OTHER", 1)).await;
    let id = house.drafted(&spending("PAY", 100)).await;
    let author = house.by_author().await;
    let before = world.table_digests().await;
    let own = version::dry_run(&author, id, 1, None, &context(99)).await.unwrap();
    assert_eq!(own.result.decision, Verdict::Allow);
    assert!(own.result.dry_run && own.result.signature.is_none());
    assert_eq!(own.evaluated_policies.len(), 1);

    let asked = [("expected_revision", 1.into()), ("rules", limit("LIMIT", 50))];
    let asked: VersionEdit = body(&object(asked));
    let tried = version::dry_run(&author, id, 1, asked.rules, &context(99)).await.unwrap();
    assert_eq!(tried.result.decision, Verdict::Deny);
    assert_eq!(tried.result.violations[0].rule_code, "LIMIT");
    assert_eq!(tried.result.rules.as_ref().map(Vec::len), Some(1));
    assert_eq!(world.table_digests().await, before);
}

#[tokio::test]
async fn only_who_may_evaluate_tries_a_draft() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.drafted(&spending("PAY", 100)).await;
    let viewer = house.person("viewer@house.example", Role::Viewer).await;
    let refused = version::dry_run(&house.by(viewer).await, id, 1, None, &context(1)).await;
    assert_eq!(said(&refused), "403 FORBIDDEN");
    let author = house.by_author().await;
    let missing = version::dry_run(&author, id, 2, None, &context(1)).await;
    assert_eq!(said(&missing), "404 NOT_FOUND");
    let other = world.tenant("other").await;
    let foreign = version::dry_run(&other.by_author().await, id, 1, None, &context(1)).await;
    assert_eq!(said(&foreign), "404 NOT_FOUND");
}

#[tokio::test]
async fn the_last_hand_on_a_draft_is_known() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.drafted(&spending("PAY", 100)).await;
    let author = house.by_author().await;
    let untouched = version::last_change(&author, id, 1).await.unwrap();
    assert_eq!(untouched, None, "nobody since it was made");
    version::edit(&house.by_admin().await, id, 1, edit(1, "a wider limit")).await.unwrap();
    let touched = version::last_change(&author, id, 1).await.unwrap().unwrap();
    assert_eq!(touched.by, house.admin.to_string());
    let other = world.tenant("other").await;
    let foreign = version::last_change(&other.by_author().await, id, 1).await;
    assert_eq!(said(&foreign), "404 NOT_FOUND");
}
