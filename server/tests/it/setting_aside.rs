//! A version that was never in force can be closed, by those who made it and by reviewers.

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::service::{NOW, TestService, Version, drafted, world};

#[tokio::test]
async fn drafts_submitted_and_ratified_versions_can_be_set_aside() {
    let world = world().await;
    let draft = world.draft("DRAFT").await;
    let submitted = world.submitted("SUBMITTED").await;
    let ratified = world.ratified("RATIFIED").await;
    let author = world.author().await;
    let who = author.get("/v1/session").await.expect(200)["user"]["id"].clone();
    for version in [draft, submitted, ratified] {
        let before = world.key.get(version.path()).await.expect(200);
        let reason = json!({"reason": "the law was withdrawn"});
        let closed = author.post(version.act("set-aside"), &reason).await.expect(200);
        assert_eq!((&closed["status"], &closed["closed_at"]), (&json!("set_aside"), &json!(NOW)));
        assert_eq!(closed["closed_by"], who);
        assert_eq!(closed["closed_reason"], "the law was withdrawn");
        assert_eq!((&closed["rules"], &closed["id"]), (&before["rules"], &before["id"]));
        assert_eq!(world.key.get(version.path()).await.expect(200), closed);
        // The place is free for the next draft.
        let policy = world.key.get(version.of()).await.expect(200);
        assert_eq!(policy.get("draft_version"), None);
        let next = json!({"rules": []});
        let opened = author.post(format!("{}/versions", version.of()), &next).await.expect(201);
        assert_eq!((&opened["version"], opened.get("supersedes_version")), (&json!(2), None));
        let again = author.post(version.act("set-aside"), &reason).await;
        assert_eq!(again.to_string(), "409 INVALID_TRANSITION (VERSION_CLOSED)");
        let facts =
            json!({"reason": "VERSION_CLOSED", "from": "set_aside", "requested": "set-aside"});
        assert_eq!(again.details(), facts);
    }
}

#[tokio::test]
async fn an_older_ratified_version_is_set_aside_beside_an_open_draft() {
    let world = world().await;
    let ratified = world.ratified("PAY-01").await;
    let author = world.author().await;
    let path = format!("{}/versions", ratified.of());
    author.post(path, &json!({"rules": []})).await.expect(201);
    let reason = json!({"reason": "because"});
    author.post(ratified.act("set-aside"), &reason).await.expect(200);
    let policy = world.key.get(ratified.of()).await.expect(200);
    assert_eq!(policy["draft_version"], 2, "the draft stays open");
    let activate = world.ratifier().await.post(ratified.act("activate"), &json!({})).await;
    assert_snapshot!(activate, @"409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)");
}

#[tokio::test]
async fn what_decided_once_is_not_set_aside() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let reason = json!({"reason": "because"});
    let ratifier = world.ratifier().await;
    let refused = ratifier.post(version.act("set-aside"), &reason).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)");
    assert_eq!(refused.details()["from"], "active");
    ratifier.post(format!("{}/deactivate", version.of()), &reason).await.expect(200);
    let refused = ratifier.post(version.act("set-aside"), &reason).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)");
    assert_eq!(refused.details()["from"], "ratified");
}

#[tokio::test]
async fn another_author_does_not_set_it_aside_and_a_reviewer_does() {
    let world = world().await;
    let reason = json!({"reason": "because"});
    let other = world.person(Role::Author).await;
    let version = world.draft("PAY-01").await;
    let refused = other.post(version.act("set-aside"), &reason).await;
    assert_snapshot!(refused, @"403 FORBIDDEN");
    // Whoever has edited it has made it too.
    let edit = json!({"expected_revision": 1});
    other.patch(version.path(), &edit).await.expect(200);
    other.post(version.act("set-aside"), &reason).await.expect(200);

    let version = world.draft("PAY-02").await;
    world.reviewer().await.post(version.act("set-aside"), &reason).await.expect(200);
    // The admin stands behind the key, and no key sets aside.
    let version = drafted(&world.key, "PAY-03").await;
    let refused = world.key.post(version.act("set-aside"), &reason).await;
    assert_snapshot!(refused, @"403 HUMAN_REQUIRED");
    assert_eq!(
        other.post(version.act("set-aside"), &json!({})).await.faults(),
        "/reason required\n"
    );
}

#[tokio::test]
async fn a_sealed_draft_is_kept_and_can_be_set_aside() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    world.seal(&version).await;
    let author = world.author().await;
    let refused = author.delete(version.path()).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_WAS_SEALED)");
    let facts = json!({"reason": "VERSION_WAS_SEALED", "from": "draft", "requested": "delete"});
    assert_eq!(refused.details(), facts);
    let reason = json!({"reason": "because"});
    author.post(version.act("set-aside"), &reason).await.expect(200);
    // The policy may go while nothing of it was ratified; what was sealed stays.
    author.delete(version.of()).await;
    assert_eq!(world.sql("select count(*)::text from policies").await, ["0"]);
    assert_eq!(world.sql("select count(*)::text from review_submissions").await, ["1"]);
}

/// The author's next draft, based on a version.
async fn based(world: &TestService, on: &Version) -> Version {
    let path = format!("{}/versions", on.of());
    let body = json!({"rules": [], "based_on_version": on.number});
    let made = world.author().await.post(path, &body).await.expect(201);
    assert_eq!(made.get("supersedes_version"), None);
    let number = made["version"].as_u64().and_then(|number| u32::try_from(number).ok());
    Version { policy: on.policy.clone(), number: number.expect("a number") }
}

#[tokio::test]
async fn a_draft_based_on_a_sealed_draft_that_was_set_aside_still_owes_its_answer() {
    let world = world().await;
    let author = world.author().await;
    let aside = async |version: &Version| {
        let reason = json!({"reason": "begin anew"});
        author.post(version.act("set-aside"), &reason).await.expect(200);
    };
    let seal = async |version: &Version, body: Value| author.post(version.act("seal"), &body).await;
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    let record = world.review(&first, &submission, "RETURN").await;
    aside(&first).await;
    // Through an unsealed draft between them too, and more than once.
    let second = based(&world, &first).await;
    aside(&second).await;
    for before in [&second, &first] {
        let next = based(&world, before).await;
        let silent = seal(&next, json!({})).await;
        assert_eq!(silent.to_string(), "400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
        assert_eq!(silent.details(), json!({"record_id": record}));
        aside(&next).await;
    }
    let last = based(&world, &first).await;
    seal(&last, json!({"answers_record_id": record})).await.expect(201);
    // A draft without this version before it owes nothing.
    aside(&last).await;
    let path = format!("{}/versions", first.of());
    let made = author.post(path, &json!({"rules": []})).await.expect(201);
    let number = made["version"].as_u64().and_then(|number| u32::try_from(number).ok());
    let free = Version { policy: first.policy.clone(), number: number.expect("a number") };
    seal(&free, json!({})).await.expect(201);
}

#[tokio::test]
async fn what_was_sealed_of_a_draft_that_was_set_aside_waits_for_no_review() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    world.seal(&version).await;
    let grant = world.grant(&version, &crate::capabilities::FOLLOW).await;
    let reason = json!({"reason": "begin anew"});
    world.author().await.post(version.act("set-aside"), &reason).await.expect(200);
    let next = based(&world, &version).await;
    world.carry(&grant, next.number).await;
    let work = grant.key.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    assert_eq!((&work["items"], work.get("next_seal_answers")), (&json!([]), None));
}
