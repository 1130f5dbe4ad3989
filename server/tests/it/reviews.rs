//! Reviews: sealed submissions, review records and requested changes.

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, items, text},
    service::{NOW, TestService, Version, create_draft, rules, test_service},
};

impl TestService {
    /// Seals a version as its author and returns the response.
    async fn try_seal(&self, version: &Version, body: &Value) -> TestResponse {
        self.author().await.post(version.action_path("seal"), body).await
    }

    /// Edits a draft as its author.
    async fn edit_draft(&self, version: &Version, revision: u32, max: u32) {
        let edit = json!({"expected_revision": revision, "rules": rules(max)});
        self.author().await.patch(version.path(), &edit).await.expect(200);
    }
}

fn with_reference(record: &str) -> Value {
    json!({"answers_record_id": record})
}

const MISSING_ID: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn sealing_a_sealed_revision_returns_the_same_submission() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let draft = service.read(&version).await;
    let first = service.try_seal(&version, &json!({})).await;
    let sealed = first.expect(201);
    assert_eq!(first.header("location"), Some(&*version.action_path("submissions")));
    assert_eq!(sealed["policy_version_id"], draft["id"]);
    assert_eq!(sealed["rules_digest"], draft["rules_digest"]);
    assert_eq!((&sealed["version"], &sealed["sequence"]), (&json!(1), &json!(1)));
    assert_eq!((&sealed["candidate_revision"], &sealed["sealed_at"]), (&json!(1), &json!(NOW)));
    let author = service.author().await.get("/v1/session").await.expect(200);
    assert_eq!(sealed["sealed_by"], author["user"]["id"]);
    for absent in ["answers_record_id", "records"] {
        assert_eq!(sealed.get(absent), None, "{absent}");
    }
    // Another user and a key receive the same submission.
    for caller in [service.author().await, service.ratifier().await, &service.key] {
        let response = caller.post(version.action_path("seal"), &json!({})).await;
        assert_eq!(response.expect(200), sealed);
        assert_eq!(response.header("location"), None);
    }
    let after = service.read(&version).await;
    assert_eq!(after, draft, "sealing does not change the draft");
}

#[tokio::test]
async fn later_edits_do_not_change_a_submission() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let first = service.try_seal(&version, &json!({})).await.expect(201);
    service.edit_draft(&version, 1, 9_000).await;
    let second = service.try_seal(&version, &json!({})).await.expect(201);
    assert_eq!((&second["sequence"], &second["candidate_revision"]), (&json!(2), &json!(2)));
    assert_ne!(second["rules_digest"], first["rules_digest"]);
    let list = service.key.get(version.action_path("submissions")).await.expect(200);
    let with_records = |submission: &Value| {
        let mut submission = submission.clone();
        submission["records"] = json!([]);
        submission
    };
    assert_eq!(list["items"], json!([with_records(&second), with_records(&first)]));
    assert_eq!(list["next_cursor"], Value::Null);
    // The sealed bytes contain the rules, and their digest is the digest of the response.
    let digests = "select encode(sha256(convert_to(sealed, 'UTF8')), 'hex') || ' ' || digest || ' ' \
                   || (sealed::jsonb -> 'rules' -> 0 -> 'condition' ->> 'max') \
                   from review_submissions order by sequence";
    let expected = |submission: &Value, max: &str| {
        let digest = text(&submission["submission_digest"]);
        format!("{digest} {digest} {max}")
    };
    assert_eq!(service.sql(digests).await, [expected(&first, "10000"), expected(&second, "9000")]);
}

#[tokio::test]
async fn submissions_are_paginated() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    for revision in 1..=3 {
        service.try_seal(&version, &json!({})).await.expect(201);
        service.edit_draft(&version, revision, 9_000 + revision).await;
    }
    let path = format!("{}?limit=2", version.action_path("submissions"));
    let page = service.key.get(&path).await.expect(200);
    let sequences = |page: &Value| -> Vec<u64> {
        items(page).iter().map(|item| item["sequence"].as_u64().expect("a number")).collect()
    };
    assert_eq!(sequences(&page), [3, 2]);
    let cursor = text(&page["next_cursor"]);
    let rest = service.key.get(format!("{path}&cursor={cursor}")).await.expect(200);
    assert_eq!((sequences(&rest), &rest["next_cursor"]), (vec![1], &Value::Null));
    let other = service.draft("PAY-02").await;
    let foreign =
        service.key.get(format!("{}?cursor={cursor}", other.action_path("submissions"))).await;
    assert_eq!(foreign.field_errors(), "/cursor cursor\n");
}

