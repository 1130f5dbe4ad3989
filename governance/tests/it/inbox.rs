//! Inbox: a version moves between the inboxes of the members who can act on it.

use contract::{
    id::UserId,
    policy::{ReviewDraft, SealRequest},
    scope::Role,
};
use governance::{
    authoring::policy::version,
    insight::inbox::{self, RequestedAction},
};

use crate::fixtures::{
    TestTenant, body, object, ratification, result_summary, spending, test_tenant,
};

/// Returns the actions that wait for a person, and those that wait for others.
async fn waiting(
    tenant: &TestTenant,
    person: UserId,
) -> (Vec<RequestedAction>, Vec<RequestedAction>) {
    let all = inbox::waiting(&tenant.user_cx(person).await).await.unwrap();
    let (mine, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|version| version.is_actionable);
    let count = inbox::actionable_count(&tenant.user_cx(person).await).await.unwrap();
    assert_eq!(count, mine.len(), "the count matches the list");
    let actions =
        |all: Vec<inbox::WaitingVersion>| all.into_iter().map(|version| version.action).collect();
    (actions(mine), actions(others))
}

#[tokio::test]
async fn a_version_goes_from_author_to_reviewer_to_ratifier() {
    let (env, tenant) = test_tenant().await;
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let (author, admin) = (tenant.author, tenant.admin);
    let id = tenant.drafted(&spending("PAY", 1)).await;
    assert_eq!(waiting(&tenant, author).await, (vec![], vec![]), "a draft needs no action");

    let by_author = tenant.author_cx().await;
    let submission =
        version::seal(&by_author, id, 1, SealRequest::default()).await.unwrap().submission;
    version::submit(&by_author, id, 1).await.unwrap();
    assert_eq!(waiting(&tenant, author).await, (vec![], vec![RequestedAction::Review]));
    assert_eq!(waiting(&tenant, reviewer).await, (vec![RequestedAction::Review], vec![]));

    let accept: ReviewDraft = body(&object([("verdict", "ACCEPT".into())]));
    version::record(&tenant.user_cx(reviewer).await, id, 1, submission.id, accept).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, (vec![], vec![RequestedAction::Ratify]));
    assert_eq!(waiting(&tenant, admin).await, (vec![RequestedAction::Ratify], vec![]));

    version::ratify(&tenant.admin_cx().await, id, 1, ratification(1)).await.unwrap();
    assert_eq!(waiting(&tenant, admin).await, (vec![RequestedAction::Activate], vec![]));
    tenant.activated(id, 1).await.unwrap();
    assert_eq!(waiting(&tenant, admin).await, (vec![], vec![]));
    let done = inbox::completed_actions(&tenant.admin_cx().await).await.unwrap();
    let done: Vec<_> = done.iter().map(|done| done.action.as_str()).collect();
    assert_eq!(done, ["policy_version.activate", "policy_version.ratify"]);

    // Other tenants do not see the version, and an API key has no inbox.
    let other = env.tenant("other").await;
    assert_eq!(waiting(&other, other.admin).await, (vec![], vec![]));
    assert_eq!(result_summary(&inbox::waiting(&tenant.key_cx().await).await), "403 HUMAN_REQUIRED");
}
