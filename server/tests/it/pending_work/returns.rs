//! Returns: the one that the next seal answers, and those that it does not.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{followed, work};
use crate::{
    client::TestResponse,
    service::{MINUTE_MS, TestService, Version, rules, world},
};

/// A return, as the answer tells it.
async fn returned(world: &TestService, version: &Version, submission: &str, record: &str) -> Value {
    let list = world.key.get(version.act("submissions")).await.expect(200);
    let read = world.key.get(version.path()).await.expect(200);
    let submissions = list["items"].as_array().expect("a list");
    let own = submissions.iter().find(|one| one["id"] == submission).expect("it was sealed");
    json!({
        "policy_version_id": read["id"], "version": version.number, "submission_id": submission,
        "review_record_id": record, "returned_by": own["records"][0]["recorded_by"],
        "returned_at": own["records"][0]["recorded_at"],
    })
}

/// The same as one that no next seal answers.
fn because(returned: &Value, reason: &str) -> Value {
    let mut returned = returned.clone();
    returned["reason"] = json!(reason);
    returned
}

/// The author seals, naming a record or none.
async fn seal(world: &TestService, version: &Version, record: Option<&str>) -> TestResponse {
    let body = record.map_or(json!({}), |record| json!({"answers_record_id": record}));
    world.author().await.post(version.act("seal"), &body).await
}

#[tokio::test]
async fn next_seal_answers_is_the_one_return_that_the_next_seal_must_name() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    assert_eq!(work(&grant).await.get("next_seal_answers"), None, "nothing was returned yet");
    world.clock.advance(MINUTE_MS);
    let record = world.review(&version, &submission, "RETURN").await;
    let expected = returned(&world, &version, &submission, &record).await;
    for act in ["submit", "recall"] {
        let now = work(&grant).await;
        assert_eq!(now["next_seal_answers"], expected, "before {act}");
        assert_eq!(now["returns_not_answerable"], json!([]));
        world.author().await.post(version.act(act), &json!({})).await.expect(200);
    }
    let silent = seal(&world, &version, None).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    world.author().await.patch(version.path(), &edit).await.expect(200);
    seal(&world, &version, Some(&record)).await.expect(201);
    assert_eq!(work(&grant).await.get("next_seal_answers"), None);
}

#[tokio::test]
async fn a_return_on_another_submission_is_not_lineage_previous_and_a_seal_naming_it_is_refused() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let first = world.seal(&version).await;
    let first_record = world.review(&version, &first, "RETURN").await;
    let author = world.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let second = seal(&world, &version, Some(&first_record)).await.expect(201)["id"].clone();
    let second = crate::client::text(&second).to_owned();
    let first = returned(&world, &version, &first, &first_record).await;
    let listed = json!([because(&first, "not_lineage_previous")]);
    assert_eq!(work(&grant).await["returns_not_answerable"], listed);
    let edit = json!({"expected_revision": 2, "rules": rules(8_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let refused = seal(&world, &version, Some(&first_record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");

    let second_record = world.review(&version, &second, "RETURN").await;
    let now = work(&grant).await;
    assert_eq!(now["returns_not_answerable"], listed);
    let second = returned(&world, &version, &second, &second_record).await;
    assert_eq!(now["next_seal_answers"], second);
    let refused = seal(&world, &version, Some(&first_record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
}

#[tokio::test]
async fn a_return_on_a_version_that_cannot_be_sealed_is_head_not_sealable() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    let record = world.review(&version, &submission, "RETURN").await;
    world.anew(&version).await;
    let now = work(&grant).await;
    let expected = returned(&world, &version, &submission, &record).await;
    assert_eq!(now["returns_not_answerable"], json!([because(&expected, "head_not_sealable")]));
    assert_eq!(now.get("next_seal_answers"), None);
    let named = seal(&world, &version, Some(&record)).await;
    assert_snapshot!(named, @"409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    let silent = seal(&world, &version, None).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
}

#[tokio::test]
async fn a_return_on_a_version_that_the_grant_was_carried_from_is_not_lineage_previous() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let submission = world.seal(&version).await;
    let record = world.review(&version, &submission, "RETURN").await;
    let next = world.anew(&version).await;
    world.carry(&grant, 2).await;
    let now = work(&grant).await;
    let expected = returned(&world, &version, &submission, &record).await;
    assert_eq!(now["returns_not_answerable"], json!([because(&expected, "not_lineage_previous")]));
    assert_eq!(now.get("next_seal_answers"), None);
    let refused = seal(&world, &next, Some(&record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
}
