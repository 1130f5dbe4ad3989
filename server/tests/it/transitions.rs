//! The specification's table of policy transitions, row by row, and the transitions below it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    codification,
    service::{NOW, Version, rules, test_service, user_id},
};

async fn post(client: &Client, version: &Version, action: &str, body: Value) -> TestResponse {
    client.post(version.action_path(action), &body).await
}

fn correction(revision: u32) -> Value {
    json!({"expected_revision": revision, "rules": rules(7), "change_reason": "corrected"})
}

/// The status, and whether the version is active.
fn state(version: &Value) -> (&str, bool) {
    (text(&version["status"]), version["is_active"] == true)
}

#[tokio::test]
async fn draft_post_submit_makes_it_submitted() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let before = service.read(&version).await;
    assert_eq!(before["status"], "draft");
    let author_id = user_id(service.author().await).await;
    let after = post(service.author().await, &version, "submit", json!({})).await.expect(200);
    assert_eq!(state(&after), ("submitted", false));
    assert_eq!((&after["submitted_at"], &after["submitted_by"]), (&json!(NOW), &author_id));
    assert_eq!((&after["rules"], &after["draft_revision"]), (&before["rules"], &json!(1)));
    assert_eq!(service.read(&version).await, after);
}

#[tokio::test]
async fn submitted_post_recall_makes_it_a_draft() {
    let service = test_service().await;
    let version = service.submitted("PAY-01").await;
    let before = service.read(&version).await;
    let after = post(service.author().await, &version, "recall", json!({})).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!((&after["rules"], &after["draft_revision"]), (&before["rules"], &json!(1)));
    // The draft can be edited and must be submitted again.
    let error = post(service.ratifier().await, &version, "ratify", json!({"expected_revision": 1}));
    assert_snapshot!(error.await, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    let edit = json!({"expected_revision": 1, "rules": rules(5)});
    service.author().await.patch(version.path(), &edit).await.expect(200);
}

#[tokio::test]
async fn submitted_post_reject_makes_it_a_draft_and_rejection_fields_are_recorded() {
    let service = test_service().await;
    let version = service.submitted("PAY-01").await;
    let reviewer = service.reviewer().await;
    let reviewer_id = user_id(reviewer).await;
    let reason = json!({"reason": "too high"});
    let after = post(reviewer, &version, "reject", reason).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!(
        (&after["rejected_by"], &after["rejected_at"], &after["rejection_reason"]),
        (&reviewer_id, &json!(NOW), &json!("too high"))
    );
}

#[tokio::test]
async fn draft_post_supersede_makes_it_replaced_and_retains_its_clauses_and_findings() {
    let service = test_service().await;
    let author = service.author().await;
    let (version, before) = codification::create_draft(&service, "PAY-01").await;
    let result = post(author, &version, "supersede", correction(1)).await.expect(201);
    assert_eq!(state(&result["replaced"]), ("replaced", false));
    assert_eq!(
        (state(&result["draft"]), &result["draft"]["version"]),
        (("draft", false), &json!(2))
    );
    assert_eq!(result["draft"]["rules"], rules(7));
    let after = service.read(&version).await;
    for member in ["rules", "draft_revision", "rules_digest", "codification_record", "created_by"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    let findings = &after["codification_record"]["lint"]["clauses"][3]["findings"];
    assert_eq!(findings.as_array().map(Vec::len), Some(3));
    assert_eq!((&after["closed_at"], &after["closed_reason"]), (&json!(NOW), &json!("corrected")));
}

#[tokio::test]
async fn supersede_requires_a_draft_its_current_revision_and_no_bound_capability() {
    let service = test_service().await;
    let author = service.author().await;
    let submitted = service.submitted("SUBMITTED").await;
    let error = post(author, &submitted, "supersede", correction(1)).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    let draft = service.draft("DRAFT").await;
    for stale in [0, 2] {
        let error = post(author, &draft, "supersede", correction(stale)).await;
        assert_eq!(error.to_string(), "409 STALE_DRAFT_REVISION");
        assert_eq!(error.details()["current"], service.read(&draft).await);
    }
    service.grant(&draft, &["policy.draft.edit"]).await;
    let error = post(author, &draft, "supersede", correction(1)).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)");
    // The draft can be set aside instead.
    let closed = post(author, &draft, "set-aside", json!({"reason": "wrong"})).await.expect(200);
    assert_eq!(closed["status"], "set_aside");
}

#[tokio::test]
async fn draft_patch_edits_it_in_place_and_increments_draft_revision() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let before = service.read(&version).await;
    let edit = json!({"expected_revision": 1, "rules": rules(5)});
    let after = service.author().await.patch(version.path(), &edit).await.expect(200);
    assert_eq!(state(&after), ("draft", false));
    assert_eq!((&after["draft_revision"], &after["rules"]), (&json!(2), &rules(5)));
    assert_eq!((&after["id"], &after["version"]), (&before["id"], &json!(1)));
    assert_eq!(service.read(&version).await, after);
}

