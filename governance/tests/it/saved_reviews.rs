//! Review drafts: visible only to their author, replaced by the next save, deleted with the review record.

use std::collections::BTreeMap;

use contract::{
    id::SubmissionId,
    policy::{ReviewVerdict, SealRequest},
};
use governance::{
    access::member,
    authoring::policy::{
        self,
        version::{
            self,
            saved_review::{self, SAVED_REVIEW_MAX, SavedReview},
        },
    },
};
use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::prelude::*;

fn draft(note: &str) -> SavedReview {
    SavedReview {
        revision: 1,
        rules_digest: "d".to_owned(),
        note: note.to_owned(),
        comments: BTreeMap::from([("LIMIT".to_owned(), "per day\u{0}?".to_owned())]),
        viewed: vec!["LIMIT d".to_owned()],
    }
}

/// Creates a policy with a sealed draft.
async fn sealed(tenant: &TestTenant, code: &str) -> (PolicyId, SubmissionId) {
    let id = tenant.create_policy(&spending(code, 1)).await;
    (id, seal(tenant, id).await)
}

async fn seal(tenant: &TestTenant, id: PolicyId) -> SubmissionId {
    let sealed = version::seal(&tenant.author_cx().await, id, 1, SealRequest::default()).await;
    sealed.unwrap().submission.id
}

async fn note(cx: &Cx, id: PolicyId) -> Option<String> {
    saved_review::read(cx, id, 1).await.unwrap().map(|draft| draft.note)
}

#[tokio::test]
async fn review_draft_is_visible_to_its_author_only_and_deleted_with_the_record() {
    let (env, tenant) = test_tenant().await;
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let (reviewer, admin) = (tenant.user_cx(reviewer).await, tenant.admin_cx().await);
    let (id, submission) = sealed(&tenant, "PAY").await;
    assert_eq!(saved_review::read(&reviewer, id, 1).await.unwrap(), None);
    let before = env.count("select count(*) from audit_events").await;
    for text in ["first", "second"] {
        saved_review::save(&reviewer, id, 1, submission, &draft(text)).await.unwrap();
    }
    saved_review::save(&admin, id, 1, submission, &draft("of the admin")).await.unwrap();
    let stored = saved_review::read(&reviewer, id, 1).await.unwrap();
    assert_eq!(stored, Some(draft("second")), "the draft is stored unchanged");
    assert_eq!(note(&admin, id).await.as_deref(), Some("of the admin"));
    assert_eq!(env.count("select count(*) from audit_events").await, before, "no audit event");

    // The draft of a version is also the draft of its next submission.
    version::edit(&tenant.author_cx().await, id, 1, edit(1, "per day")).await.unwrap();
    let next = seal(&tenant, id).await;
    assert_eq!(note(&reviewer, id).await.as_deref(), Some("second"));
    saved_review::save(&reviewer, id, 1, next, &draft("third")).await.unwrap();
    assert_eq!(env.count("select count(*) from review_drafts").await, 2);

    version::record(&reviewer, id, 1, next, review(ReviewVerdict::Accept)).await.unwrap();
    assert_eq!(note(&reviewer, id).await, None);
    assert_eq!(note(&admin, id).await.as_deref(), Some("of the admin"));
    let late = saved_review::save(&reviewer, id, 1, next, &draft("late")).await;
    assert_eq!(result_summary(&late), "409 CONFLICT");
    policy::delete(&tenant.author_cx().await, id).await.unwrap();
    assert_eq!(env.count("select count(*) from review_drafts").await, 0);
}

#[tokio::test]
async fn review_drafts_are_for_reviewers_and_limited_in_size() {
    let (_env, tenant) = test_tenant_with_policy().await;
    let (id, submission) = sealed(&tenant, "NEXT").await;
    let (_, of_other_version) = sealed(&tenant, "OTHER").await;
    let (author, admin) = (tenant.author_cx().await, tenant.admin_cx().await);
    let key = tenant.key_cx().await;
    for (cx, expected) in [(&author, "403 FORBIDDEN"), (&key, "403 HUMAN_REQUIRED")] {
        assert_eq!(result_summary(&saved_review::read(cx, id, 1).await), expected);
        let saved = saved_review::save(cx, id, 1, submission, &draft("x")).await;
        assert_eq!(result_summary(&saved), expected);
    }
    let saved = saved_review::save(&admin, id, 1, of_other_version, &draft("x")).await;
    assert_eq!(result_summary(&saved), "404 NOT_FOUND");
    let overhead = serde_json::to_string(&draft("")).unwrap().len();
    let longest = draft(&"x".repeat(SAVED_REVIEW_MAX - overhead));
    saved_review::save(&admin, id, 1, submission, &longest).await.unwrap();
    let too_long = draft(&"x".repeat(SAVED_REVIEW_MAX - overhead + 1));
    let refused = saved_review::save(&admin, id, 1, submission, &too_long).await;
    assert_eq!(result_summary(&refused), "413 PAYLOAD_TOO_LARGE");
    assert_eq!(saved_review::read(&admin, id, 1).await.unwrap(), Some(longest));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "locks a row from outside the service")]
async fn draft_that_is_saved_while_its_review_is_recorded_does_not_remain() {
    let (env, tenant) = test_tenant().await;
    let (id, submission) = sealed(&tenant, "PAY").await;
    let (recording, saving) = (tenant.admin_cx().await, tenant.admin_cx().await);
    let heads = env.superuser.begin().await.unwrap();
    heads.execute_unprepared("select from tenant_heads for update").await.unwrap();
    let accept = review(ReviewVerdict::Accept);
    let record = async move { version::record(&recording, id, 1, submission, accept).await };
    let record = tokio::spawn(record);
    while env.count_waiting().await < 1 {}
    let save = async move { saved_review::save(&saving, id, 1, submission, &draft("late")).await };
    let save = tokio::spawn(save);
    while env.count_waiting().await < 2 {}
    heads.commit().await.unwrap();
    assert_eq!(result_summary(&record.await.unwrap()), "done");
    assert_eq!(result_summary(&save.await.unwrap()), "409 CONFLICT");
    assert_eq!(env.count("select count(*) from review_drafts").await, 0);
}

#[tokio::test]
async fn removed_member_cannot_save_a_review_draft() {
    let (env, tenant) = test_tenant().await;
    let (id, submission) = sealed(&tenant, "PAY").await;
    let user = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    // The request was authorized before the removal.
    let reviewer = tenant.user_cx(user).await;
    member::remove(&tenant.admin_cx().await, user, None, None).await.unwrap();
    let refused = saved_review::save(&reviewer, id, 1, submission, &draft("late")).await;
    assert_eq!(result_summary(&refused), "403 FORBIDDEN");
    assert_eq!(env.count("select count(*) from review_drafts").await, 0);
}
