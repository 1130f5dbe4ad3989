//! Reviews: what is sealed stays, one person records what was found, and a return is answered.

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    service::{NOW, TestService, Version, drafted, rules, world},
};

impl TestService {
    /// The attempt of the author to seal a version.
    async fn sealing(&self, version: &Version, body: &Value) -> TestResponse {
        self.author().await.post(version.act("seal"), body).await
    }

    /// The author edits a draft.
    async fn edit(&self, version: &Version, revision: u32, max: u32) {
        let edit = json!({"expected_revision": revision, "rules": rules(max)});
        self.author().await.patch(version.path(), &edit).await.expect(200);
    }
}

fn answering(record: &str) -> Value {
    json!({"answers_record_id": record})
}

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn a_revision_is_sealed_once_and_shown_again() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let draft = world.key.get(version.path()).await.expect(200);
    let first = world.sealing(&version, &json!({})).await;
    let sealed = first.expect(201);
    assert_eq!(first.header("location"), Some(&*version.act("submissions")));
    assert_eq!(sealed["policy_version_id"], draft["id"]);
    assert_eq!(sealed["rules_digest"], draft["rules_digest"]);
    assert_eq!((&sealed["version"], &sealed["sequence"]), (&json!(1), &json!(1)));
    assert_eq!((&sealed["candidate_revision"], &sealed["sealed_at"]), (&json!(1), &json!(NOW)));
    let author = world.author().await.get("/v1/session").await.expect(200);
    assert_eq!(sealed["sealed_by"], author["user"]["id"]);
    for absent in ["answers_record_id", "records"] {
        assert_eq!(sealed.get(absent), None, "{absent}");
    }
    // Another person, or a key, is shown the same.
    for caller in [world.author().await, world.ratifier().await, &world.key] {
        let again = caller.post(version.act("seal"), &json!({})).await;
        assert_eq!(again.expect(200), sealed);
        assert_eq!(again.header("location"), None);
    }
    let after = world.key.get(version.path()).await.expect(200);
    assert_eq!(after, draft, "a seal changes nothing that is drafted");
}

#[tokio::test]
async fn what_was_sealed_stays_when_the_draft_moves_on() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let first = world.sealing(&version, &json!({})).await.expect(201);
    world.edit(&version, 1, 9_000).await;
    let second = world.sealing(&version, &json!({})).await.expect(201);
    assert_eq!((&second["sequence"], &second["candidate_revision"]), (&json!(2), &json!(2)));
    assert_ne!(second["rules_digest"], first["rules_digest"]);
    let list = world.key.get(version.act("submissions")).await.expect(200);
    let with_records = |submission: &Value| {
        let mut submission = submission.clone();
        submission["records"] = json!([]);
        submission
    };
    assert_eq!(list["items"], json!([with_records(&second), with_records(&first)]));
    assert_eq!(list["next_cursor"], Value::Null);
    // The sealed bytes hold the rules, and their digest is the one that is told.
    let digests = "select encode(sha256(convert_to(sealed, 'UTF8')), 'hex') || ' ' || digest || ' ' \
                   || (sealed::jsonb -> 'rules' -> 0 -> 'condition' ->> 'max') \
                   from review_submissions order by sequence";
    let told = |submission: &Value, max: &str| {
        let digest = text(&submission["submission_digest"]);
        format!("{digest} {digest} {max}")
    };
    assert_eq!(world.sql(digests).await, [told(&first, "10000"), told(&second, "9000")]);
}

#[tokio::test]
async fn submissions_come_in_pages() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    for revision in 1..=3 {
        world.sealing(&version, &json!({})).await.expect(201);
        world.edit(&version, revision, 9_000 + revision).await;
    }
    let path = format!("{}?limit=2", version.act("submissions"));
    let page = world.key.get(&path).await.expect(200);
    let sequences = |page: &Value| -> Vec<u64> {
        let items = page["items"].as_array().expect("a list");
        items.iter().map(|item| item["sequence"].as_u64().expect("a number")).collect()
    };
    assert_eq!(sequences(&page), [3, 2]);
    let cursor = text(&page["next_cursor"]);
    let rest = world.key.get(format!("{path}&cursor={cursor}")).await.expect(200);
    assert_eq!((sequences(&rest), &rest["next_cursor"]), (vec![1], &Value::Null));
    let other = world.draft("PAY-02").await;
    let foreign = world.key.get(format!("{}?cursor={cursor}", other.act("submissions"))).await;
    assert_eq!(foreign.faults(), "/cursor cursor\n");
}

