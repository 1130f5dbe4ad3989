//! Grants under pressure: used, carried and revoked at the same time, and in services that sign nothing.

use contract::{
    capability::{CapabilityCarry, CapabilityCreated, CapabilityDraft},
    id::PolicyId,
    policy::{ReasonBody, SealRequest},
};
use governance::{
    Cx,
    authoring::{capability, policy::version},
};
use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::{
    fixtures::{TestEnv, TestTenant, body, edit, limit, object, said, spending, value, world},
    refusals::refused,
};

const WAITING: &str = "select count(*) from pg_stat_activity \
     where datname = current_database() and wait_event_type = 'Lock'";

/// A grant with every action on the first version of a policy.
pub(crate) fn asked(policy: PolicyId, max_uses: u32) -> CapabilityDraft {
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

/// A draft, and the program that works on it.
struct Program {
    house: TestTenant,
    policy: PolicyId,
    issued: CapabilityCreated,
}

impl Program {
    async fn of(world: &TestEnv, max_uses: u32) -> Self {
        let house = world.tenant("house").await;
        let policy = house.drafted(&spending("PAY", 1)).await;
        let issued = capability::issue(&house.by_author().await, asked(policy, max_uses)).await;
        Self { house, policy, issued: issued.unwrap() }
    }

    async fn cx(&self) -> Cx {
        self.house.with_key(&self.issued.plaintext_key).await
    }

    /// The author sets the draft aside and begins another one.
    async fn anew(&self) {
        let because = body::<ReasonBody>(&object([("reason", "because".into())]));
        let author = self.house.by_author().await;
        version::set_aside(&author, self.policy, 1, because).await.unwrap();
        self.house.next_draft(self.policy, &limit("LIMIT", 2)).await;
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "holds a table from outside")]
async fn a_capability_that_is_carried_while_the_read_runs_is_an_object_mismatch() {
    let world = world().await;
    let program = Program::of(&world, 9).await;
    program.anew().await;
    let hold = world.superuser.begin().await.unwrap();
    hold.execute_unprepared("lock table review_submissions in access exclusive mode")
        .await
        .unwrap();
    let cx = program.cx().await;
    let read = tokio::spawn(async move { capability::pending_work(&cx).await });
    while world.count(WAITING).await < 1 {}
    let author = program.house.by_author().await;
    let carry = CapabilityCarry { version: 2 };
    let carried = capability::carry(&author, program.issued.capability.id, carry).await.unwrap();
    hold.commit().await.unwrap();
    let read = read.await.unwrap();
    assert_eq!(said(&read), "403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
    let again = capability::pending_work(&program.cx().await).await.unwrap();
    assert_eq!((again.capability_id, again.policy_version_number), (carried.id, 2));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "holds a row from outside")]
async fn no_write_that_comes_after_a_revocation_is_done() {
    let world = world().await;
    let program = Program::of(&world, 9).await;
    let (cx, author) = (program.cx().await, program.house.by_author().await);
    let (policy, id) = (program.policy, program.issued.capability.id);
    let hold = world.superuser.begin().await.unwrap();
    hold.execute_unprepared("select from policies for update").await.unwrap();
    let revoke = tokio::spawn(async move { capability::revoke(&author, id).await });
    while world.count(WAITING).await < 1 {}
    // The door let the program in before.
    let write = tokio::spawn(async move { version::edit(&cx, policy, 1, edit(1, "late")).await });
    while world.count(WAITING).await < 2 {}
    hold.commit().await.unwrap();
    assert_eq!(said(&revoke.await.unwrap()), "done");
    assert_eq!(said(&write.await.unwrap()), "403 AUTHORING_CAPABILITY_REVOKED");
    assert_eq!(world.count("select uses from capability_grants").await, 0);
    assert_eq!(world.count("select draft_revision from policy_versions").await, 1);
}

#[tokio::test]
async fn of_two_writes_at_once_under_one_use_exactly_one_is_done() {
    let world = world().await;
    let program = Program::of(&world, 1).await;
    let (one, two) = (program.cx().await, program.cx().await);
    let policy = program.policy;
    let seal =
        tokio::spawn(async move { version::seal(&one, policy, 1, SealRequest::default()).await });
    let submit = tokio::spawn(async move { version::submit(&two, policy, 1).await });
    let mut ends = [said(&seal.await.unwrap()), said(&submit.await.unwrap())];
    ends.sort();
    assert_eq!(ends, ["403 AUTHORING_CAPABILITY_EXHAUSTED", "done"]);
    assert_eq!(world.count("select uses from capability_grants").await, 1);
}

#[tokio::test]
async fn the_pending_work_read_writes_nothing() {
    let world = world().await;
    let program = Program::of(&world, 9).await;
    version::seal(&program.cx().await, program.policy, 1, SealRequest::default()).await.unwrap();
    let before = world.table_digests().await;
    let work = capability::pending_work(&program.cx().await).await.unwrap();
    assert_eq!(work.items.len(), 1);
    assert_eq!(world.table_digests().await, before);
}

#[tokio::test]
async fn a_service_without_a_signing_key_neither_issues_grants_nor_believes_in_any() {
    let world = world().await;
    let program = Program::of(&world, 9).await;
    let unsigned = program.house.in_process(&world.unsigned_process(2).await);
    let author = unsigned.by_author().await;
    refused(&world, capability::issue(&author, asked(program.policy, 1)), "409 CONFLICT").await;
    let cx = unsigned.with_key(&program.issued.plaintext_key).await;
    let integrity = "403 AUTHORING_CAPABILITY_INTEGRITY";
    refused(&world, capability::pending_work(&cx), integrity).await;
    let write = version::edit(&cx, program.policy, 1, edit(1, "x"));
    refused(&world, write, integrity).await;
}

#[tokio::test]
async fn what_is_refused_about_grants_leaves_nothing() {
    let world = world().await;
    let program = Program::of(&world, 9).await;
    let author = program.house.by_author().await;
    let id = program.issued.capability.id;
    let carry = |version| CapabilityCarry { version };
    let missing = capability::carry(&author, id, carry(2));
    refused(&world, missing, "404 NOT_FOUND").await;
    refused(&world, capability::carry(&author, id, carry(1)), "422 VALIDATION_ERROR").await;
    program.anew().await;
    let closed = "409 INVALID_TRANSITION (VERSION_CLOSED)";
    refused(&world, capability::issue(&author, asked(program.policy, 1)), closed).await;
    capability::revoke(&author, id).await.unwrap();
    let ended = "409 INVALID_TRANSITION (CAPABILITY_NOT_LIVE)";
    refused(&world, capability::carry(&author, id, carry(2)), ended).await;
    let before = world.table_digests().await;
    capability::revoke(&author, id).await.unwrap();
    assert_eq!(world.table_digests().await, before, "it was revoked before");
}
