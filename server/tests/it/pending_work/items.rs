//! Items: what waits, since when, and from what it derives.

use serde_json::{Value, json};

use super::{followed, superseded, work};
use crate::{
    client::text,
    service::{MINUTE_MS, NOW, TestService, Version, rules, world},
};

/// A minute after the start of a world.
const LATER: &str = "2026-09-01T10:01:00.000Z";

/// The members that an item shares with its version.
async fn of(world: &TestService, version: &Version) -> Value {
    let read = world.key.get(version.path()).await.expect(200);
    json!({
        "policy_id": version.policy, "policy_name": "Payments", "policy_code": "PAY-01",
        "policy_version_id": read["id"], "version": version.number, "status": read["status"],
        "draft_revision": read["draft_revision"],
    })
}

/// An item of a version with these further members.
async fn item(world: &TestService, version: &Version, further: Value) -> Value {
    let mut item = of(world, version).await;
    let further = further.as_object().expect("an object").clone();
    item.as_object_mut().expect("an object").extend(further);
    item
}

#[tokio::test]
async fn a_submitted_unsealed_version_waits_for_review_since_submitted_at() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    world.clock.advance(MINUTE_MS);
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.clock.advance(MINUTE_MS);
    let expected = json!({
        "kind": "review", "requested_act": "review",
        "entered_state_at": LATER, "entered_state_source": "submitted_at",
    });
    assert_eq!(work(&grant).await["items"], json!([item(&world, &version, expected).await]));
}

#[tokio::test]
async fn a_sealed_version_waits_for_review_since_sealed_at_and_candidate_revision_can_trail() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    world.clock.advance(MINUTE_MS);
    let author = world.author().await;
    let expected = json!({
        "kind": "review", "requested_act": "review", "submission_id": submission,
        "submission_sequence": 1, "candidate_revision": 1,
        "entered_state_at": NOW, "entered_state_source": "sealed_at",
    });
    // As a draft, with the draft further on, and submitted.
    for step in ["sealed", "edited", "submitted"] {
        match step {
            "edited" => {
                let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
                author.patch(version.path(), &edit).await.expect(200);
            }
            "submitted" => {
                author.post(version.act("submit"), &json!({})).await.expect(200);
            }
            _ => {}
        }
        let expected = item(&world, &version, expected.clone()).await;
        assert_eq!(work(&grant).await["items"], json!([expected]), "{step}");
    }
    let last = &work(&grant).await["items"][0];
    assert_eq!((&last["draft_revision"], &last["status"]), (&json!(2), &json!("submitted")));
}

#[tokio::test]
async fn an_accept_record_asks_for_ratification_since_accept_recorded_at() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    world.clock.advance(MINUTE_MS);
    let record = world.review(&version, &submission, "ACCEPT").await;
    let expected = json!({
        "kind": "review", "requested_act": "ratify", "submission_id": submission,
        "submission_sequence": 1, "candidate_revision": 1, "accept_record_id": record,
        "entered_state_at": LATER, "entered_state_source": "accept_recorded_at",
    });
    let expected = item(&world, &version, expected).await;
    assert_eq!(work(&grant).await["items"], json!([expected]));
    // Another revision was not accepted, and nobody could ratify it.
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    world.author().await.patch(version.path(), &edit).await.expect(200);
    assert_eq!(work(&grant).await["items"], json!([]));
}

#[tokio::test]
async fn a_ratified_version_waits_for_activation_since_ratified_at_until_it_is_active() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.clock.advance(MINUTE_MS);
    world.ratify(&version).await;
    let expected = json!({
        "kind": "activation", "requested_act": "activate",
        "entered_state_at": LATER, "entered_state_source": "ratified_at",
    });
    let expected = item(&world, &version, expected).await;
    assert_eq!(work(&grant).await["items"], json!([expected]));
    world.activate(&version).await;
    assert_eq!(work(&grant).await["items"], json!([]));
}

#[tokio::test]
async fn a_returned_version_has_no_item_until_it_is_sealed_again() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    let record = world.review(&version, &submission, "RETURN").await;
    assert_eq!(work(&grant).await["items"], json!([]));
    let author = world.author().await;
    author.post(version.act("submit"), &json!({})).await.expect(200);
    assert_eq!(work(&grant).await["items"], json!([]));
    author.post(version.act("recall"), &json!({})).await.expect(200);
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let answer = json!({"answers_record_id": record});
    author.post(version.act("seal"), &answer).await.expect(201);
    let items = &work(&grant).await["items"];
    assert_eq!(items[0]["submission_sequence"], 2);
    assert_eq!(items[0]["requested_act"], "review");
}

