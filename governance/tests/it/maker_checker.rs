//! Maker-checker: the makers of a version cannot ratify it. The check compares users, not sessions
//! or keys.

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
    create_with_code(cx, "PAY").await
}

async fn create_with_code(cx: &Cx, code: &str) -> PolicyId {
    policy::create(cx, body::<NewPolicy>(&spending(code, 1))).await.unwrap().policy.id
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

/// Performs steps such as `one create` and `two submit` on a new policy.
async fn perform(tenant: &TestTenant, [one, two]: [UserId; 2], steps: &str) -> PolicyId {
    let mut created = None;
    let mut revision = 1;
    for step in steps.split(", ") {
        let (person, act) = step.split_once(' ').unwrap();
        let cx = match person {
            "one" => tenant.user_cx(one).await,
            "two" => tenant.user_cx(two).await,
            "key" => tenant.key_cx().await,
            _ => tenant.author_cx().await,
        };
        if act == "create" {
            created = Some(create_with_code(&cx, &steps.replace([' ', ','], "-")).await);
        }
        let id = created.unwrap();
        match act {
            "create" => {}
            "edit" => {
                version::edit(&cx, id, 1, edit(revision, "x")).await.unwrap();
                revision += 1;
            }
            "submit" => submit(&cx, id).await,
            "recall" => drop(version::recall(&cx, id, 1).await.unwrap()),
            _ => drop(version::reject(&cx, id, 1, reason()).await.unwrap()),
        }
    }
    created.unwrap()
}

#[tokio::test]
async fn the_makers_of_a_version_cannot_ratify_it() {
    let (_env, tenant, [one, two]) = tenant_with_ratifiers().await;
    let admin = tenant.admin; // the owner of the key
    for (steps, maker, other) in [
        ("one create, two submit", Some(one), admin),
        ("author create, one submit", Some(one), two),
        ("author create, one edit, author edit, author submit", Some(one), two),
        // Neither a recall nor a rejection removes a maker or makes one.
        (
            "author create, one submit, author recall, author submit, two reject, author submit",
            Some(one),
            two,
        ),
        ("author create, author submit, one recall, author submit", None, one),
        ("key create, author submit", Some(admin), one),
        ("author create, key edit, author submit", Some(admin), one),
        ("author create, key submit", Some(admin), one),
    ] {
        let id = perform(&tenant, [one, two], steps).await;
        if let Some(maker) = maker {
            let refused = ratify(&tenant, maker, id).await;
            assert_eq!(result_summary(&refused), MAKER_CHECKER_VIOLATION, "{steps}");
        }
        assert_eq!(result_summary(&ratify(&tenant, other, id).await), "done", "{steps}");
    }
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
