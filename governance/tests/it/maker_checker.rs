//! Maker-checker: the makers of a version cannot ratify it. The check compares users, not sessions
//! or keys.

use contract::{
    id::{PolicyId, UserId},
    json::Value,
    policy::{PolicyVersion, SealRequest},
    scope::{Role, Scope},
    settings::SettingsPatch,
};
use governance::{
    Cx, Result,
    authoring::{
        policy::{
            self,
            rule_input::{NewPolicy, NewVersion},
            version,
        },
        settings,
    },
};

use crate::fixtures::{
    TestEnv, TestTenant, body, edit, limit, object, ratification, reason, result_summary, spending,
    test_tenant,
};

const MAKER_CHECKER_VIOLATION: &str = "403 MAKER_CHECKER_VIOLATION";

async fn create(cx: &Cx) -> PolicyId {
    policy::create(cx, body::<NewPolicy>(&spending("PAY", 1))).await.unwrap().policy.id
}

async fn submit(cx: &Cx, id: PolicyId) {
    version::submit(cx, id, 1).await.unwrap();
}

/// Ratifies version 1 at its current revision.
async fn ratify(tenant: &TestTenant, user_id: UserId, id: PolicyId) -> Result<PolicyVersion> {
    let cx = tenant.user_cx(user_id).await;
    let revision = version::read(&cx, id, 1).await.unwrap().draft_revision;
    version::ratify(&cx, id, 1, ratification(revision)).await
}

/// Creates a tenant with two ratifiers in addition to the admin.
async fn tenant_with_ratifiers() -> (TestEnv, TestTenant, [UserId; 2]) {
    let (env, tenant) = test_tenant().await;
    let one = tenant.create_member("one@acme.example", Role::Ratifier).await;
    let two = tenant.create_member("two@acme.example", Role::Ratifier).await;
    (env, tenant, [one, two])
}

#[tokio::test]
async fn the_creator_of_a_version_cannot_ratify_it() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.user_cx(one).await).await;
    submit(&tenant.user_cx(two).await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), MAKER_CHECKER_VIOLATION);
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), "done");
}

#[tokio::test]
async fn the_submitter_of_a_version_cannot_ratify_it() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    submit(&tenant.user_cx(one).await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), MAKER_CHECKER_VIOLATION);
    assert_eq!(result_summary(&ratify(&tenant, two, id).await), "done");
}

#[tokio::test]
async fn an_editor_of_a_version_cannot_ratify_it() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    version::edit(&tenant.user_cx(one).await, id, 1, edit(1, "x")).await.unwrap();
    version::edit(&tenant.author_cx().await, id, 1, edit(2, "y")).await.unwrap();
    submit(&tenant.author_cx().await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), MAKER_CHECKER_VIOLATION);
    assert_eq!(result_summary(&ratify(&tenant, two, id).await), "done");
}

#[tokio::test]
async fn recalling_or_rejecting_a_version_does_not_remove_its_makers() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    submit(&tenant.user_cx(one).await, id).await;
    version::recall(&tenant.author_cx().await, id, 1).await.unwrap();
    submit(&tenant.author_cx().await, id).await;
    version::reject(&tenant.user_cx(two).await, id, 1, reason()).await.unwrap();
    submit(&tenant.author_cx().await, id).await;
    assert_eq!(
        result_summary(&ratify(&tenant, one, id).await),
        MAKER_CHECKER_VIOLATION,
        "an earlier submitter"
    );
    assert_eq!(
        result_summary(&ratify(&tenant, two, id).await),
        "done",
        "rejecting a version does not make a maker"
    );
}

#[tokio::test]
async fn recalling_a_version_does_not_make_a_maker() {
    let (_env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    submit(&tenant.author_cx().await, id).await;
    version::recall(&tenant.user_cx(one).await, id, 1).await.unwrap();
    submit(&tenant.author_cx().await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), "done");
}

