//! A use case that is refused leaves every row of every table as it was.

use contract::{
    id::{PolicyId, ReviewRecordId, TenantId},
    policy::{ReasonBody, ReviewDraft, ReviewVerdict, SealRequest},
    scope::{Role, Scope},
    settings::SettingsPatch,
};
use governance::{
    Result, SignedIn,
    access::operator::{self, Bootstrap, key::KeyRequest},
    authoring::{
        policy::{
            self,
            rule_input::{NewPolicy, NewVersion, SupersedeInput},
            version,
        },
        settings,
    },
};

use crate::fixtures::{
    TestEnv, TestTenant, body, edit, limit, object, payment, question, ratification, record,
    request, said, spending, value, with, world,
};

/// An act that must be refused in these words and change nothing.
pub(crate) fn refused<T>(
    world: &TestEnv,
    act: impl Future<Output = Result<T>>,
    words: &str,
) -> impl Future<Output = ()> {
    // Boxed: an act is large, and so would every test be that waits for some.
    Box::pin(async move {
        let before = world.table_digests().await;
        let result = act.await;
        assert_eq!(said(&result), words);
        assert_eq!(world.table_digests().await, before, "{words}");
    })
}

fn key<'a>(owner: &'a str, scopes: &'a [Scope]) -> KeyRequest<'a> {
    KeyRequest { name: "k", owner, scopes, expires_at: None }
}

/// A policy in each state: a draft, one submitted, one ratified, one in force.
struct States {
    draft: PolicyId,
    submitted: PolicyId,
    ratified: PolicyId,
    active: PolicyId,
}

async fn states(house: &TestTenant) -> States {
    let submitted = house.drafted(&spending("SUBMITTED", 1)).await;
    version::submit(&house.by_author().await, submitted, 1).await.unwrap();
    let ratified = house.drafted(&spending("RATIFIED", 1)).await;
    house.ratified(ratified, 1).await;
    States {
        draft: house.drafted(&spending("DRAFT", 1)).await,
        submitted,
        ratified,
        active: house.active_policy(&spending("ACTIVE", 100)).await,
    }
}

fn because() -> ReasonBody {
    body(&object([("reason", "because".into())]))
}

#[tokio::test]
async fn a_policy_that_cannot_be_made_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.drafted(&spending("PAY", 1)).await;
    let (author, key) = (house.by_author().await, house.by_key().await);
    let new = |code| body::<NewPolicy>(&spending(code, 1));
    refused(&world, policy::create(&author, new("PAY")), "409 DUPLICATE_CODE").await;
    refused(&world, policy::create(&key, new("pay")), "409 DUPLICATE_CODE").await;
    let group = object([("policy_group_id", house.tenant.to_string().into())]);
    let grouped = with(
        &spending("GROUPED", 1),
        "policy_group_id",
        group.get("policy_group_id").unwrap().clone(),
    );
    let grouped = body::<NewPolicy>(&grouped);
    refused(&world, policy::create(&author, grouped), "422 VALIDATION_ERROR").await;
    let viewer = house.person("viewer@house.example", Role::Viewer).await;
    let viewer = house.by(viewer).await;
    refused(&world, policy::create(&viewer, new("NEW")), "403 FORBIDDEN").await;
    let reader = house.key_with(&[Scope::PoliciesRead]).await;
    let reader = house.with_key(&reader).await;
    refused(&world, policy::create(&reader, new("NEW")), "403 INSUFFICIENT_SCOPE").await;
}