#[tokio::test]
async fn submission_has_at_most_one_review_record() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let path = version.action_path(&format!("submissions/{submission}/records"));
    let body = json!({
        "verdict": "RETURN",
        "comments": [
            {"rule_code": "AMOUNT", "text": "per day"},
            {"unit_id": "s-12", "text": "read again"},
            {"text": "all in all"},
        ],
        "note": "one more round",
    });
    let reviewer = service.reviewer().await;
    let recorded = reviewer.post(&path, &body).await;
    assert_eq!(recorded.header("location"), Some(&*version.action_path("submissions")));
    let record = recorded.expect(201);
    for member in ["verdict", "comments", "note"] {
        assert_eq!(record[member], body[member], "{member}");
    }
    assert_eq!(
        (&record["submission_id"], &record["recorded_at"]),
        (&json!(submission), &json!(NOW))
    );
    let session = reviewer.get("/v1/session").await.expect(200);
    assert_eq!(record["recorded_by"], session["user"]["id"]);
    let stored = "select encode(sha256(convert_to(record, 'UTF8')), 'hex') from review_records";
    assert_eq!(service.sql(stored).await, [text(&record["record_digest"])]);
    let list = service.key.get(version.action_path("submissions")).await.expect(200);
    assert_eq!(list["items"][0]["records"], json!([record]));
    // A second record is a conflict for every reviewer.
    for person in [reviewer, service.ratifier().await] {
        let second = person.post(&path, &json!({"verdict": "ACCEPT"})).await;
        assert_eq!(second.to_string(), "409 CONFLICT");
    }
}

#[tokio::test]
async fn one_of_two_concurrent_records_is_stored() {
    let service = test_service().await;
    let (one, two) = (
        service.signed_in_member(Role::Reviewer).await,
        service.signed_in_member(Role::Reviewer).await,
    );
    for round in 0..5 {
        let version = service.draft(&format!("PAY-{round}")).await;
        let submission = service.seal(&version).await;
        let path = version.action_path(&format!("submissions/{submission}/records"));
        let (accept, request_changes) =
            (json!({"verdict": "ACCEPT"}), json!({"verdict": "RETURN"}));
        let accept = one.post(&path, &accept).into_future();
        let (first, second) = tokio::join!(accept, two.post(&path, &request_changes).into_future());
        let mut responses = [first.to_string(), second.to_string()];
        responses.sort();
        assert_eq!(responses, ["201", "409 CONFLICT"]);
    }
}

#[tokio::test]
async fn sealer_cannot_review_unless_maker_checker_is_off() {
    let service = test_service().await;
    let admin = service.admin().await;
    let accept = json!({"verdict": "ACCEPT"});
    // The admin is the owner of the key.
    for (code, sealer) in [("BY-PERSON", &admin), ("BY-KEY", &service.key)] {
        let version = service.draft(code).await;
        let sealed = sealer.post(version.action_path("seal"), &json!({})).await.expect(201);
        let path = version.action_path(&format!("submissions/{}/records", text(&sealed["id"])));
        let refused = admin.post(&path, &accept).await;
        assert_eq!(refused.to_string(), "403 MAKER_CHECKER_VIOLATION");
        service.reviewer().await.post(&path, &accept).await.expect(201);
    }
    service.sql("update settings set maker_checker_enabled = false").await;
    let version = service.draft("ALONE").await;
    let sealed = admin.post(version.action_path("seal"), &json!({})).await.expect(201);
    let path = version.action_path(&format!("submissions/{}/records", text(&sealed["id"])));
    admin.post(&path, &accept).await.expect(201);
}

#[tokio::test]
async fn sealer_cannot_ratify() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let admin = service.admin().await;
    let sealed = admin.post(version.action_path("seal"), &json!({})).await.expect(201);
    service.review(&version, text(&sealed["id"]), "ACCEPT").await;
    let body = json!({"expected_revision": 1});
    let refused = admin.post(version.action_path("ratify"), &body).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION");
    service.ratify(&version).await;
}

#[tokio::test]
async fn record_reports_all_field_errors_together() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let path = version.action_path(&format!("submissions/{submission}/records"));
    let reviewer = service.reviewer().await;
    let wrong = json!({
        "verdict": "accept", "note": 1, "coments": [],
        "comments": [{"rule_code": "R"}, {"text": "", "line": 3}],
    });
    assert_snapshot!(reviewer.post(&path, &wrong).await.field_errors(), @r"
    /verdict enum
    /comments/0/text required
    /comments/1/text too_short
    /comments/1/line unknown
    /note type
    /coments unknown
    ");
    assert_eq!(reviewer.post(&path, &json!({})).await.field_errors(), "/verdict required\n");
    let seal = json!({"answers_record_id": 1, "answer": true});
    let refused = service.try_seal(&version, &seal).await.field_errors();
    assert_eq!(refused, "/answers_record_id format\n/answer unknown\n");
}