#[tokio::test]
async fn the_owner_of_a_key_that_creates_a_version_is_a_maker() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let id = create(&tenant.key_cx().await).await;
    submit(&tenant.author_cx().await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), MAKER_CHECKER_VIOLATION);
    let makers = env.texts("select unnest(makers)::text from policy_versions").await;
    let expected = [tenant.admin.to_string(), tenant.author.to_string()];
    assert_eq!(makers, expected, "the owner of the key and the submitter, each once");
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), "done");
}

#[tokio::test]
async fn the_owner_of_a_key_that_edits_or_submits_a_version_is_a_maker() {
    let (_env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    version::edit(&tenant.key_cx().await, id, 1, edit(1, "x")).await.unwrap();
    submit(&tenant.author_cx().await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), MAKER_CHECKER_VIOLATION);
    version::recall(&tenant.author_cx().await, id, 1).await.unwrap();
    submit(&tenant.key_cx().await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), MAKER_CHECKER_VIOLATION);
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), "done");
}

#[tokio::test]
async fn a_version_with_a_change_by_a_key_without_an_owner_cannot_be_ratified() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let key = tenant.create_key(&[Scope::PoliciesWrite]).await;
    // The command line created such keys before owners were required.
    env.execute_as_superuser("update key_digests set owner = null where key_name = 'program'")
        .await;
    let id = create(&tenant.cx_with_key(&key).await).await;
    submit(&tenant.cx_with_key(&key).await, id).await;
    assert_eq!(env.texts("select unnest(makers)::text from policy_versions").await, [""; 0]);
    let unknown = "403 MAKER_CHECKER_VIOLATION (MAKER_UNKNOWN)";
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), unknown);
    // Another, known maker does not change the result. Each action of such a key counts.
    for action in ["create", "edit", "submit", "seal"] {
        let ownerless = tenant.cx_with_key(&key).await;
        let new = body::<NewPolicy>(&spending(&action.to_uppercase(), 1));
        let creator = if action == "create" { &ownerless } else { &tenant.author_cx().await };
        let id = policy::create(creator, new).await.unwrap().policy.id;
        let mut revision = 1;
        match action {
            "edit" => {
                version::edit(&ownerless, id, 1, edit(1, "x")).await.unwrap();
                revision = 2;
            }
            "seal" => drop(version::seal(&ownerless, id, 1, SealRequest::default()).await.unwrap()),
            _ => {}
        }
        let submitter = if action == "submit" { &ownerless } else { &tenant.author_cx().await };
        version::submit(submitter, id, 1).await.unwrap();
        let cx = tenant.user_cx(one).await;
        let result = version::ratify(&cx, id, 1, ratification(revision)).await;
        assert_eq!(result_summary(&result), unknown, "{action}");
    }
    // With maker-checker off, makers do not matter.
    let off = SettingsPatch { maker_checker_enabled: Some(false), ..SettingsPatch::default() };
    settings::change(&tenant.admin_cx().await, off, None, None).await.unwrap();
    assert_eq!(result_summary(&ratify(&tenant, tenant.admin, id).await), "done");
}

#[tokio::test]
async fn the_details_of_a_version_contain_why_the_user_cannot_ratify_it() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let id = create(&tenant.author_cx().await).await;
    let availability = async |cx: &governance::Cx| {
        let details = version::details(cx, id, 1).await?;
        details.ratification_refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    };
    let availability = async |cx| result_summary::<()>(&availability(&cx).await);
    let [by_one, by_admin] = [tenant.user_cx(one).await, tenant.admin_cx().await];
    let not_submitted = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";
    assert_eq!(availability(by_one.clone()).await, not_submitted);
    submit(&tenant.admin_cx().await, id).await;
    assert_eq!(availability(by_admin.clone()).await, MAKER_CHECKER_VIOLATION);
    assert_eq!(availability(by_one.clone()).await, "done");
    env.execute_as_superuser("update settings set review_required = true").await;
    let review_required = "409 INVALID_TRANSITION (REVIEW_REQUIRED)";
    assert_eq!(availability(by_one.clone()).await, review_required);
    assert_eq!(
        availability(by_admin.clone()).await,
        MAKER_CHECKER_VIOLATION,
        "a review does not change this"
    );
    env.execute_as_superuser("update settings set review_required = false").await;
    assert_eq!(availability(tenant.author_cx().await).await, "done", "not a ratifier");
    ratify(&tenant, one, id).await.unwrap();
    assert_eq!(availability(by_admin).await, "done", "not open");
    assert_eq!(availability(tenant.key_cx().await).await, "403 HUMAN_REQUIRED");
}