#[tokio::test]
async fn a_review_or_a_correction_that_is_refused_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let at = states(&house).await;
    let (author, admin) = (house.by_author().await, house.by_admin().await);
    let sealing = |answers: Option<ReviewRecordId>| SealRequest { answers_record_id: answers };
    let found = |verdict| ReviewDraft { verdict, comments: Vec::new(), note: None };
    macro_rules! refuse {
        ($act:expr, $words:literal) => {
            refused(&world, $act, $words).await
        };
    }
    let nobody = ReviewRecordId(house.admin.0);
    let seal = version::seal(&author, at.draft, 1, sealing(Some(nobody)));
    refuse!(seal, "409 RESUBMISSION_PRIOR_NOT_RETURNED");
    let sealed = version::seal(&admin, at.draft, 1, sealing(None)).await.unwrap().submission.id;
    let give_back = || found(ReviewVerdict::Return);
    let by_sealer = version::record(&admin, at.draft, 1, sealed, give_back());
    refuse!(by_sealer, "403 MAKER_CHECKER_VIOLATION");
    let by_author = version::record(&author, at.draft, 1, sealed, give_back());
    refuse!(by_author, "403 FORBIDDEN");
    let reviewer = house.person("reviewer@house.example", Role::Reviewer).await;
    let reviewer = house.by(reviewer).await;
    let record = version::record(&reviewer, at.draft, 1, sealed, give_back()).await.unwrap();
    let again = version::record(&reviewer, at.draft, 1, sealed, give_back());
    refuse!(again, "409 CONFLICT");
    let silent = version::seal(&author, at.draft, 1, sealing(None));
    refuse!(silent, "400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let wrong = version::seal(&author, at.draft, 1, sealing(Some(nobody)));
    refuse!(wrong, "409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
    // The same revision again is no refusal, and leaves as little.
    let before = world.table_digests().await;
    version::seal(&author, at.draft, 1, sealing(Some(record.id))).await.unwrap();
    assert_eq!(world.table_digests().await, before);
    let sealed = "409 INVALID_TRANSITION (VERSION_WAS_SEALED)";
    refused(&world, version::delete(&author, at.draft, 1), sealed).await;

    let corrected = |revision: u32| {
        body::<SupersedeInput>(&object([
            ("expected_revision", revision.into()),
            ("rules", limit("LIMIT", 2)),
            ("change_reason", "because".into()),
        ]))
    };
    refuse!(version::supersede(&author, at.draft, 1, corrected(2)), "409 STALE_DRAFT_REVISION");
    for closed in [at.submitted, at.ratified, at.active] {
        let not_draft = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
        refused(&world, version::supersede(&author, closed, 1, corrected(1)), not_draft).await;
    }
    refuse!(
        version::set_aside(&author, at.active, 1, because()),
        "409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)"
    );
    let other = house.person("second@house.example", Role::Author).await;
    let other = house.by(other).await;
    refuse!(version::set_aside(&other, at.submitted, 1, because()), "403 FORBIDDEN");
}

#[tokio::test]
async fn a_move_that_the_state_forbids_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let at = states(&house).await;
    let (author, admin) = (house.by_author().await, house.by_admin().await);
    let new = || body::<NewVersion>(&object([("rules", limit("LIMIT", 2))]));
    macro_rules! refuse {
        ($act:expr, $words:literal) => {
            refused(&world, $act, $words).await
        };
    }
    for open in [at.draft, at.submitted] {
        refuse!(version::create(&author, open, new()), "409 DRAFT_EXISTS");
    }
    refuse!(version::edit(&author, at.draft, 1, edit(2, "x")), "409 STALE_DRAFT_REVISION");
    for closed in [at.submitted, at.ratified, at.active] {
        let not_draft = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
        refused(&world, version::edit(&author, closed, 1, edit(1, "x")), not_draft).await;
        refused(&world, version::submit(&author, closed, 1), not_draft).await;
    }
    for other in [at.draft, at.ratified, at.active] {
        let not_submitted = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";
        refused(&world, version::recall(&author, other, 1), not_submitted).await;
        refused(&world, version::reject(&admin, other, 1, because()), not_submitted).await;
        refused(&world, version::ratify(&admin, other, 1, ratification(1)), not_submitted).await;
    }
    refuse!(version::ratify(&admin, at.submitted, 1, ratification(2)), "409 STALE_DRAFT_REVISION");
    for unratified in [at.draft, at.submitted] {
        refuse!(
            version::activate(&admin, unratified, 1),
            "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)"
        );
    }
    refuse!(
        version::activate(&admin, at.active, 1),
        "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)"
    );
    for inactive in [at.draft, at.submitted, at.ratified] {
        refuse!(
            policy::deactivate(&admin, inactive, because(), None),
            "409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)"
        );
    }
    for missing in [0, 2, u32::MAX] {
        refuse!(version::submit(&author, at.draft, missing), "404 NOT_FOUND");
    }
}

/// A patch that reserves changes of verdicts and safeguards for people.
fn people_only() -> SettingsPatch {
    SettingsPatch { human_changes_only: Some(true), ..SettingsPatch::default() }
}

fn reviewed() -> SettingsPatch {
    SettingsPatch { review_required: Some(true), ..SettingsPatch::default() }
}