#[tokio::test]
async fn submission_is_found_only_under_its_version() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let other = service.draft("PAY-02").await;
    let reviewer = service.reviewer().await;
    let accept = json!({"verdict": "ACCEPT"});
    for path in [
        other.action_path(&format!("submissions/{submission}/records")),
        version.action_path(&format!("submissions/{MISSING_ID}/records")),
        version.action_path("submissions/none/records"),
    ] {
        let missing = reviewer.post(&path, &accept).await;
        assert_eq!(missing.to_string(), "404 NOT_FOUND", "{path}");
    }
    let neighbour = service.other_tenant().await;
    let path = version.action_path(&format!("submissions/{submission}/records"));
    assert_snapshot!(neighbour.admin.post(path, &accept).await, @"404 NOT_FOUND");
    assert_snapshot!(neighbour.key.post(version.action_path("seal"), &json!({})).await, @"404 NOT_FOUND");
    assert_snapshot!(neighbour.key.get(version.action_path("submissions")).await, @"404 NOT_FOUND");
}

#[tokio::test]
async fn next_seal_must_reference_the_returned_record() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let premature = service.try_seal(&version, &with_reference(MISSING_ID)).await;
    assert_snapshot!(premature, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    let record = service.review(&version, &submission, "RETURN").await;
    service.edit_draft(&version, 1, 9_000).await;
    let without_reference = service.try_seal(&version, &json!({})).await;
    assert_snapshot!(without_reference, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(without_reference.details(), json!({"record_id": record}));
    let wrong = service.try_seal(&version, &with_reference(MISSING_ID)).await;
    assert_snapshot!(wrong, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
    let resubmission = service.try_seal(&version, &with_reference(&record)).await.expect(201);
    assert_eq!(
        (&resubmission["sequence"], &resubmission["answers_record_id"]),
        (&json!(2), &json!(record))
    );
    // A repeated call returns the same submission, with and without the reference.
    for body in [with_reference(&record), json!({})] {
        assert_eq!(service.try_seal(&version, &body).await.expect(200), resubmission);
    }
    // A return can be referenced only once.
    service.edit_draft(&version, 2, 8_000).await;
    let repeated = service.try_seal(&version, &with_reference(&record)).await;
    assert_snapshot!(repeated, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    service.try_seal(&version, &json!({})).await.expect(201);
}

#[tokio::test]
async fn reference_to_an_earlier_return_is_a_mismatch() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let first = service.seal(&version).await;
    let first = service.review(&version, &first, "RETURN").await;
    service.edit_draft(&version, 1, 9_000).await;
    let second = service.try_seal(&version, &with_reference(&first)).await.expect(201);
    let second = service.review(&version, text(&second["id"]), "RETURN").await;
    service.edit_draft(&version, 2, 8_000).await;
    let stale = service.try_seal(&version, &with_reference(&first)).await;
    assert_snapshot!(stale, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
    service.try_seal(&version, &with_reference(&second)).await.expect(201);
}

#[tokio::test]
async fn sealing_a_returned_revision_unchanged_returns_the_same_submission() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let sealed = service.try_seal(&version, &json!({})).await.expect(201);
    let record = service.review(&version, text(&sealed["id"]), "RETURN").await;
    let without_reference = service.try_seal(&version, &json!({})).await;
    assert_snapshot!(without_reference, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(service.try_seal(&version, &with_reference(&record)).await.expect(200), sealed);
    assert_eq!(service.sql("select count(*)::text from review_submissions").await, ["1"]);
}

#[tokio::test]
async fn accepted_record_cannot_be_referenced_by_a_seal() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let record = service.review(&version, &submission, "ACCEPT").await;
    service.edit_draft(&version, 1, 9_000).await;
    let refused = service.try_seal(&version, &with_reference(&record)).await;
    assert_snapshot!(refused, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    service.try_seal(&version, &json!({})).await.expect(201);
}

#[tokio::test]
async fn missing_reference_is_reported_before_an_unsealable_version() {
    let service = test_service().await;
    // The next revision is submitted and ratified although a return is not yet referenced.
    let returned = service.draft("RETURNED").await;
    let submission = service.seal(&returned).await;
    let record = service.review(&returned, &submission, "RETURN").await;
    service.edit_draft(&returned, 1, 9_000).await;
    service.submit(&returned).await;
    let body = json!({"expected_revision": 2});
    service.ratifier().await.post(returned.action_path("ratify"), &body).await.expect(200);
    let without_reference = service.try_seal(&returned, &json!({})).await;
    assert_snapshot!(without_reference, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    for referenced in [&*record, MISSING_ID] {
        let refused = service.try_seal(&returned, &with_reference(referenced)).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
        let details =
            json!({"reason": "VERSION_NOT_SEALABLE", "from": "ratified", "requested": "seal"});
        assert_eq!(refused.details(), details);
    }
    let unreviewed = service.ratified("UNREVIEWED").await;
    for body in [json!({}), with_reference(MISSING_ID)] {
        let refused = service.try_seal(&unreviewed, &body).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    }
}

#[tokio::test]
async fn accepted_revision_can_be_ratified_without_being_submitted() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    let ratifier = service.ratifier().await;
    let body = |revision: u32| json!({"expected_revision": revision});
    let ratify =
        async |revision| ratifier.post(version.action_path("ratify"), &body(revision)).await;
    let sealed = ratify(1).await;
    assert_snapshot!(sealed, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    service.review(&version, &submission, "ACCEPT").await;
    // The review applies only to the reviewed revision.
    service.edit_draft(&version, 1, 9_000).await;
    assert_snapshot!(ratify(1).await, @"409 STALE_DRAFT_REVISION");
    assert_snapshot!(ratify(2).await, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    let submission = service.seal(&version).await;
    service.review(&version, &submission, "ACCEPT").await;
    let ratified = ratify(2).await.expect(200);
    assert_eq!((&ratified["status"], ratified.get("submitted_at")), (&json!("ratified"), None));
    assert_eq!(service.key.get(version.policy_path()).await.expect(200).get("draft_version"), None);
    service.activate(&version).await;
}

#[tokio::test]
async fn required_review_allows_ratification_only_of_an_accepted_revision() {
    let service = test_service().await;
    service.sql("update settings set review_required = true").await;
    let ratifier = service.ratifier().await;
    let body = json!({"expected_revision": 1});
    let version = service.submitted("PAY-01").await;
    let ratify = async || ratifier.post(version.action_path("ratify"), &body).await;
    assert_snapshot!(ratify().await, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    let submission = service.seal(&version).await;
    assert_snapshot!(ratify().await, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    service.review(&version, &submission, "ACCEPT").await;
    ratify().await.expect(200);

    let returned = service.submitted("PAY-02").await;
    let submission = service.seal(&returned).await;
    service.review(&returned, &submission, "RETURN").await;
    let refused = ratifier.post(returned.action_path("ratify"), &body).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_RETURNED)");
    let details = json!({"reason": "VERSION_RETURNED", "from": "submitted", "requested": "ratify"});
    assert_eq!(refused.details(), details);
    let draft = service.draft("PAY-03").await;
    let refused = ratifier.post(draft.action_path("ratify"), &body).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
}

#[tokio::test]
async fn ratified_or_set_aside_version_cannot_be_reviewed() {
    let service = test_service().await;
    let reviewer = service.reviewer().await;
    let ratified = service.submitted("RATIFIED").await;
    let set_aside = create_draft(service.author().await, "ASIDE").await;
    let mut paths = Vec::new();
    for version in [&ratified, &set_aside] {
        let submission = service.seal(version).await;
        paths.push(version.action_path(&format!("submissions/{submission}/records")));
    }
    service.ratify(&ratified).await;
    let reason = json!({"reason": "because"});
    reviewer.post(set_aside.action_path("set-aside"), &reason).await.expect(200);
    for (path, from) in paths.iter().zip(["ratified", "set_aside"]) {
        let refused = reviewer.post(path, &json!({"verdict": "ACCEPT"})).await;
        let details =
            json!({"reason": "VERSION_NOT_REVIEWABLE", "from": from, "requested": "records"});
        assert_eq!((refused.status, refused.details()), (409, details));
    }
}

#[tokio::test]
async fn a_returned_revision_cannot_be_ratified_whether_draft_or_submitted() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    service.review(&version, &submission, "RETURN").await;
    let ratify = async |revision: u32| {
        let body = json!({"expected_revision": revision});
        service.ratifier().await.post(version.action_path("ratify"), &body).await
    };
    for (status, act) in [("draft", "submit"), ("submitted", "recall")] {
        let refused = ratify(1).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_RETURNED)");
        let details = json!({"reason": "VERSION_RETURNED", "from": status, "requested": "ratify"});
        assert_eq!(refused.details(), details);
        service.author().await.post(version.action_path(act), &json!({})).await.expect(200);
    }
    // A later revision can be ratified.
    service.edit_draft(&version, 1, 9_000).await;
    service.submit(&version).await;
    ratify(2).await.expect(200);
}