#[tokio::test]
async fn a_draft_can_be_deleted_unless_it_was_sealed() {
    let service = test_service().await;
    let author = service.author().await;
    let version = service.draft("DELETED").await;
    assert_eq!(author.delete(version.path()).await.status, 204);
    assert_eq!(service.key.get(version.path()).await.to_string(), "404 NOT_FOUND");
    let sealed = service.draft("SEALED").await;
    service.seal(&sealed).await;
    let error = author.delete(sealed.path()).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_WAS_SEALED)");
}

#[tokio::test]
async fn sealing_does_not_change_the_status() {
    let service = test_service().await;
    for (version, status) in [
        (service.draft("DRAFT").await, "draft"),
        (service.submitted("SUBMITTED").await, "submitted"),
    ] {
        let before = service.read(&version).await;
        service.seal(&version).await;
        let after = service.read(&version).await;
        assert_eq!(state(&after), (status, false));
        assert_eq!(
            (&after["draft_revision"], &after["rules_digest"]),
            (&before["draft_revision"], &before["rules_digest"])
        );
    }
}

#[tokio::test]
async fn a_version_that_was_never_active_can_be_set_aside() {
    let service = test_service().await;
    for version in [
        service.draft("DRAFT").await,
        service.submitted("SUBMITTED").await,
        service.ratified("RATIFIED").await,
    ] {
        let reason = json!({"reason": "not needed"});
        let after = post(service.reviewer().await, &version, "set-aside", reason).await.expect(200);
        assert_eq!(state(&after), ("set_aside", false));
    }
}

#[tokio::test]
async fn a_submitted_version_becomes_ratified_and_then_active() {
    let service = test_service().await;
    let version = service.submitted("PAY-01").await;
    let ratifier = service.ratifier().await;
    let ratification = json!({"expected_revision": 1});
    let after = post(ratifier, &version, "ratify", ratification).await.expect(200);
    assert_eq!(state(&after), ("ratified", false));
    let after = post(ratifier, &version, "activate", json!({})).await.expect(200);
    assert_eq!(state(&after), ("ratified", true));
    // After deactivation the version is still ratified and can be activated again.
    let deactivate = format!("{}/deactivate", version.policy_path());
    ratifier.post(&deactivate, &json!({"reason": "a pause"})).await.expect(200);
    assert_eq!(state(&service.read(&version).await), ("ratified", false));
    let error = ratifier.post(&deactivate, &json!({"reason": "a pause"})).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)");
    post(ratifier, &version, "activate", json!({})).await.expect(200);
    let error = post(ratifier, &version, "activate", json!({})).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)");
}

#[tokio::test]
async fn with_maker_checker_on_a_version_needs_an_independent_ratifier_before_it_becomes_active() {
    let service = test_service().await;
    let author = service.signed_in_member(contract::scope::Role::Ratifier).await;
    let version = crate::service::create_draft(&author, "PAY-01").await;
    post(&author, &version, "submit", json!({})).await.expect(200);
    let ratification = json!({"expected_revision": 1});
    let error = post(&author, &version, "ratify", ratification.clone()).await;
    assert_snapshot!(error, @"403 MAKER_CHECKER_VIOLATION");
    let error = post(&author, &version, "activate", json!({})).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)");
    post(service.ratifier().await, &version, "ratify", ratification).await.expect(200);
    // Activation is not a second approval, so the author can activate the version.
    post(&author, &version, "activate", json!({})).await.expect(200);
}