#[tokio::test]
async fn an_act_that_is_not_the_callers_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let at = states(&house).await;
    let (author, key) = (house.by_author().await, house.by_key().await);
    macro_rules! refuse {
        ($act:expr, $words:literal) => {
            refused(&world, $act, $words).await
        };
    }
    // Human acts.
    refuse!(version::ratify(&key, at.submitted, 1, ratification(1)), "403 HUMAN_REQUIRED");
    refuse!(version::activate(&key, at.ratified, 1), "403 HUMAN_REQUIRED");
    // Changes that a key may make unless the tenant reserves them for people.
    settings::change(&house.by_admin().await, people_only(), None, None).await.unwrap();
    refuse!(version::reject(&key, at.submitted, 1, because()), "403 HUMAN_REQUIRED");
    refuse!(policy::deactivate(&key, at.active, because(), None), "403 HUMAN_REQUIRED");
    refuse!(settings::change(&key, reviewed(), None, None), "403 HUMAN_REQUIRED");
    refuse!(settings::change(&key, people_only(), None, None), "403 HUMAN_REQUIRED");
    // Beyond an author.
    refuse!(version::ratify(&author, at.submitted, 1, ratification(1)), "403 FORBIDDEN");
    refuse!(version::activate(&author, at.ratified, 1), "403 FORBIDDEN");
    refuse!(version::reject(&author, at.submitted, 1, because()), "403 FORBIDDEN");
    refuse!(policy::deactivate(&author, at.active, because(), None), "403 FORBIDDEN");
    // Beyond a reviewer, who may reject.
    let reviewer = house.person("reviewer@house.example", Role::Reviewer).await;
    let reviewer = house.by(reviewer).await;
    refuse!(version::ratify(&reviewer, at.submitted, 1, ratification(1)), "403 FORBIDDEN");
    // Beyond those who read.
    for (name, role) in [("v", Role::Viewer), ("o", Role::Operator), ("a", Role::Auditor)] {
        let reader = house.person(&format!("{name}@house.example"), role).await;
        let reader = house.by(reader).await;
        refuse!(version::submit(&reader, at.draft, 1), "403 FORBIDDEN");
        refuse!(version::recall(&reader, at.submitted, 1), "403 FORBIDDEN");
        refuse!(version::edit(&reader, at.draft, 1, edit(1, "x")), "403 FORBIDDEN");
        refuse!(record(&reader, &request("k", payment(1))), "403 FORBIDDEN");
    }
    // Nobody.
    let nobody = world.governance.public(world.governance.correlation_id());
    refuse!(version::submit(&nobody, at.draft, 1), "401 UNAUTHORIZED");
    let process = world.governance.operator();
    refuse!(version::submit(&process, at.draft, 1), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn signing_asks_for_a_sign_in_of_at_most_fifteen_minutes() {
    let world = world().await;
    let house = world.tenant("house").await;
    let at = states(&house).await;
    let then = world.governance.clock().now();
    let signed_in = SignedIn::of(house.admin, then);
    world.governance.clock().advance(15 * 60 * 1_000 + 1);
    let old = house.signed_in(&signed_in).await;
    let too_old = "403 FORBIDDEN (CONFIRMATION_REQUIRED)";
    let ratify = version::ratify(&old, at.submitted, 1, ratification(1));
    refused(&world, ratify, too_old).await;
    refused(&world, version::activate(&old, at.ratified, 1), too_old).await;

    world.governance.clock().advance(-1);
    let just = house.signed_in(&signed_in).await;
    version::ratify(&just, at.submitted, 1, ratification(1)).await.unwrap();
    version::activate(&just, at.ratified, 1).await.unwrap();
}

#[tokio::test]
async fn a_decision_that_cannot_be_recorded_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let active = house.active_policy(&spending("PAY", 100)).await;
    house.record(&request("k", payment(1))).await.unwrap();
    let key = house.by_key().await;
    macro_rules! refuse {
        ($request:expr, $words:literal) => {
            refused(&world, record(&key, &$request), $words).await
        };
    }
    refuse!(request("k", payment(2)), "422 IDEMPOTENCY_KEY_REUSED");
    let other = value(r#"{"decision_type":"other","fields":{}}"#);
    refuse!(request("l", other.clone()), "404 NO_ACTIVE_POLICIES");
    refused(&world, house.evaluate(&question(other)), "404 NO_ACTIVE_POLICIES").await;
    let new = request("l", payment(1));
    refuse!(with(&new, "policy_group_code", "G"), "422 VALIDATION_ERROR");
    refuse!(with(&new, "policy_ids", value("[]")), "404 NO_ACTIVE_POLICIES");
    let unknown = vec![active.to_string().into(), house.tenant.to_string().into()];
    let unknown = with(&new, "policy_ids", unknown);
    refuse!(unknown, "422 VALIDATION_ERROR");
    let problem = record(&key, &unknown).await.unwrap_err().problem();
    assert!(problem.message.starts_with("/policy_ids/1: "), "{}", problem.message);
    let reader = house.key_with(&[Scope::DecisionsRead, Scope::DecisionsEvaluate]).await;
    let reader = house.with_key(&reader).await;
    refused(&world, record(&reader, &new), "403 INSUFFICIENT_SCOPE").await;
    assert_eq!(said(&record(&key, &new).await), "done");
}

#[tokio::test]
async fn a_fault_after_the_decision_was_written_takes_it_back() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 100)).await;
    // The snapshot is stored, so that the event of the decision is the one that fails.
    house.record(&request("before", payment(1))).await.unwrap();
    // The event is the last thing that a transaction writes.
    world
        .execute_as_superuser(
            "alter table audit_events add constraint fault check (false) not valid",
        )
        .await;
    let key = house.by_key().await;
    refused(&world, record(&key, &request("k", payment(1))), "500 INTERNAL_ERROR").await;
    let new = body::<NewPolicy>(&spending("NEW", 1));
    refused(&world, policy::create(&key, new), "500 INTERNAL_ERROR").await;
    let over = policy::deactivate(&house.by_admin().await, id, because(), None).await;
    assert_eq!(said(&over), "500 INTERNAL_ERROR");
    world.execute_as_superuser("alter table audit_events drop constraint fault").await;
    house.record(&request("k", payment(1))).await.unwrap();
    let still = policy::read(&key, id, None).await.unwrap();
    assert!(still.is_active, "what was not told has not happened");
}

