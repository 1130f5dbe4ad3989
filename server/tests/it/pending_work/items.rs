//! Items of the pending work: the requested act, and the time since which it is pending.

use super::{draft_with_grant, pending_work, supersede};
use crate::prelude::*;

/// One minute after the start of the test clock.
const LATER: &str = "2026-09-01T10:01:00.000Z";

/// The members that an item shares with its version.
async fn version_members(service: &TestService, version: &Version) -> Value {
    let version_details = service.read(version).await;
    json!({
        "policy_id": version.policy, "policy_name": "Payments", "policy_code": "PAY-01",
        "policy_version_id": version_details["id"], "version": version.number,
        "status": version_details["status"],
        "draft_revision": version_details["draft_revision"],
    })
}

/// An item of a version with `extra` members.
async fn item(service: &TestService, version: &Version, extra: Value) -> Value {
    let mut item = version_members(service, version).await;
    let extra = extra.as_object().expect("an object").clone();
    item.as_object_mut().expect("an object").extend(extra);
    item
}

#[testkit::test]
async fn submitted_unsealed_version_waits_for_review_since_submitted_at(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    service.clock.advance(MINUTE_MS);
    service.submit(&version).await;
    service.clock.advance(MINUTE_MS);
    let expected = json!({
        "kind": "review", "requested_act": "review",
        "entered_state_at": LATER, "entered_state_source": "submitted_at",
    });
    assert_eq!(
        pending_work(&grant).await["items"],
        json!([item(&service, &version, expected).await])
    );
}

#[tokio::test]
async fn sealed_version_waits_for_review_since_sealed_at_with_its_candidate_revision() {
    let service = test_service().await;
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    service.clock.advance(MINUTE_MS);
    let author = service.author().await;
    let expected = json!({
        "kind": "review", "requested_act": "review", "submission_id": submission,
        "submission_sequence": 1, "candidate_revision": 1,
        "entered_state_at": NOW, "entered_state_source": "sealed_at",
    });
    // The item is the same for the sealed draft, an edited draft and the submitted version.
    for step in ["sealed", "edited", "submitted"] {
        match step {
            "edited" => {
                let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
                author.patch(version.path(), &edit).await.expect(200);
            }
            "submitted" => {
                service.submit(&version).await;
            }
            _ => {}
        }
        let expected = item(&service, &version, expected.clone()).await;
        assert_eq!(pending_work(&grant).await["items"], json!([expected]), "{step}");
    }
    let last = &pending_work(&grant).await["items"][0];
    assert_eq!((&last["draft_revision"], &last["status"]), (&json!(2), &json!("submitted")));
}

#[testkit::test]
async fn accepted_version_waits_for_ratification_since_accept_recorded_at(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    service.clock.advance(MINUTE_MS);
    let record = service.review(&version, &submission, "ACCEPT").await;
    let expected = json!({
        "kind": "review", "requested_act": "ratify", "submission_id": submission,
        "submission_sequence": 1, "candidate_revision": 1, "accept_record_id": record,
        "entered_state_at": LATER, "entered_state_source": "accept_recorded_at",
    });
    let expected = item(&service, &version, expected).await;
    assert_eq!(pending_work(&grant).await["items"], json!([expected]));
    // A later revision was not accepted and cannot be ratified.
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    service.author().await.patch(version.path(), &edit).await.expect(200);
    assert_eq!(pending_work(&grant).await["items"], json!([]));
}

#[tokio::test]
async fn ratified_version_waits_for_activation_since_ratified_at_until_it_is_active() {
    let service = test_service().await;
    let (version, grant) = draft_with_grant(&service).await;
    service.submit(&version).await;
    service.clock.advance(MINUTE_MS);
    service.ratify(&version).await;
    let expected = json!({
        "kind": "activation", "requested_act": "activate",
        "entered_state_at": LATER, "entered_state_source": "ratified_at",
    });
    let expected = item(&service, &version, expected).await;
    assert_eq!(pending_work(&grant).await["items"], json!([expected]));
    service.activate(&version).await;
    assert_eq!(pending_work(&grant).await["items"], json!([]));
}

#[testkit::test]
async fn returned_version_has_no_item_until_it_is_sealed_again(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    let record = service.review(&version, &submission, "RETURN").await;
    assert_eq!(pending_work(&grant).await["items"], json!([]));
    let author = service.author().await;
    service.submit(&version).await;
    assert_eq!(pending_work(&grant).await["items"], json!([]));
    author.post(version.action_path("recall"), &json!({})).await.expect(200);
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let reference = json!({"answers_record_id": record});
    author.post(version.action_path("seal"), &reference).await.expect(201);
    let items = &pending_work(&grant).await["items"];
    assert_eq!(items[0]["submission_sequence"], 2);
    assert_eq!(items[0]["requested_act"], "review");
}

#[testkit::test]
async fn set_aside_version_has_no_item(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    service.seal(&version).await;
    service.replace_with_new_draft(&version).await;
    assert_eq!(pending_work(&grant).await["items"], json!([]));
}

#[tokio::test]
async fn replaced_version_has_an_item_until_its_successor_is_sealed_ratified_or_set_aside() {
    let service = test_service().await;
    for end in ["sealed", "submitted and ratified", "set aside"] {
        let code = "PAY-01";
        service.sql("truncate capability_grants").await;
        service.sql("update policies set code = id::text, code_key = id::text").await;
        let version = service.draft(code).await;
        let grant = service.grant(&version, &super::FOLLOW).await;
        let submission = service.seal(&version).await;
        let next = supersede(&service, &version).await;
        service.carry(&grant, 2).await;
        let expected = json!({
            "kind": "review", "requested_act": "review", "submission_id": submission,
            "submission_sequence": 1, "candidate_revision": 1, "superseded_by_version": 2,
            "entered_state_at": NOW, "entered_state_source": "sealed_at",
        });
        let expected = item(&service, &version, expected).await;
        assert_eq!(expected["status"], "replaced");
        let before = pending_work(&grant).await;
        assert_eq!(before["items"], json!([expected]));
        assert_eq!(before.get("lineage_not_backed_by_grant"), None);
        // The item is removed when the new draft is sealed, ratified or set aside.
        let author = service.author().await;
        match end {
            "sealed" => {
                service.seal(&next).await;
            }
            "set aside" => {
                let reason = json!({"reason": "because"});
                author.post(next.action_path("set-aside"), &reason).await.expect(200);
            }
            _ => {
                service.submit(&next).await;
                assert_eq!(pending_work(&grant).await["items"].as_array().map(Vec::len), Some(2));
                service.ratify(&next).await;
            }
        }
        let items = pending_work(&grant).await["items"].clone();
        let items = items.as_array().expect("a list");
        assert!(items.iter().all(|one| one["version"] == 2), "{end}: {items:?}");
    }
}

#[testkit::test]
async fn accepted_replaced_draft_has_no_item(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    service.review(&version, &submission, "ACCEPT").await;
    supersede(&service, &version).await;
    service.carry(&grant, 2).await;
    assert_eq!(
        pending_work(&grant).await["items"],
        json!([]),
        "a replaced draft cannot be ratified"
    );
    assert_eq!(text(&pending_work(&grant).await["root_capability_id"]), grant.id);
}
