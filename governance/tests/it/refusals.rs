//! Rejected requests change no row of any table. The model of the state machine tests the transitions of versions.

use contract::{
    id::TenantId,
    policy::{ReviewVerdict, SealRequest},
    settings::SettingsPatch,
};
use governance::{
    Result, SignedIn,
    access::operator::{self, Bootstrap, key::KeyRequest},
    authoring::{
        policy::{self, rule_input::NewPolicy, version},
        settings,
    },
};

use crate::prelude::*;

/// Asserts that `operation` fails with the summary `expected` and changes no row.
pub(crate) fn assert_refused<T>(
    env: &TestEnv,
    operation: impl Future<Output = Result<T>>,
    expected: &str,
) -> impl Future<Output = ()> {
    // Boxed: the futures of operations are large, and would enlarge the future of each test.
    Box::pin(async move {
        let before = env.table_digests().await;
        let result = operation.await;
        assert_eq!(result_summary(&result), expected);
        assert_eq!(env.table_digests().await, before, "{expected}");
    })
}

fn key<'a>(owner: &'a str, scopes: &'a [Scope]) -> KeyRequest<'a> {
    KeyRequest { name: "k", owner, scopes, expires_at: None }
}

struct PoliciesByState {
    draft: PolicyId,
    submitted: PolicyId,
    ratified: PolicyId,
    active: PolicyId,
}

async fn policies_by_state(tenant: &TestTenant) -> PoliciesByState {
    let submitted = tenant.create_policy(&spending("SUBMITTED", 1)).await;
    version::submit(&tenant.author_cx().await, submitted, 1).await.unwrap();
    let ratified = tenant.create_policy(&spending("RATIFIED", 1)).await;
    tenant.ratify(ratified, 1).await;
    PoliciesByState {
        draft: tenant.create_policy(&spending("DRAFT", 1)).await,
        submitted,
        ratified,
        active: tenant.active_policy(&spending("ACTIVE", 100)).await,
    }
}

#[tokio::test]
async fn rejected_policy_creation_changes_nothing() {
    let (env, tenant) = test_tenant().await;
    tenant.create_policy(&spending("PAY", 1)).await;
    let (author, key) = (tenant.author_cx().await, tenant.key_cx().await);
    let new = |code| body::<NewPolicy>(&spending(code, 1));
    assert_refused(&env, policy::create(&author, new("PAY")), "409 DUPLICATE_CODE").await;
    assert_refused(&env, policy::create(&key, new("pay")), "409 DUPLICATE_CODE").await;
    let unknown_group = tenant.tenant.to_string();
    let grouped = with(&spending("GROUPED", 1), "policy_group_id", unknown_group);
    let grouped = body::<NewPolicy>(&grouped);
    assert_refused(&env, policy::create(&author, grouped), "422 VALIDATION_ERROR").await;
    let viewer = tenant.create_member("viewer@acme.example", Role::Viewer).await;
    let viewer = tenant.user_cx(viewer).await;
    assert_refused(&env, policy::create(&viewer, new("NEW")), "403 FORBIDDEN").await;
    let reader = tenant.create_key(&[Scope::PoliciesRead]).await;
    let reader = tenant.cx_with_key(&reader).await;
    assert_refused(&env, policy::create(&reader, new("NEW")), "403 INSUFFICIENT_SCOPE").await;
}

/// A patch that reserves changes of verdicts and safeguards for humans.
fn human_changes_only() -> SettingsPatch {
    SettingsPatch { human_changes_only: Some(true), ..SettingsPatch::default() }
}

fn review_required() -> SettingsPatch {
    SettingsPatch { review_required: Some(true), ..SettingsPatch::default() }
}