#[tokio::test]
async fn a_version_that_was_set_aside_has_no_item() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    world.seal(&version).await;
    world.anew(&version).await;
    assert_eq!(work(&grant).await["items"], json!([]));
}

#[tokio::test]
async fn through_the_api_alone_a_replaced_version_appears_with_superseded_by_version() {
    let world = world().await;
    let author = world.author().await;
    let version = world.draft("PAY-01").await;
    let body = crate::capabilities::asked(&version, &super::FOLLOW);
    let issued = author.post("/v1/authoring-capabilities", &body).await.expect(201);
    let key = crate::service::with_key(&world.public, world.tenant, text(&issued["plaintext_key"]));
    let sealed = author.post(version.act("seal"), &json!({})).await.expect(201);
    let correction =
        json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let both = author.post(version.act("supersede"), &correction).await.expect(201);
    assert_eq!(
        (&both["replaced"]["status"], &both["draft"]["version"]),
        (&json!("replaced"), &json!(2))
    );
    let carry = format!("/v1/authoring-capabilities/{}/carry", text(&issued["capability"]["id"]));
    author.post(carry, &json!({"version": 2})).await.expect(201);

    let work = key.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    assert_eq!(work["policy_version_number"], 2);
    let item = &work["items"][0];
    assert_eq!(work["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&item["version"], &item["status"], &item["superseded_by_version"]),
        (&json!(1), &json!("replaced"), &json!(2))
    );
    assert_eq!((&item["requested_act"], &item["submission_id"]), (&json!("review"), &sealed["id"]));
    assert_eq!(work.get("lineage_not_backed_by_grant"), None);
    // The item clears once the head is sealed.
    author.post(format!("{}/versions/2/seal", version.of()), &json!({})).await.expect(201);
    let work = key.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    assert_eq!(work["items"][0]["version"], 2);
    assert_eq!(work["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_replaced_version_appears_with_superseded_by_version_when_a_grant_of_the_chain_names_it()
{
    let world = world().await;
    for end in ["sealed", "submitted and ratified", "set aside"] {
        let code = "PAY-01";
        world.sql("truncate capability_grants").await;
        world.sql("update policies set code = id::text, code_key = id::text").await;
        let version = world.draft(code).await;
        let grant = world.grant(&version, &super::FOLLOW).await;
        let submission = world.seal(&version).await;
        let next = superseded(&world, &version).await;
        world.carry(&grant, 2).await;
        let expected = json!({
            "kind": "review", "requested_act": "review", "submission_id": submission,
            "submission_sequence": 1, "candidate_revision": 1, "superseded_by_version": 2,
            "entered_state_at": NOW, "entered_state_source": "sealed_at",
        });
        let expected = item(&world, &version, expected).await;
        assert_eq!(expected["status"], "replaced");
        let before = work(&grant).await;
        assert_eq!(before["items"], json!([expected]));
        assert_eq!(before.get("lineage_not_backed_by_grant"), None);
        // It clears once the head is sealed, ratified or set aside.
        let author = world.author().await;
        match end {
            "sealed" => {
                world.seal(&next).await;
            }
            "set aside" => {
                let because = json!({"reason": "because"});
                author.post(next.act("set-aside"), &because).await.expect(200);
            }
            _ => {
                author.post(next.act("submit"), &json!({})).await.expect(200);
                assert_eq!(work(&grant).await["items"].as_array().map(Vec::len), Some(2));
                world.ratify(&next).await;
            }
        }
        let items = work(&grant).await["items"].clone();
        let items = items.as_array().expect("a list");
        assert!(items.iter().all(|one| one["version"] == 2), "{end}: {items:?}");
    }
}

#[tokio::test]
async fn an_earlier_draft_that_was_accepted_asks_for_nothing() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    world.review(&version, &submission, "ACCEPT").await;
    superseded(&world, &version).await;
    world.carry(&grant, 2).await;
    assert_eq!(work(&grant).await["items"], json!([]), "nobody ratifies what was replaced");
    assert_eq!(text(&work(&grant).await["root_capability_id"]), grant.id);
}