#[tokio::test]
async fn a_maker_cannot_ratify_in_another_session() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let id = create(&tenant.user_cx(one).await).await;
    submit(&tenant.user_cx(one).await, id).await;
    env.governance.clock().advance(3_600_000);
    let other_process = tenant.in_process(&env.another_process(2).await);
    for session in [&tenant, &other_process] {
        assert_eq!(result_summary(&ratify(session, one, id).await), MAKER_CHECKER_VIOLATION);
    }
}

#[tokio::test]
async fn each_version_has_its_own_makers() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.user_cx(one).await).await;
    submit(&tenant.user_cx(one).await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, two, id).await), "done");
    let rules = object([("rules", limit("LIMIT", 2)), ("based_on_version", 1.into())]);
    let by_two = tenant.user_cx(two).await;
    version::create(&by_two, id, body::<NewVersion>(&rules)).await.unwrap();
    version::submit(&by_two, id, 2).await.unwrap();
    let by_maker = version::ratify(&by_two, id, 2, ratification(1)).await;
    assert_eq!(result_summary(&by_maker), MAKER_CHECKER_VIOLATION);
    let by_other = version::ratify(&tenant.user_cx(one).await, id, 2, ratification(1)).await;
    assert_eq!(result_summary(&by_other), "done");
}

#[tokio::test]
async fn the_ratifier_and_the_maker_of_a_version_can_activate_it() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let id = create(&tenant.user_cx(one).await).await;
    submit(&tenant.user_cx(one).await, id).await;
    ratify(&tenant, two, id).await.unwrap();
    version::activate(&tenant.user_cx(one).await, id, 1).await.unwrap();
    policy::deactivate(&tenant.user_cx(one).await, id, reason(), None).await.unwrap();
    version::activate(&tenant.user_cx(two).await, id, 1).await.unwrap();
}

#[tokio::test]
async fn a_maker_can_ratify_when_maker_checker_is_off() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    let other = env.tenant("other").await;
    env.execute_as_superuser(&format!(
        "update settings set maker_checker_enabled = false where tenant_id = '{}'",
        tenant.tenant
    ))
    .await;
    let id = create(&tenant.user_cx(one).await).await;
    submit(&tenant.user_cx(one).await, id).await;
    assert_eq!(result_summary(&ratify(&tenant, one, id).await), "done");

    let id = create(&other.admin_cx().await).await;
    submit(&other.admin_cx().await, id).await;
    assert_eq!(
        result_summary(&ratify(&other, other.admin, id).await),
        MAKER_CHECKER_VIOLATION,
        "the setting applies to one tenant"
    );
}

#[tokio::test]
async fn a_version_without_a_required_review_cannot_be_ratified() {
    let (env, tenant, [one, _]) = tenant_with_ratifiers().await;
    env.execute_as_superuser("update settings set review_required = true").await;
    let id = create(&tenant.author_cx().await).await;
    submit(&tenant.author_cx().await, id).await;
    let result = ratify(&tenant, one, id).await;
    assert_eq!(result_summary(&result), "409 INVALID_TRANSITION (REVIEW_REQUIRED)");
    let details = result.unwrap_err().problem().details.unwrap();
    assert_eq!(details.get("requested").and_then(Value::as_str), Some("ratify"));
}