#[tokio::test]
async fn a_reviewer_records_once_what_was_found() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let path = version.act(&format!("submissions/{submission}/records"));
    let found = json!({
        "verdict": "RETURN",
        "comments": [
            {"rule_code": "AMOUNT", "text": "per day"},
            {"unit_id": "s-12", "text": "read again"},
            {"text": "all in all"},
        ],
        "note": "one more round",
    });
    let reviewer = world.reviewer().await;
    let recorded = reviewer.post(&path, &found).await;
    assert_eq!(recorded.header("location"), Some(&*version.act("submissions")));
    let record = recorded.expect(201);
    for member in ["verdict", "comments", "note"] {
        assert_eq!(record[member], found[member], "{member}");
    }
    assert_eq!(
        (&record["submission_id"], &record["recorded_at"]),
        (&json!(submission), &json!(NOW))
    );
    let who = reviewer.get("/v1/session").await.expect(200);
    assert_eq!(record["recorded_by"], who["user"]["id"]);
    let stored = "select encode(sha256(convert_to(record, 'UTF8')), 'hex') from review_records";
    assert_eq!(world.sql(stored).await, [text(&record["record_digest"])]);
    let list = world.key.get(version.act("submissions")).await.expect(200);
    assert_eq!(list["items"][0]["records"], json!([record]));
    // Once, whoever asks.
    for person in [reviewer, world.ratifier().await] {
        let again = person.post(&path, &json!({"verdict": "ACCEPT"})).await;
        assert_eq!(again.to_string(), "409 CONFLICT");
    }
}

#[tokio::test]
async fn of_two_records_at_once_one_is_kept() {
    let world = world().await;
    let (one, two) = (world.person(Role::Reviewer).await, world.person(Role::Reviewer).await);
    for round in 0..5 {
        let version = world.draft(&format!("PAY-{round}")).await;
        let submission = world.seal(&version).await;
        let path = version.act(&format!("submissions/{submission}/records"));
        let (accept, give_back) = (json!({"verdict": "ACCEPT"}), json!({"verdict": "RETURN"}));
        let accept = one.post(&path, &accept).into_future();
        let (first, second) = tokio::join!(accept, two.post(&path, &give_back).into_future());
        let mut answers = [first.to_string(), second.to_string()];
        answers.sort();
        assert_eq!(answers, ["201", "409 CONFLICT"]);
    }
}

#[tokio::test]
async fn whoever_sealed_it_does_not_review_it_unless_one_person_may_do_it_all() {
    let world = world().await;
    let admin = world.admin().await;
    let accept = json!({"verdict": "ACCEPT"});
    // The admin stands behind the key; behind another key stands nobody.
    for (code, sealer) in [("BY-PERSON", &admin), ("BY-KEY", &world.key)] {
        let version = world.draft(code).await;
        let sealed = sealer.post(version.act("seal"), &json!({})).await.expect(201);
        let path = version.act(&format!("submissions/{}/records", text(&sealed["id"])));
        let refused = admin.post(&path, &accept).await;
        assert_eq!(refused.to_string(), "403 MAKER_CHECKER_VIOLATION");
        world.reviewer().await.post(&path, &accept).await.expect(201);
    }
    world.sql("update settings set maker_checker_enabled = false").await;
    let version = world.draft("ALONE").await;
    let sealed = admin.post(version.act("seal"), &json!({})).await.expect(201);
    let path = version.act(&format!("submissions/{}/records", text(&sealed["id"])));
    admin.post(&path, &accept).await.expect(201);
}

#[tokio::test]
async fn whoever_sealed_it_does_not_ratify_it() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let admin = world.admin().await;
    let sealed = admin.post(version.act("seal"), &json!({})).await.expect(201);
    world.review(&version, text(&sealed["id"]), "ACCEPT").await;
    let read = json!({"expected_revision": 1});
    let refused = admin.post(version.act("ratify"), &read).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION");
    world.ratify(&version).await;
}

#[tokio::test]
async fn faults_of_a_record_are_told_all_at_once() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let path = version.act(&format!("submissions/{submission}/records"));
    let reviewer = world.reviewer().await;
    let wrong = json!({
        "verdict": "accept", "note": 1, "coments": [],
        "comments": [{"rule_code": "R"}, {"text": "", "line": 3}],
    });
    assert_snapshot!(reviewer.post(&path, &wrong).await.faults(), @r"
    /verdict enum
    /comments/0/text required
    /comments/1/text too_short
    /comments/1/line unknown
    /note type
    /coments unknown
    ");
    assert_eq!(reviewer.post(&path, &json!({})).await.faults(), "/verdict required\n");
    let seal = json!({"answers_record_id": 1, "answer": true});
    let refused = world.sealing(&version, &seal).await.faults();
    assert_eq!(refused, "/answers_record_id format\n/answer unknown\n");
}

