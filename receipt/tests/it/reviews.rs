//! Review submissions and review records, byte for byte.

use contract::{
    id::{ReviewRecordId, UserId},
    json::{Limits, Value},
    policy::{ReviewComment, ReviewVerdict},
    time::Timestamp,
};
use receipt::{
    Digest,
    statement::{self, ReviewRecord, Submission},
};

const ID: &str = "00000000-0000-4000-8000-000000000001";
const NOW: &str = "2026-09-01T10:00:00.000Z";

fn id<T: std::str::FromStr<Err: std::fmt::Debug>>() -> T {
    ID.parse().unwrap()
}

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

#[test]
fn submission_contains_the_rules_and_optional_members() {
    let rules = Value::parse(br#"[{"code":"R","severity":"low"}]"#, &Limits::REQUEST).unwrap();
    let by = id::<UserId>().to_string();
    let plain = Submission {
        tenant_id: id(),
        policy_id: id(),
        policy_version_id: id(),
        version: 3,
        submission_id: id(),
        sequence: 2,
        candidate_revision: 7,
        rules_digest: "d",
        rules: &rules,
        change_reason: None,
        answers_record_id: None,
        sealed_by: &by,
        sealed_at: now(),
    };
    let expected = |answers: &str, reason: &str| {
        format!(
            r#"{{{answers}"candidate_revision":7,{reason}"policy_id":"{ID}","policy_version_id":"{ID}","rules":[{{"code":"R","severity":"low"}}],"rules_digest":"d","schema":"service-review-submission/v1","sealed_at":"{NOW}","sealed_by":"{ID}","sequence":2,"submission_id":"{ID}","tenant_id":"{ID}","version":3}}"#
        )
    };
    let canonical = statement::submission(&plain);
    assert_eq!(canonical.text, expected("", ""));
    assert_eq!(canonical.digest, Digest::compute(canonical.text.as_bytes()));
    let answering = Submission {
        change_reason: Some("per day"),
        answers_record_id: Some(id::<ReviewRecordId>()),
        ..plain
    };
    let answers = format!(r#""answers_record_id":"{ID}","#);
    let canonical = statement::submission(&answering);
    assert_eq!(canonical.text, expected(&answers, r#""change_reason":"per day","#));
}

#[test]
fn review_record_names_the_digest_of_the_submission() {
    let comment = |rule_code: Option<&str>, unit_id: Option<&str>| ReviewComment {
        rule_code: rule_code.map(str::to_owned),
        unit_id: unit_id.map(str::to_owned),
        text: "t".to_owned(),
    };
    let comments = [comment(Some("R"), Some("u")), comment(None, None)];
    let by = id::<UserId>().to_string();
    let record = ReviewRecord {
        tenant_id: id(),
        record_id: id(),
        submission_id: id(),
        submission_digest: "d",
        verdict: ReviewVerdict::Return,
        comments: &comments,
        note: Some("n"),
        recorded_by: &by,
        recorded_at: now(),
    };
    let canonical = statement::review_record(&record);
    let expected = format!(
        r#"{{"comments":[{{"rule_code":"R","text":"t","unit_id":"u"}},{{"text":"t"}}],"note":"n","record_id":"{ID}","recorded_at":"{NOW}","recorded_by":"{ID}","schema":"service-review-record/v1","submission_digest":"d","submission_id":"{ID}","tenant_id":"{ID}","verdict":"RETURN"}}"#
    );
    assert_eq!(canonical.text, expected);
    let minimal = statement::review_record(&ReviewRecord { comments: &[], note: None, ..record });
    assert!(minimal.text.starts_with(r#"{"comments":[],"record_id""#), "{}", minimal.text);
}
