//! Inbox: a version moves between the inboxes of the members who can act on it.

use contract::{
    alert::{AlertFilter, AssignRequest, SnoozeRequest},
    id::{CommentId, UserId},
    policy::{CommentDraft, ReviewDraft, SealRequest},
};
use governance::{
    access::member,
    authoring::{
        policy::version::{self, OpenVersion, comment},
        settings,
    },
    insight::inbox::{self, RequestedAction},
    notify::alert,
};

use crate::prelude::*;

/// Returns the actions that wait for a person, and those that wait for others.
async fn waiting(
    tenant: &TestTenant,
    person: UserId,
) -> (Vec<RequestedAction>, Vec<RequestedAction>) {
    let cx = tenant.user_cx(person).await;
    let counts = inbox::counts(&cx).await.unwrap();
    let all = counts.waiting_or_mentioned();
    let (mine, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|version| version.is_actionable);
    assert_eq!(counts.actionable_since.len(), mine.len(), "the count matches the list");
    let actions =
        |all: Vec<inbox::WaitingVersion>| all.into_iter().map(|version| version.action).collect();
    (actions(mine), actions(others))
}

#[tokio::test]
async fn a_version_goes_from_author_to_reviewer_to_ratifier() {
    let (env, tenant) = test_tenant().await;
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let (author, admin) = (tenant.author, tenant.admin);
    let id = tenant.create_policy(&spending("PAY", 1)).await;
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
    tenant.activate(id, 1).await.unwrap();
    assert_eq!(waiting(&tenant, admin).await, (vec![], vec![]));
    let done = inbox::completed_actions(&tenant.admin_cx().await).await.unwrap();
    let done: Vec<_> = done.iter().map(|done| done.action.as_str()).collect();
    assert_eq!(done, ["policy_version.activate", "policy_version.ratify"]);

    // Other tenants do not see the version, and an API key has no inbox.
    let other = env.tenant("other").await;
    assert_eq!(waiting(&other, other.admin).await, (vec![], vec![]));
    let refused = inbox::counts(&tenant.key_cx().await).await;
    assert_eq!(result_summary(&refused), "403 HUMAN_REQUIRED");
}

#[tokio::test]
async fn a_mention_waits_for_the_member_until_a_reply_or_the_end_of_its_thread() {
    let (env, tenant) = test_tenant().await;
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let id = tenant.create_policy(&spending("PAY", 1)).await;
    let draft = |text: &str, thread: Option<CommentId>| -> CommentDraft {
        let thread = thread.map_or(Value::Null, |id| id.to_string().into());
        body(&object([("text", text.into()), ("in_reply_to", thread)]))
    };
    let mention = "Please check @Reviewer@acme.example. Noted by @author@acme.example.";
    let (by_author, by_reviewer) = (tenant.author_cx().await, tenant.user_cx(reviewer).await);
    let first = comment::create(&by_author, id, 1, draft(mention, None)).await.unwrap().id;
    let mentioned = (vec![RequestedAction::Reply], vec![]);
    assert_eq!(waiting(&tenant, reviewer).await, mentioned);
    assert_eq!(
        waiting(&tenant, tenant.author).await,
        (vec![], vec![]),
        "the author of the comment"
    );
    assert_eq!(waiting(&tenant, tenant.admin).await, (vec![], vec![]), "no other member sees it");
    let again = comment::create(&by_author, id, 1, draft(mention, Some(first))).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, mentioned, "a thread is listed once");

    comment::create(&by_reviewer, id, 1, draft("checked", Some(again.id))).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, (vec![], vec![]), "the member has replied");
    comment::create(&by_author, id, 1, draft(mention, Some(first))).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, mentioned, "a later comment mentions the member");
    comment::resolve(&by_author, id, 1, first).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, (vec![], vec![]), "the thread is resolved");
    comment::reopen(&by_author, id, 1, first).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, mentioned);

    // A removed member is no longer mentioned.
    member::remove(&tenant.admin_cx().await, reviewer, None, None).await.unwrap();
    assert_eq!(env.count("select count(*) from comment_mentions").await, 0);
    comment::create(&by_author, id, 1, draft(mention, None)).await.unwrap();
    assert_eq!(env.count("select count(*) from comment_mentions").await, 0);
}

