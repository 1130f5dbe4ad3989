//! Maker-checker: changes by keys without an owner, and why a user cannot ratify a version. The model of the state
//! machine tests who is a maker.

use contract::{
    id::UserId,
    policy::{PolicyVersion, SealRequest},
    settings::SettingsPatch,
};
use governance::{
    Result,
    authoring::{
        policy::{self, rule_input::NewPolicy, version},
        settings,
    },
};

use crate::prelude::*;

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

/// Creates a tenant with a ratifier in addition to the admin.
async fn tenant_with_ratifier() -> (TestEnv, TestTenant, UserId) {
    let (env, tenant) = test_tenant().await;
    let ratifier = tenant.create_member("one@acme.example", Role::Ratifier).await;
    (env, tenant, ratifier)
}

#[tokio::test]
async fn a_version_with_a_change_by_a_key_without_an_owner_cannot_be_ratified() {
    let (env, tenant, one) = tenant_with_ratifier().await;
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
    let (env, tenant, one) = tenant_with_ratifier().await;
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
