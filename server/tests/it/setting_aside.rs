//! Setting aside a version that was never active, by its authors and by reviewers.

use crate::prelude::*;

#[testkit::test]
async fn drafts_submitted_and_ratified_versions_can_be_set_aside(service: TestService) {
    let draft = service.draft("DRAFT").await;
    let submitted = service.submitted("SUBMITTED").await;
    let ratified = service.ratified("RATIFIED").await;
    let author = service.author().await;
    let author_id = user_id(author).await;
    for version in [draft, submitted, ratified] {
        let before = service.read(&version).await;
        let reason = json!({"reason": "the law was withdrawn"});
        let closed = author.post(version.action_path("set-aside"), &reason).await.expect(200);
        assert_eq!((&closed["status"], &closed["closed_at"]), (&json!("set_aside"), &json!(NOW)));
        assert_eq!(closed["closed_by"], author_id);
        assert_eq!(closed["closed_reason"], "the law was withdrawn");
        assert_eq!((&closed["rules"], &closed["id"]), (&before["rules"], &before["id"]));
        assert_eq!(service.read(&version).await, closed);
        // The policy can have a new draft.
        let policy = service.key.get(version.policy_path()).await.expect(200);
        assert_eq!(policy.get("draft_version"), None);
        let rules = json!({"rules": []});
        let next = author.post(version.versions_path(), &rules).await.expect(201);
        assert_eq!((&next["version"], next.get("supersedes_version")), (&json!(2), None));
        let error = author.post(version.action_path("set-aside"), &reason).await;
        assert_eq!(error.to_string(), "409 INVALID_TRANSITION (VERSION_CLOSED)");
        let details =
            json!({"reason": "VERSION_CLOSED", "from": "set_aside", "requested": "set-aside"});
        assert_eq!(error.details(), details);
    }
}

#[testkit::test]
async fn only_the_authors_of_a_version_and_reviewers_can_set_it_aside(service: TestService) {
    let reason = json!({"reason": "because"});
    let other = service.signed_in_member(Role::Author).await;
    let version = service.draft("PAY-01").await;
    let error = other.post(version.action_path("set-aside"), &reason).await;
    assert_snapshot!(error, @"403 FORBIDDEN");
    // Editing a draft makes the user one of its authors.
    let edit = json!({"expected_revision": 1});
    other.patch(version.path(), &edit).await.expect(200);
    other.post(version.action_path("set-aside"), &reason).await.expect(200);

    let version = service.draft("PAY-02").await;
    service.reviewer().await.post(version.action_path("set-aside"), &reason).await.expect(200);
    // API keys cannot set versions aside, even if they belong to an admin.
    let version = create_draft(&service.key, "PAY-03").await;
    let error = service.key.post(version.action_path("set-aside"), &reason).await;
    assert_snapshot!(error, @"403 HUMAN_REQUIRED");
}

#[testkit::test]
async fn the_review_submissions_of_a_deleted_policy_remain(service: TestService) {
    let version = service.draft("PAY-01").await;
    service.seal(&version).await;
    service.author().await.delete(version.policy_path()).await;
    assert_eq!(service.sql("select count(*)::text from policies").await, ["0"]);
    assert_eq!(service.sql("select count(*)::text from review_submissions").await, ["1"]);
}

/// Creates the next draft as the author, based on `base`.
async fn draft_based_on(service: &TestService, base: &Version) -> Version {
    let path = base.versions_path();
    let body = json!({"rules": [], "based_on_version": base.number});
    let created = service.author().await.post(path, &body).await.expect(201);
    assert_eq!(created.get("supersedes_version"), None);
    let number = created["version"].as_u64().and_then(|number| u32::try_from(number).ok());
    Version { policy: base.policy.clone(), number: number.expect("a number") }
}

#[tokio::test]
async fn a_draft_based_on_a_returned_draft_must_address_its_requested_changes() {
    let service = test_service().await;
    let author = service.author().await;
    let set_aside = async |version: &Version| {
        let reason = json!({"reason": "start over"});
        author.post(version.action_path("set-aside"), &reason).await.expect(200);
    };
    let seal = async |version: &Version, body: Value| {
        author.post(version.action_path("seal"), &body).await
    };
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    let record = service.review(&first, &submission, "RETURN").await;
    set_aside(&first).await;
    // This also applies through an unsealed draft in between, and repeatedly.
    let second = draft_based_on(&service, &first).await;
    set_aside(&second).await;
    for base in [&second, &first] {
        let next = draft_based_on(&service, base).await;
        let error = seal(&next, json!({})).await;
        assert_eq!(error.to_string(), "400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
        assert_eq!(error.details(), json!({"record_id": record}));
        set_aside(&next).await;
    }
    let last = draft_based_on(&service, &first).await;
    seal(&last, json!({"answers_record_id": record})).await.expect(201);
    // A draft that is not based on this version has no changes to address.
    set_aside(&last).await;
    let path = first.versions_path();
    let created = author.post(path, &json!({"rules": []})).await.expect(201);
    let number = created["version"].as_u64().and_then(|number| u32::try_from(number).ok());
    let independent = Version { policy: first.policy.clone(), number: number.expect("a number") };
    seal(&independent, json!({})).await.expect(201);
}
