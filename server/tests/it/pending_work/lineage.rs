//! Draft lineage: the flags for a lineage that is broken or has versions without a grant.

use super::{FOLLOW, Grant, pending_work, supersede};
use crate::prelude::*;

/// Supersedes a returned draft. Returns both drafts, the review record and a grant on the new draft.
async fn supersede_returned_draft(service: &TestService) -> (Version, Version, String, Grant) {
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    let record = service.review(&first, &submission, "RETURN").await;
    let second = supersede(service, &first).await;
    let grant = service.grant(&second, &FOLLOW).await;
    (first, second, record, grant)
}

/// Changes the previous version of a version, without the constraints and the trigger that prevent it.
async fn set_previous_version(service: &TestService, version: &Version, previous: &str) {
    for change in [
        "drop constraint if exists policy_versions_lineage",
        "drop constraint if exists policy_versions_lineage_decreasing",
        "disable trigger prevent_closed_version_changes",
    ] {
        service.sql(&format!("alter table policy_versions {change}")).await;
    }
    service.sql("drop index if exists policy_versions_one_successor").await;
    let update = format!(
        "update policy_versions set lineage_previous = {previous}
         where policy_id = '{}' and version = {}",
        version.policy, version.number
    );
    service.sql(&update).await;
}

/// Seals a version as its author and returns the status and code of the response.
async fn seal(service: &TestService, version: &Version, body: Value) -> String {
    service.author().await.post(version.action_path("seal"), &body).await.to_string()
}

#[tokio::test]
async fn previous_version_without_a_grant_is_flagged_and_its_items_are_not_listed() {
    let service = test_service().await;
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    let second = supersede(&service, &first).await;
    let grant = service.grant(&second, &FOLLOW).await;
    let response = pending_work(&grant).await;
    assert_eq!(response["lineage_not_backed_by_grant"], true);
    assert_eq!(response["items"], json!([]));
    assert_eq!(response.get("lineage_unresolved"), None);
    // The requested changes are listed, and the seal can reference them.
    let record = service.review(&first, &submission, "RETURN").await;
    let response = pending_work(&grant).await;
    assert_eq!(response["next_seal_answers"]["review_record_id"], json!(record));
    assert_eq!(response["next_seal_answers"]["version"], 1);
    assert_eq!(response["returns_not_answerable"], json!([]));
    assert_eq!(seal(&service, &second, json!({"answers_record_id": record})).await, "201");
    assert_eq!(pending_work(&grant).await.get("lineage_not_backed_by_grant"), None);
}

#[tokio::test]
async fn cycle_or_dangling_link_before_any_sealed_version_is_unresolved_and_blocks_the_seal() {
    let service = test_service().await;
    for (code, previous) in [("SELF", "1"), ("CYCLE", "2"), ("DANGLING", "77")] {
        let first = service.draft(code).await;
        let second = supersede(&service, &first).await;
        let grant = service.grant(&second, &FOLLOW).await;
        assert_eq!(pending_work(&grant).await.get("lineage_unresolved"), None);
        set_previous_version(&service, &first, previous).await;
        let response = pending_work(&grant).await;
        assert_eq!(response["lineage_unresolved"], true, "{code}");
        assert_eq!(response.get("next_seal_answers"), None);
        assert_eq!(response.get("lineage_not_backed_by_grant"), None, "no version was found");
        assert_eq!(seal(&service, &second, json!({})).await, "409 LINEAGE_UNRESOLVED", "{code}");
    }
}

#[tokio::test]
async fn broken_link_beyond_the_sealed_version_returns_next_seal_answers_and_both_flags() {
    let service = test_service().await;
    let (first, second, record, grant) = supersede_returned_draft(&service).await;
    set_previous_version(&service, &first, "77").await;
    let response = pending_work(&grant).await;
    assert_eq!(response["lineage_unresolved"], true);
    assert_eq!(response["lineage_not_backed_by_grant"], true);
    assert_eq!(response["next_seal_answers"]["review_record_id"], json!(record));
    assert_eq!(seal(&service, &second, json!({"answers_record_id": record})).await, "201");
}
