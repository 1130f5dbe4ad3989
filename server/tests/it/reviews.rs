//! Reviews: sealed submissions, review records and requested changes.

use crate::prelude::*;

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

#[testkit::test]
async fn sealing_a_sealed_revision_returns_the_same_submission(service: TestService) {
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

#[testkit::test]
async fn later_edits_do_not_change_a_submission(service: TestService) {
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

#[testkit::test]
async fn submission_has_at_most_one_review_record(service: TestService) {
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

#[testkit::test]
async fn one_of_two_concurrent_records_is_stored(service: TestService) {
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

#[testkit::test]
async fn record_reports_all_field_errors_together(service: TestService) {
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

#[testkit::test]
async fn next_seal_must_reference_the_returned_record(service: TestService) {
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

#[testkit::test]
async fn missing_reference_is_reported_before_an_unsealable_version(service: TestService) {
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
