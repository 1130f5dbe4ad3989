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
}
