//! The specification's table of policy transitions, row by row, and the moves below it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    codification::codified,
    service::{NOW, TestService, Version, rules, world},
};

/// A version as it is now.
async fn read(world: &TestService, version: &Version) -> Value {
    world.key.get(version.path()).await.expect(200)
}

async fn post(person: &Client, version: &Version, act: &str, body: Value) -> TestResponse {
    person.post(version.act(act), &body).await
}

fn correction(revision: u32) -> Value {
    json!({"expected_revision": revision, "rules": rules(7), "change_reason": "corrected"})
}

/// The status, and whether it decides.
fn state(version: &Value) -> (&str, bool) {
    (text(&version["status"]), version["is_active"] == true)
}

#[tokio::test]
async fn draft_post_submit_makes_it_submitted() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let before = read(&world, &version).await;
    assert_eq!(before["status"], "draft");
    let who = world.author().await.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let after = post(world.author().await, &version, "submit", json!({})).await.expect(200);
    assert_eq!(state(&after), ("submitted", false));
    assert_eq!((&after["submitted_at"], &after["submitted_by"]), (&json!(NOW), &who));
    assert_eq!((&after["rules"], &after["draft_revision"]), (&before["rules"], &json!(1)));
    assert_eq!(read(&world, &version).await, after);
}

#[tokio::test]
async fn submitted_post_recall_makes_it_a_draft() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let before = read(&world, &version).await;
    let after = post(world.author().await, &version, "recall", json!({})).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!((&after["rules"], &after["draft_revision"]), (&before["rules"], &json!(1)));
    // It can be written again, and asks to be submitted again.
    let refused = post(world.ratifier().await, &version, "ratify", json!({"expected_revision": 1}));
    assert_snapshot!(refused.await, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    let edit = json!({"expected_revision": 1, "rules": rules(5)});
    world.author().await.patch(version.path(), &edit).await.expect(200);
}

#[tokio::test]
async fn submitted_post_reject_makes_it_a_draft_and_rejection_fields_are_recorded() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let reviewer = world.reviewer().await;
    let who = reviewer.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let reason = json!({"reason": "too high"});
    let after = post(reviewer, &version, "reject", reason).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!(
        (&after["rejected_by"], &after["rejected_at"], &after["rejection_reason"]),
        (&who, &json!(NOW), &json!("too high"))
    );
}

#[tokio::test]
async fn draft_post_supersede_makes_it_replaced_and_keeps_it_with_its_clauses_and_findings() {
    let world = world().await;
    let author = world.author().await;
    let made = author.post("/v1/policies", &codified("PAY-01")).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    let before = made["version"].clone();
    let both = post(author, &version, "supersede", correction(1)).await.expect(201);
    assert_eq!(state(&both["replaced"]), ("replaced", false));
    assert_eq!((state(&both["draft"]), &both["draft"]["version"]), (("draft", false), &json!(2)));
    assert_eq!(both["draft"]["rules"], rules(7));
    let after = read(&world, &version).await;
    for kept in ["rules", "draft_revision", "rules_digest", "codification_record", "created_by"] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    let findings = &after["codification_record"]["lint"]["clauses"][3]["findings"];
    assert_eq!(findings.as_array().map(Vec::len), Some(3));
    assert_eq!((&after["closed_at"], &after["closed_reason"]), (&json!(NOW), &json!("corrected")));
}

#[tokio::test]
async fn supersede_needs_a_draft_its_revision_and_no_bound_capability() {
    let world = world().await;
    let author = world.author().await;
    let submitted = world.submitted("SUBMITTED").await;
    let refused = post(author, &submitted, "supersede", correction(1)).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    let draft = world.draft("DRAFT").await;
    for stale in [0, 2] {
        let refused = post(author, &draft, "supersede", correction(stale)).await;
        assert_eq!(refused.to_string(), "409 STALE_DRAFT_REVISION");
        assert_eq!(refused.details()["current"], read(&world, &draft).await);
    }
    world.grant(&draft, &["policy.draft.edit"]).await;
    let refused = post(author, &draft, "supersede", correction(1)).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)");
    // It is set aside instead.
    let closed = post(author, &draft, "set-aside", json!({"reason": "wrong"})).await.expect(200);
    assert_eq!(closed["status"], "set_aside");
}

