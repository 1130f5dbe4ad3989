//! Capability grants: concurrent use, carry-over, revocation, and services without a signing key.

use contract::{
    capability::{CapabilityCarry, CapabilityCreated, CapabilityDraft},
    policy::SealRequest,
};
use governance::authoring::{capability, policy::version};
use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::{prelude::*, refusals::assert_refused};

/// Returns the draft of a capability with every action on the first version of a policy.
pub(crate) fn grant_request(policy: PolicyId, max_uses: u32) -> CapabilityDraft {
    body(&object([
        ("policy_id", policy.to_string().into()),
        ("version", 1.into()),
        (
            "actions",
            value(
                r#"["policy.draft.edit", "policy.read", "policy.submit", "review.retrieve",
                    "review.seal"]"#,
            ),
        ),
        ("max_uses", max_uses.into()),
        ("name", "a program".into()),
    ]))
}

/// A policy draft and the capability of a program on it.
struct Program {
    tenant: TestTenant,
    policy: PolicyId,
    created: CapabilityCreated,
}

impl Program {
    async fn new(env: &TestEnv, max_uses: u32) -> Self {
        let tenant = env.tenant("acme").await;
        let policy = tenant.create_policy(&spending("PAY", 1)).await;
        let created =
            capability::issue(&tenant.author_cx().await, grant_request(policy, max_uses)).await;
        Self { tenant, policy, created: created.unwrap() }
    }

    async fn cx(&self) -> Cx {
        self.tenant.cx_with_key(&self.created.plaintext_key).await
    }

    /// Sets the draft aside and creates another one, both as the author.
    async fn replace_draft(&self) {
        let author = self.tenant.author_cx().await;
        version::set_aside(&author, self.policy, 1, reason()).await.unwrap();
        self.tenant.next_draft(self.policy, &limit("LIMIT", 2)).await;
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "locks a table from outside the service")]
async fn a_capability_carried_over_during_a_read_returns_an_object_mismatch() {
    let env = test_env().await;
    let program = Program::new(&env, 9).await;
    program.replace_draft().await;
    let lock = env.superuser.begin().await.unwrap();
    lock.execute_unprepared("lock table review_submissions in access exclusive mode")
        .await
        .unwrap();
    let cx = program.cx().await;
    let pending = tokio::spawn(async move { capability::pending_work(&cx).await });
    while env.count_waiting().await < 1 {}
    let author = program.tenant.author_cx().await;
    let carry = CapabilityCarry { version: 2 };
    let carried_grant =
        capability::carry(&author, program.created.capability.id, carry).await.unwrap();
    lock.commit().await.unwrap();
    let pending = pending.await.unwrap();
    assert_eq!(result_summary(&pending), "403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
    let work = capability::pending_work(&program.cx().await).await.unwrap();
    assert_eq!((work.capability_id, work.policy_version_number), (carried_grant.id, 2));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "locks a row from outside the service")]
async fn a_write_after_a_revocation_is_rejected() {
    let env = test_env().await;
    let program = Program::new(&env, 9).await;
    let (cx, author) = (program.cx().await, program.tenant.author_cx().await);
    let (policy, id) = (program.policy, program.created.capability.id);
    let lock = env.superuser.begin().await.unwrap();
    lock.execute_unprepared("select from policies for update").await.unwrap();
    let revoke = tokio::spawn(async move { capability::revoke(&author, id).await });
    while env.count_waiting().await < 1 {}
    // The program was authenticated before the revocation.
    let write = tokio::spawn(async move { version::edit(&cx, policy, 1, edit(1, "late")).await });
    while env.count_waiting().await < 2 {}
    lock.commit().await.unwrap();
    assert_eq!(result_summary(&revoke.await.unwrap()), "done");
    assert_eq!(result_summary(&write.await.unwrap()), "403 AUTHORING_CAPABILITY_REVOKED");
    assert_eq!(env.count("select uses from capability_grants").await, 0);
    assert_eq!(env.count("select draft_revision from policy_versions").await, 1);
}

#[testkit::test]
async fn only_one_of_two_concurrent_writes_gets_the_last_use(env: TestEnv) {
    let program = Program::new(&env, 1).await;
    let (one, two) = (program.cx().await, program.cx().await);
    let policy = program.policy;
    let seal =
        tokio::spawn(async move { version::seal(&one, policy, 1, SealRequest::default()).await });
    let submit = tokio::spawn(async move { version::submit(&two, policy, 1).await });
    let mut results =
        [result_summary(&seal.await.unwrap()), result_summary(&submit.await.unwrap())];
    results.sort();
    assert_eq!(results, ["403 AUTHORING_CAPABILITY_EXHAUSTED", "done"]);
    assert_eq!(env.count("select uses from capability_grants").await, 1);
}

#[testkit::test]
async fn reading_pending_work_writes_nothing(env: TestEnv) {
    let program = Program::new(&env, 9).await;
    version::seal(&program.cx().await, program.policy, 1, SealRequest::default()).await.unwrap();
    let before = env.table_digests().await;
    let work = capability::pending_work(&program.cx().await).await.unwrap();
    assert_eq!(work.items.len(), 1);
    assert_eq!(env.table_digests().await, before);
}

#[testkit::test]
async fn a_service_without_a_signing_key_issues_no_grants_and_accepts_none(env: TestEnv) {
    let program = Program::new(&env, 9).await;
    let unsigned = program.tenant.in_process(&env.unsigned_process(2).await);
    let author = unsigned.author_cx().await;
    assert_refused(
        &env,
        capability::issue(&author, grant_request(program.policy, 1)),
        "409 CONFLICT",
    )
    .await;
    let cx = unsigned.cx_with_key(&program.created.plaintext_key).await;
    let integrity = "403 AUTHORING_CAPABILITY_INTEGRITY";
    assert_refused(&env, capability::pending_work(&cx), integrity).await;
    let write = version::edit(&cx, program.policy, 1, edit(1, "x"));
    assert_refused(&env, write, integrity).await;
}

#[testkit::test]
async fn rejected_capability_operations_change_nothing(env: TestEnv) {
    let program = Program::new(&env, 9).await;
    let author = program.tenant.author_cx().await;
    let id = program.created.capability.id;
    let carry = |version| CapabilityCarry { version };
    let missing = capability::carry(&author, id, carry(2));
    assert_refused(&env, missing, "404 NOT_FOUND").await;
    assert_refused(&env, capability::carry(&author, id, carry(1)), "422 VALIDATION_ERROR").await;
    program.replace_draft().await;
    let closed = "409 INVALID_TRANSITION (VERSION_CLOSED)";
    assert_refused(&env, capability::issue(&author, grant_request(program.policy, 1)), closed)
        .await;
    capability::revoke(&author, id).await.unwrap();
    let not_live = "409 INVALID_TRANSITION (CAPABILITY_NOT_LIVE)";
    assert_refused(&env, capability::carry(&author, id, carry(2)), not_live).await;
    let before = env.table_digests().await;
    capability::revoke(&author, id).await.unwrap();
    assert_eq!(env.table_digests().await, before, "the capability was already revoked");
}