#[tokio::test]
async fn request_without_permission_changes_nothing() {
    let (env, tenant) = test_tenant().await;
    let policies = policies_by_state(&tenant).await;
    let (author, key) = (tenant.author_cx().await, tenant.key_cx().await);
    macro_rules! assert_refused {
        ($operation:expr, $expected:literal) => {
            assert_refused(&env, $operation, $expected).await
        };
    }
    // Actions that require a human.
    assert_refused!(
        version::ratify(&key, policies.submitted, 1, ratification(1)),
        "403 HUMAN_REQUIRED"
    );
    assert_refused!(version::activate(&key, policies.ratified, 1), "403 HUMAN_REQUIRED");
    // Changes that require a human because of the setting `human_changes_only`.
    settings::change(&tenant.admin_cx().await, human_changes_only(), None, None).await.unwrap();
    assert_refused!(version::reject(&key, policies.submitted, 1, reason()), "403 HUMAN_REQUIRED");
    assert_refused!(
        policy::deactivate(&key, policies.active, reason(), None),
        "403 HUMAN_REQUIRED"
    );
    assert_refused!(settings::change(&key, review_required(), None, None), "403 HUMAN_REQUIRED");
    assert_refused!(settings::change(&key, human_changes_only(), None, None), "403 HUMAN_REQUIRED");
    // Actions that the role author does not permit.
    assert_refused!(
        version::ratify(&author, policies.submitted, 1, ratification(1)),
        "403 FORBIDDEN"
    );
    assert_refused!(version::activate(&author, policies.ratified, 1), "403 FORBIDDEN");
    assert_refused!(version::reject(&author, policies.submitted, 1, reason()), "403 FORBIDDEN");
    assert_refused!(policy::deactivate(&author, policies.active, reason(), None), "403 FORBIDDEN");
    let seal = version::seal(&author, policies.draft, 1, SealRequest::default()).await;
    let by_author = review(ReviewVerdict::Return);
    let sealed = seal.unwrap().submission.id;
    assert_refused!(
        version::record(&author, policies.draft, 1, sealed, by_author),
        "403 FORBIDDEN"
    );
    let second_author = tenant.create_member("second@acme.example", Role::Author).await;
    let second_author = tenant.user_cx(second_author).await;
    assert_refused!(
        version::set_aside(&second_author, policies.submitted, 1, reason()),
        "403 FORBIDDEN"
    );
    // A reviewer can reject but not ratify.
    let reviewer = tenant.create_member("reviewer@acme.example", Role::Reviewer).await;
    let reviewer = tenant.user_cx(reviewer).await;
    assert_refused!(
        version::ratify(&reviewer, policies.submitted, 1, ratification(1)),
        "403 FORBIDDEN"
    );
    // Actions that the read-only roles do not permit.
    for (name, role) in [("v", Role::Viewer), ("o", Role::Operator), ("a", Role::Auditor)] {
        let reader = tenant.create_member(&format!("{name}@acme.example"), role).await;
        let reader = tenant.user_cx(reader).await;
        assert_refused!(version::submit(&reader, policies.draft, 1), "403 FORBIDDEN");
        assert_refused!(version::recall(&reader, policies.submitted, 1), "403 FORBIDDEN");
        assert_refused!(version::edit(&reader, policies.draft, 1, edit(1, "x")), "403 FORBIDDEN");
        assert_refused!(record(&reader, &request("k", payment(1))), "403 FORBIDDEN");
    }
    for missing in [0, 2, u32::MAX] {
        assert_refused!(version::submit(&author, policies.draft, missing), "404 NOT_FOUND");
    }
    // Callers without credentials.
    let public = env.governance.public(env.governance.correlation_id());
    assert_refused!(version::submit(&public, policies.draft, 1), "401 UNAUTHORIZED");
    let operator = env.governance.operator();
    assert_refused!(version::submit(&operator, policies.draft, 1), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn ratifying_and_activating_require_a_sign_in_of_the_last_fifteen_minutes() {
    let (env, tenant) = test_tenant().await;
    let policies = policies_by_state(&tenant).await;
    let now = env.governance.clock().now();
    let signed_in = SignedIn::new(tenant.admin, now);
    env.governance.clock().advance(15 * 60 * 1_000 + 1);
    let old_sign_in = tenant.session_cx(&signed_in).await;
    let confirmation_required = "403 CONFIRMATION_REQUIRED";
    let ratify = version::ratify(&old_sign_in, policies.submitted, 1, ratification(1));
    assert_refused(&env, ratify, confirmation_required).await;
    assert_refused(
        &env,
        version::activate(&old_sign_in, policies.ratified, 1),
        confirmation_required,
    )
    .await;

    env.governance.clock().advance(-1);
    let recent_sign_in = tenant.session_cx(&signed_in).await;
    version::ratify(&recent_sign_in, policies.submitted, 1, ratification(1)).await.unwrap();
    version::activate(&recent_sign_in, policies.ratified, 1).await.unwrap();
}

#[tokio::test]
async fn rejected_decision_changes_nothing() {
    let (env, tenant) = test_tenant().await;
    let active = tenant.active_policy(&spending("PAY", 100)).await;
    tenant.record(&request("k", payment(1))).await.unwrap();
    let key = tenant.key_cx().await;
    macro_rules! assert_refused {
        ($request:expr, $expected:literal) => {
            assert_refused(&env, record(&key, &$request), $expected).await
        };
    }
    assert_refused!(request("k", payment(2)), "422 IDEMPOTENCY_KEY_REUSED");
    let other_type = value(r#"{"decision_type":"other","fields":{}}"#);
    assert_refused!(request("l", other_type.clone()), "404 NO_ACTIVE_POLICIES");
    assert_refused(&env, tenant.evaluate(&evaluate_request(other_type)), "404 NO_ACTIVE_POLICIES")
        .await;
    let new = request("l", payment(1));
    assert_refused!(with(&new, "policy_group_code", "G"), "422 VALIDATION_ERROR");
    assert_refused!(with(&new, "policy_ids", value("[]")), "404 NO_ACTIVE_POLICIES");
    let unknown = vec![active.to_string().into(), tenant.tenant.to_string().into()];
    let unknown = with(&new, "policy_ids", unknown);
    assert_refused!(unknown, "422 VALIDATION_ERROR");
    let problem = record(&key, &unknown).await.unwrap_err().problem();
    assert!(problem.message.starts_with("/policy_ids/1: "), "{}", problem.message);
    let reader = tenant.create_key(&[Scope::DecisionsRead, Scope::DecisionsEvaluate]).await;
    let reader = tenant.cx_with_key(&reader).await;
    assert_refused(&env, record(&reader, &new), "403 INSUFFICIENT_SCOPE").await;
    assert_eq!(result_summary(&record(&key, &new).await), "done");
}

#[tokio::test]
async fn error_after_writing_a_decision_rolls_it_back() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 100)).await;
    // Stores the snapshot, so that the event of the decision is the first one to fail.
    tenant.record(&request("before", payment(1))).await.unwrap();
    // A transaction writes its audit event last.
    env.execute_as_superuser(
        "alter table audit_events add constraint always_fails check (false) not valid",
    )
    .await;
    let key = tenant.key_cx().await;
    // A denied payment, which also creates an alert.
    assert_refused(&env, record(&key, &request("k", payment(500))), "500 INTERNAL_ERROR").await;
    let new = body::<NewPolicy>(&spending("NEW", 1));
    assert_refused(&env, policy::create(&key, new), "500 INTERNAL_ERROR").await;
    let admin = tenant.admin_cx().await;
    let deactivate = policy::deactivate(&admin, id, reason(), None);
    assert_refused(&env, deactivate, "500 INTERNAL_ERROR").await;
    env.execute_as_superuser("alter table audit_events drop constraint always_fails").await;
    tenant.record(&request("k", payment(500))).await.unwrap();
    let policy = policy::read(&key, id, None).await.unwrap();
    assert!(policy.is_active, "the deactivation was rolled back with its event");
}