#[tokio::test]
async fn draft_patch_edits_it_in_place_and_draft_revision_moves() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let before = read(&world, &version).await;
    let edit = json!({"expected_revision": 1, "rules": rules(5)});
    let after = world.author().await.patch(version.path(), &edit).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!((&after["draft_revision"], &after["rules"]), (&json!(2), &rules(5)));
    assert_eq!((&after["id"], &after["version"]), (&before["id"], &json!(1)));
    assert_eq!(read(&world, &version).await, after);
}

#[tokio::test]
async fn a_draft_can_be_deleted_unless_people_were_asked_about_it() {
    let world = world().await;
    let author = world.author().await;
    let version = world.draft("GONE").await;
    assert_eq!(author.delete(version.path()).await.status, 204);
    assert_eq!(world.key.get(version.path()).await.to_string(), "404 NOT_FOUND");
    let sealed = world.draft("SEALED").await;
    world.seal(&sealed).await;
    let refused = author.delete(sealed.path()).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_WAS_SEALED)");
}

#[tokio::test]
async fn sealing_changes_no_state() {
    let world = world().await;
    for (version, status) in
        [(world.draft("DRAFT").await, "draft"), (world.submitted("SUBMITTED").await, "submitted")]
    {
        let before = read(&world, &version).await;
        world.seal(&version).await;
        let after = read(&world, &version).await;
        assert_eq!(state(&after), (status, false));
        assert_eq!(
            (&after["draft_revision"], &after["rules_digest"]),
            (&before["draft_revision"], &before["rules_digest"])
        );
    }
}

#[tokio::test]
async fn what_never_decided_can_be_set_aside() {
    let world = world().await;
    for version in [
        world.draft("DRAFT").await,
        world.submitted("SUBMITTED").await,
        world.ratified("RATIFIED").await,
    ] {
        let because = json!({"reason": "not needed"});
        let after = post(world.reviewer().await, &version, "set-aside", because).await.expect(200);
        assert_eq!(state(&after), ("set_aside", false));
    }
}

#[tokio::test]
async fn ratifying_and_activating_lead_from_submitted_over_ratified_to_active() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let ratifier = world.ratifier().await;
    let read_it = json!({"expected_revision": 1});
    let after = post(ratifier, &version, "ratify", read_it).await.expect(200);
    assert_eq!(state(&after), ("ratified", false));
    let after = post(ratifier, &version, "activate", json!({})).await.expect(200);
    assert_eq!(state(&after), ("ratified", true));
    // Out of force it is ratified still, and comes into force as often as people say so.
    let deactivate = format!("{}/deactivate", version.of());
    ratifier.post(&deactivate, &json!({"reason": "a pause"})).await.expect(200);
    assert_eq!(state(&read(&world, &version).await), ("ratified", false));
    let again = ratifier.post(&deactivate, &json!({"reason": "a pause"})).await;
    assert_snapshot!(again, @"409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)");
    post(ratifier, &version, "activate", json!({})).await.expect(200);
    let again = post(ratifier, &version, "activate", json!({})).await;
    assert_snapshot!(again, @"409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)");
}

#[tokio::test]
async fn with_maker_checker_on_a_version_needs_an_independent_ratifier_before_it_becomes_active() {
    let world = world().await;
    let maker = world.person(contract::scope::Role::Ratifier).await;
    let version = crate::service::drafted(&maker, "PAY-01").await;
    post(&maker, &version, "submit", json!({})).await.expect(200);
    let read_it = json!({"expected_revision": 1});
    let refused = post(&maker, &version, "ratify", read_it.clone()).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION");
    let refused = post(&maker, &version, "activate", json!({})).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)");
    post(world.ratifier().await, &version, "ratify", read_it).await.expect(200);
    // Bringing it into force is no second approval, so its maker may.
    post(&maker, &version, "activate", json!({})).await.expect(200);
}