#[tokio::test]
async fn a_submission_is_found_at_its_own_version_only() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let other = world.draft("PAY-02").await;
    let reviewer = world.reviewer().await;
    let accept = json!({"verdict": "ACCEPT"});
    for path in [
        other.act(&format!("submissions/{submission}/records")),
        version.act(&format!("submissions/{NOBODY}/records")),
        version.act("submissions/none/records"),
    ] {
        let missing = reviewer.post(&path, &accept).await;
        assert_eq!(missing.to_string(), "404 NOT_FOUND", "{path}");
    }
    let neighbour = world.neighbour().await;
    let path = version.act(&format!("submissions/{submission}/records"));
    assert_snapshot!(neighbour.admin.post(path, &accept).await, @"404 NOT_FOUND");
    assert_snapshot!(neighbour.key.post(version.act("seal"), &json!({})).await, @"404 NOT_FOUND");
    assert_snapshot!(neighbour.key.get(version.act("submissions")).await, @"404 NOT_FOUND");
}

#[tokio::test]
async fn the_next_seal_answers_the_return_and_nothing_else() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let early = world.sealing(&version, &answering(NOBODY)).await;
    assert_snapshot!(early, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    let record = world.review(&version, &submission, "RETURN").await;
    world.edit(&version, 1, 9_000).await;
    let silent = world.sealing(&version, &json!({})).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(silent.details(), json!({"record_id": record}));
    let wrong = world.sealing(&version, &answering(NOBODY)).await;
    assert_snapshot!(wrong, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
    let answer = world.sealing(&version, &answering(&record)).await.expect(201);
    assert_eq!((&answer["sequence"], &answer["answers_record_id"]), (&json!(2), &json!(record)));
    // The same call again is the same submission, named or not.
    for again in [answering(&record), json!({})] {
        assert_eq!(world.sealing(&version, &again).await.expect(200), answer);
    }
    // It is answered; what was returned once is not answered twice.
    world.edit(&version, 2, 8_000).await;
    let twice = world.sealing(&version, &answering(&record)).await;
    assert_snapshot!(twice, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    world.sealing(&version, &json!({})).await.expect(201);
}

#[tokio::test]
async fn a_return_that_is_not_the_last_one_is_a_mismatch() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let first = world.seal(&version).await;
    let first = world.review(&version, &first, "RETURN").await;
    world.edit(&version, 1, 9_000).await;
    let second = world.sealing(&version, &answering(&first)).await.expect(201);
    let second = world.review(&version, text(&second["id"]), "RETURN").await;
    world.edit(&version, 2, 8_000).await;
    let stale = world.sealing(&version, &answering(&first)).await;
    assert_snapshot!(stale, @"409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
    world.sealing(&version, &answering(&second)).await.expect(201);
}

#[tokio::test]
async fn a_returned_revision_sealed_again_unchanged_is_the_same_submission() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let sealed = world.sealing(&version, &json!({})).await.expect(201);
    let record = world.review(&version, text(&sealed["id"]), "RETURN").await;
    let silent = world.sealing(&version, &json!({})).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(world.sealing(&version, &answering(&record)).await.expect(200), sealed);
    assert_eq!(world.sql("select count(*)::text from review_submissions").await, ["1"]);
}

#[tokio::test]
async fn an_accepted_submission_leaves_nothing_to_answer() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let record = world.review(&version, &submission, "ACCEPT").await;
    world.edit(&version, 1, 9_000).await;
    let named = world.sealing(&version, &answering(&record)).await;
    assert_snapshot!(named, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    world.sealing(&version, &json!({})).await.expect(201);
}

#[tokio::test]
async fn on_a_version_that_cannot_be_sealed_an_owed_answer_is_asked_for_first() {
    let world = world().await;
    // An answer is owed, and the next revision is ratified all the same, because it was submitted.
    let owing = world.draft("OWING").await;
    let submission = world.seal(&owing).await;
    let record = world.review(&owing, &submission, "RETURN").await;
    world.edit(&owing, 1, 9_000).await;
    world.author().await.post(owing.act("submit"), &json!({})).await.expect(200);
    let read = json!({"expected_revision": 2});
    world.ratifier().await.post(owing.act("ratify"), &read).await.expect(200);
    let silent = world.sealing(&owing, &json!({})).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    for named in [&*record, NOBODY] {
        let named = world.sealing(&owing, &answering(named)).await;
        assert_eq!(named.to_string(), "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
        let facts =
            json!({"reason": "VERSION_NOT_SEALABLE", "from": "ratified", "requested": "seal"});
        assert_eq!(named.details(), facts);
    }
    let free = world.ratified("FREE").await;
    for body in [json!({}), answering(NOBODY)] {
        let refused = world.sealing(&free, &body).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    }
}

#[tokio::test]
async fn what_was_accepted_is_ratified_without_being_submitted() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    let ratifier = world.ratifier().await;
    let read = |revision: u32| json!({"expected_revision": revision});
    let ratify = async |revision| ratifier.post(version.act("ratify"), &read(revision)).await;
    let sealed = ratify(1).await;
    assert_snapshot!(sealed, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    world.review(&version, &submission, "ACCEPT").await;
    // The review is of that revision and of no other.
    world.edit(&version, 1, 9_000).await;
    assert_snapshot!(ratify(1).await, @"409 STALE_DRAFT_REVISION");
    assert_snapshot!(ratify(2).await, @"409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)");
    let submission = world.seal(&version).await;
    world.review(&version, &submission, "ACCEPT").await;
    let ratified = ratify(2).await.expect(200);
    assert_eq!((&ratified["status"], ratified.get("submitted_at")), (&json!("ratified"), None));
    assert_eq!(world.key.get(version.of()).await.expect(200).get("draft_version"), None);
    world.activate(&version).await;
}

#[tokio::test]
async fn where_reviews_are_asked_for_only_an_accepted_revision_is_ratified() {
    let world = world().await;
    world.sql("update settings set review_required = true").await;
    let ratifier = world.ratifier().await;
    let read = json!({"expected_revision": 1});
    let version = world.submitted("PAY-01").await;
    let ratify = async || ratifier.post(version.act("ratify"), &read).await;
    assert_snapshot!(ratify().await, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    let submission = world.seal(&version).await;
    assert_snapshot!(ratify().await, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    world.review(&version, &submission, "ACCEPT").await;
    ratify().await.expect(200);

    let returned = world.submitted("PAY-02").await;
    let submission = world.seal(&returned).await;
    world.review(&returned, &submission, "RETURN").await;
    let refused = ratifier.post(returned.act("ratify"), &read).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_RETURNED)");
    let facts = json!({"reason": "VERSION_RETURNED", "from": "submitted", "requested": "ratify"});
    assert_eq!(refused.details(), facts);
    let draft = world.draft("PAY-03").await;
    let refused = ratifier.post(draft.act("ratify"), &read).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (REVIEW_REQUIRED)");
}

#[tokio::test]
async fn what_is_ratified_or_set_aside_is_not_reviewed_any_more() {
    let world = world().await;
    let reviewer = world.reviewer().await;
    let ratified = world.submitted("RATIFIED").await;
    let aside = drafted(world.author().await, "ASIDE").await;
    let mut paths = Vec::new();
    for version in [&ratified, &aside] {
        let submission = world.seal(version).await;
        paths.push(version.act(&format!("submissions/{submission}/records")));
    }
    world.ratify(&ratified).await;
    let because = json!({"reason": "because"});
    reviewer.post(aside.act("set-aside"), &because).await.expect(200);
    for (path, from) in paths.iter().zip(["ratified", "set_aside"]) {
        let refused = reviewer.post(path, &json!({"verdict": "ACCEPT"})).await;
        let facts =
            json!({"reason": "VERSION_NOT_REVIEWABLE", "from": from, "requested": "records"});
        assert_eq!((refused.status, refused.details()), (409, facts));
    }
}

#[tokio::test]
async fn a_returned_revision_cannot_be_ratified_whether_draft_or_submitted() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    world.review(&version, &submission, "RETURN").await;
    let ratify = async |revision: u32| {
        let body = json!({"expected_revision": revision});
        world.ratifier().await.post(version.act("ratify"), &body).await
    };
    for (status, act) in [("draft", "submit"), ("submitted", "recall")] {
        let refused = ratify(1).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (VERSION_RETURNED)");
        let facts = json!({"reason": "VERSION_RETURNED", "from": status, "requested": "ratify"});
        assert_eq!(refused.details(), facts);
        world.author().await.post(version.act(act), &json!({})).await.expect(200);
    }
    // Another revision is not the one that was returned.
    world.edit(&version, 1, 9_000).await;
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    ratify(2).await.expect(200);
}