/// Returns the versions that maker-checker protects now.
async fn awaiting_ratification(tenant: &TestTenant) -> Vec<OpenVersion> {
    let maker_checker_off = body(&object([("maker_checker_enabled", false.into())]));
    settings::preview(&tenant.admin_cx().await, &maker_checker_off).await.unwrap().versions
}

#[tokio::test]
async fn a_recalled_version_waits_for_no_reviewer_and_a_returned_one_for_no_ratifier() {
    let (_env, tenant) = test_tenant().await;
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let id = tenant.create_policy(&spending("PAY", 1)).await;
    let by_author = tenant.author_cx().await;
    let submission =
        version::seal(&by_author, id, 1, SealRequest::default()).await.unwrap().submission;
    version::submit(&by_author, id, 1).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, (vec![RequestedAction::Review], vec![]));
    let awaiting = awaiting_ratification(&tenant).await;
    assert_eq!(awaiting, [], "the version waits for its review");

    version::recall(&by_author, id, 1).await.unwrap();
    assert_eq!(waiting(&tenant, reviewer).await, (vec![], vec![]), "recalled without an edit");
    version::submit(&by_author, id, 1).await.unwrap();
    let verdict = object([("verdict", "RETURN".into()), ("note", "Set a limit.".into())]);
    let verdict: ReviewDraft = body(&verdict);
    version::record(&tenant.user_cx(reviewer).await, id, 1, submission.id, verdict).await.unwrap();
    assert_eq!(waiting(&tenant, tenant.author).await, (vec![RequestedAction::Answer], vec![]));
    let awaiting = awaiting_ratification(&tenant).await;
    assert_eq!(awaiting, [], "changes are requested");
}

#[tokio::test]
async fn an_assigned_alert_waits_for_its_member_while_it_is_open() {
    let (env, tenant) = test_tenant().await;
    let insert = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'governance_change', 'high', 'Look.', '{}', now() \
                 from tenants";
    env.execute_as_superuser(insert).await;
    let (by_admin, by_author) = (tenant.admin_cx().await, tenant.author_cx().await);
    let listed = alert::list(&by_admin, &AlertFilter::default()).await.unwrap();
    let id = listed.items.first().expect("an alert").id;
    assert_eq!(inbox::counts(&by_author).await.unwrap().assigned_alerts, []);

    let request = AssignRequest { user_id: Some(tenant.author) };
    alert::assign(&by_admin, id, request).await.unwrap();
    let assigned = inbox::counts(&by_author).await.unwrap().assigned_alerts;
    let [item] = &*assigned else { panic!("one alert: {assigned:?}") };
    assert_eq!((item.id, &*item.message), (id, "Look."));
    assert_eq!(item.by, Some(tenant.admin.to_string()));
    assert_eq!(inbox::counts(&by_author).await.unwrap().actionable_since.len(), 1);
    assert_eq!(
        inbox::counts(&by_admin).await.unwrap().assigned_alerts,
        [],
        "only the member sees it"
    );

    let until = Some(by_admin.now.plus_millis(60_000));
    alert::snooze(&by_admin, id, SnoozeRequest { until }).await.unwrap();
    assert_eq!(inbox::counts(&by_author).await.unwrap().assigned_alerts, [], "snoozed");
    alert::snooze(&by_admin, id, SnoozeRequest { until: None }).await.unwrap();
    assert_eq!(inbox::counts(&by_author).await.unwrap().actionable_since.len(), 1);
    alert::acknowledge(&by_author, id).await.unwrap();
    assert_eq!(inbox::counts(&by_author).await.unwrap().actionable_since.len(), 0, "acknowledged");
}
