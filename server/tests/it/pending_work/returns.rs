//! Requested changes: the record that the next seal must reference, and the other records.

use super::{draft_with_grant, pending_work};
use crate::prelude::*;

/// The expected description of a returned submission.
async fn returned_submission(
    service: &TestService,
    version: &Version,
    submission: &str,
    record: &str,
) -> Value {
    let list = service.key.get(version.action_path("submissions")).await.expect(200);
    let version_details = service.read(version).await;
    let submissions = items(&list);
    let submission_details =
        submissions.iter().find(|one| one["id"] == submission).expect("a sealed submission");
    json!({
        "policy_version_id": version_details["id"], "version": version.number,
        "submission_id": submission,
        "review_record_id": record,
        "returned_by": submission_details["records"][0]["recorded_by"],
        "returned_at": submission_details["records"][0]["recorded_at"],
    })
}

/// Adds the reason why the next seal cannot reference a returned submission.
fn with_reason(returned: &Value, reason: &str) -> Value {
    let mut returned = returned.clone();
    returned["reason"] = json!(reason);
    returned
}

/// Seals a version as its author, with an optional reference to a review record.
async fn seal(service: &TestService, version: &Version, record: Option<&str>) -> TestResponse {
    let body = record.map_or(json!({}), |record| json!({"answers_record_id": record}));
    service.author().await.post(version.action_path("seal"), &body).await
}

#[testkit::test]
async fn next_seal_answers_is_the_record_that_the_next_seal_must_reference(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    assert_eq!(
        pending_work(&grant).await.get("next_seal_answers"),
        None,
        "nothing was returned yet"
    );
    service.clock.advance(MINUTE_MS);
    let record = service.review(&version, &submission, "RETURN").await;
    let expected = returned_submission(&service, &version, &submission, &record).await;
    for act in ["submit", "recall"] {
        let response = pending_work(&grant).await;
        assert_eq!(response["next_seal_answers"], expected, "before {act}");
        assert_eq!(response["returns_not_answerable"], json!([]));
        service.author().await.post(version.action_path(act), &json!({})).await.expect(200);
    }
    let without_reference = seal(&service, &version, None).await;
    assert_snapshot!(without_reference, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    service.author().await.patch(version.path(), &edit).await.expect(200);
    seal(&service, &version, Some(&record)).await.expect(201);
    assert_eq!(pending_work(&grant).await.get("next_seal_answers"), None);
}

#[tokio::test]
async fn return_of_an_earlier_submission_is_not_lineage_previous_and_cannot_be_referenced() {
    let service = test_service().await;
    let (version, grant) = draft_with_grant(&service).await;
    let first = service.seal(&version).await;
    let first_record = service.review(&version, &first, "RETURN").await;
    let author = service.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let second = seal(&service, &version, Some(&first_record)).await.expect(201)["id"].clone();
    let second = crate::client::text(&second).to_owned();
    let first = returned_submission(&service, &version, &first, &first_record).await;
    let listed = json!([with_reason(&first, "not_lineage_previous")]);
    assert_eq!(pending_work(&grant).await["returns_not_answerable"], listed);
    let edit = json!({"expected_revision": 2, "rules": rules(8_000)});
    author.patch(version.path(), &edit).await.expect(200);
    let refused = seal(&service, &version, Some(&first_record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");

    let second_record = service.review(&version, &second, "RETURN").await;
    let response = pending_work(&grant).await;
    assert_eq!(response["returns_not_answerable"], listed);
    let second = returned_submission(&service, &version, &second, &second_record).await;
    assert_eq!(response["next_seal_answers"], second);
    let refused = seal(&service, &version, Some(&first_record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
}

#[testkit::test]
async fn return_of_an_unsealable_version_is_head_not_sealable(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    let record = service.review(&version, &submission, "RETURN").await;
    service.replace_with_new_draft(&version).await;
    let response = pending_work(&grant).await;
    let expected = returned_submission(&service, &version, &submission, &record).await;
    assert_eq!(
        response["returns_not_answerable"],
        json!([with_reason(&expected, "head_not_sealable")])
    );
    assert_eq!(response.get("next_seal_answers"), None);
    let with_reference = seal(&service, &version, Some(&record)).await;
    assert_snapshot!(with_reference, @"409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    let without_reference = seal(&service, &version, None).await;
    assert_snapshot!(without_reference, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
}

#[testkit::test]
async fn return_of_the_version_before_a_carry_over_is_not_lineage_previous(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let submission = service.seal(&version).await;
    let record = service.review(&version, &submission, "RETURN").await;
    let next = service.replace_with_new_draft(&version).await;
    service.carry(&grant, 2).await;
    let response = pending_work(&grant).await;
    let expected = returned_submission(&service, &version, &submission, &record).await;
    assert_eq!(
        response["returns_not_answerable"],
        json!([with_reason(&expected, "not_lineage_previous")])
    );
    assert_eq!(response.get("next_seal_answers"), None);
    let refused = seal(&service, &next, Some(&record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
}