#[tokio::test]
async fn people_keys_and_tenants_that_cannot_be_made_leave_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let governance = &world.governance;
    let stranger = TenantId(house.admin.0);
    let user = |tenant, email: &'static str, password: &str| {
        operator::create_user(governance, tenant, email, password.to_owned(), Role::Viewer)
    };
    let taken = user(house.tenant, " ADMIN@house.example", "a good pass phrase");
    refused(&world, taken, "409 CONFLICT").await;
    let weak = user(house.tenant, "new@house.example", "password1234");
    refused(&world, weak, "422 VALIDATION_ERROR").await;
    let malformed = user(house.tenant, "new house.example", "a good pass phrase");
    refused(&world, malformed, "422 VALIDATION_ERROR").await;
    let nowhere = user(stranger, "new@house.example", "a good pass phrase");
    refused(&world, nowhere, "404 NOT_FOUND").await;

    let too_much = key(&house.admin_email, &[Scope::PoliciesRead, Scope::TenantsProvision]);
    let too_much = operator::create_key(governance, house.tenant, too_much);
    refused(&world, too_much, "422 VALIDATION_ERROR").await;
    let ownerless = key("nobody@house.example", &[Scope::PoliciesRead]);
    let ownerless = operator::create_key(governance, house.tenant, ownerless);
    refused(&world, ownerless, "422 VALIDATION_ERROR").await;
    let nowhere = operator::create_key(governance, stranger, key(&house.admin_email, &[]));
    refused(&world, nowhere, "404 NOT_FOUND").await;

    let orphan = operator::create_tenant(governance, "child", Some(stranger));
    refused(&world, orphan, "422 VALIDATION_ERROR").await;
    let nameless = operator::create_tenant(governance, " ", None);
    refused(&world, nameless, "422 VALIDATION_ERROR").await;

    let start = |tenant: &str, email: &str| Bootstrap {
        tenant: tenant.to_owned(),
        email: email.to_owned(),
        password: "a good pass phrase".to_owned(),
    };
    let plan = operator::plan(governance, start("Second", "Admin@house.example")).await.unwrap();
    refused(&world, operator::bootstrap(governance, plan), "409 CONFLICT").await;
    let plan = operator::plan(governance, start("", "new@house.example")).await.unwrap();
    refused(&world, operator::bootstrap(governance, plan), "422 VALIDATION_ERROR").await;
}