#[tokio::test]
async fn rejected_users_keys_and_tenants_change_nothing() {
    let (env, tenant) = test_tenant().await;
    let governance = &env.governance;
    let unknown_tenant = TenantId(tenant.admin.0);
    let user = |tenant, email: &'static str, password: &str| {
        operator::create_user(governance, tenant, email, password.to_owned(), Role::Viewer)
    };
    let taken = user(tenant.tenant, " ADMIN@acme.example", "a good pass phrase");
    assert_refused(&env, taken, "409 CONFLICT").await;
    let weak = user(tenant.tenant, "new@acme.example", "password1234");
    assert_refused(&env, weak, "422 VALIDATION_ERROR").await;
    let malformed = user(tenant.tenant, "new acme.example", "a good pass phrase");
    assert_refused(&env, malformed, "422 VALIDATION_ERROR").await;
    let in_unknown_tenant = user(unknown_tenant, "new@acme.example", "a good pass phrase");
    assert_refused(&env, in_unknown_tenant, "404 NOT_FOUND").await;

    let too_many_scopes = key(&tenant.admin_email, &[Scope::PoliciesRead, Scope::TenantsProvision]);
    let too_many_scopes = operator::create_key(governance, tenant.tenant, too_many_scopes);
    assert_refused(&env, too_many_scopes, "422 VALIDATION_ERROR").await;
    let unknown_owner = key("unknown@acme.example", &[Scope::PoliciesRead]);
    let unknown_owner = operator::create_key(governance, tenant.tenant, unknown_owner);
    assert_refused(&env, unknown_owner, "422 VALIDATION_ERROR").await;
    let in_unknown_tenant =
        operator::create_key(governance, unknown_tenant, key(&tenant.admin_email, &[]));
    assert_refused(&env, in_unknown_tenant, "404 NOT_FOUND").await;

    let unknown_parent = operator::create_tenant(governance, "child", Some(unknown_tenant));
    assert_refused(&env, unknown_parent, "422 VALIDATION_ERROR").await;
    let without_name = operator::create_tenant(governance, " ", None);
    assert_refused(&env, without_name, "422 VALIDATION_ERROR").await;

    let bootstrap = |tenant: &str, email: &str| Bootstrap {
        tenant: tenant.to_owned(),
        email: email.to_owned(),
        password: "a good pass phrase".to_owned(),
    };
    let plan = operator::plan(governance, bootstrap("Second", "Admin@acme.example")).await.unwrap();
    assert_refused(&env, operator::bootstrap(governance, plan), "409 CONFLICT").await;
    let plan = operator::plan(governance, bootstrap("", "new@acme.example")).await.unwrap();
    assert_refused(&env, operator::bootstrap(governance, plan), "422 VALIDATION_ERROR").await;
}
