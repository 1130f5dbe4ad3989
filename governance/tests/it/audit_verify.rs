//! Audit log verification: changes made by a superuser are detected and named.

use contract::{
    audit::{AuditRange, AuditReport, AuditStatus},
    id::TenantId,
};
use governance::{
    Result,
    proof::audit::{self, CheckpointWorker},
};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::task::JoinSet;

use crate::prelude::*;

const FIVE_MINUTES_MS: i64 = 5 * 60 * 1_000;

/// Creates a tenant with nine audit events, with a checkpoint at the seventh.
async fn tenant_with_nine_events(
    env: &TestEnv,
    checkpoints: &mut CheckpointWorker,
    name: &str,
) -> TestTenant {
    let tenant = env.tenant(name).await;
    for code in ["A", "B", "C"] {
        tenant.create_policy(&spending(code, 1)).await;
    }
    let clock = env.governance.clock();
    clock.advance(FIVE_MINUTES_MS);
    assert!(checkpoints.run_once(&env.governance, clock.now()).await.unwrap() >= 1);
    for code in ["D", "E"] {
        tenant.create_policy(&spending(code, 1)).await;
    }
    tenant
}

async fn verify(tenant: &TestTenant, range: AuditRange) -> Result<AuditReport> {
    audit::verify(&tenant.admin_cx().await, range).await
}

async fn report(tenant: &TestTenant) -> AuditReport {
    verify(tenant, AuditRange::default()).await.unwrap()
}

/// Formats the status of a report, and the kind and number of its divergence.
fn summary(report: &AuditReport) -> String {
    let divergence = report.first_divergence.as_ref();
    let divergence = divergence.map(|first| format!(" {} {}", first.kind, first.seq));
    format!("{}{}", report.status.as_str(), divergence.unwrap_or_default())
}

/// Disables the append-only triggers and runs `sql`, with `$t` replaced by the ID of the tenant.
async fn attack(env: &TestEnv, tenant: TenantId, sql: &str) {
    let sql = sql.replace("$t", &format!("'{tenant}'"));
    env.execute_as_superuser(&format!(
        "alter table audit_events disable trigger all, \
                 drop constraint if exists audit_events_unique_prev; \
             alter table audit_checkpoints disable trigger all; \
             alter table audit_personal disable trigger all; {sql}"
    ))
    .await;
}

/// Changes of the sixth event of a tenant, each with the result of the check.
const EVENT_CHANGES: [(&str, &str); 13] = [
    ("event = replace(event, '.create', '.delete')", "tampered hash 6"),
    ("hash = sha256('other')", "tampered hash 6"),
    ("event = ' ' || event", "tampered canonical 6"),
    ("event = left(event, 30)", "unreadable JSON_SYNTAX 6"),
    ("action = 'other'", "tampered columns 6"),
    ("actor_type = 'system'", "tampered columns 6"),
    ("actor_id = 'other'", "tampered columns 6"),
    ("object_type = 'other'", "tampered columns 6"),
    ("object_id = 'other'", "tampered columns 6"),
    ("event_id = gen_random_uuid()", "tampered columns 6"),
    ("occurred_at = occurred_at + interval '1 microsecond'", "tampered columns 6"),
    ("occurred_at = 'infinity'", "tampered columns 6"),
    ("prev = 'other'", "tampered columns 6"),
];

/// Other changes of the rows of a tenant, each with the result of the check.
const ATTACKS: [(&str, &str); 14] = [
    ("delete from audit_personal where tenant_id = $t", "intact"),
    ("delete from audit_events where tenant_id = $t and seq = 6", "tampered seq 6"),
    ("delete from audit_events where tenant_id = $t and seq >= 8", "tampered seq 8"),
    ("delete from audit_events where tenant_id = $t", "truncated checkpoint 7"),
    (
        "update tenant_heads set audit_hash = sha256('other') where tenant_id = $t",
        "tampered hash 9",
    ),
    ("update tenant_heads set audit_seq = 8 where tenant_id = $t", "tampered seq 9"),
    (
        "update audit_checkpoints set hash = sha256('x') where tenant_id = $t",
        "tampered checkpoint 7",
    ),
    ("update audit_checkpoints set seq = 10 where tenant_id = $t", "truncated checkpoint 10"),
    (
        "with two as (select seq, personal from audit_personal where tenant_id = $t and seq in (6, 7)) \
         update audit_personal p set personal = two.personal from two \
         where p.tenant_id = $t and p.seq in (6, 7) and p.seq <> two.seq",
        "tampered columns 6",
    ),
    (RECHAIN, "tampered checkpoint 7"),
    // The head is at event 9.
    (
        "insert into audit_events select tenant_id, 10, gen_random_uuid(), occurred_at, action, \
             actor_type, actor_id, object_type, object_id, event, hash, 'other' \
             from audit_events where tenant_id = $t and seq = 9",
        "tampered seq 10",
    ),
    // Two events with the same predecessor, and then with the same number.
    (
        "insert into audit_events select tenant_id, 10, event_id, occurred_at, action, actor_type, \
             actor_id, object_type, object_id, replace(event, '\"seq\":6', '\"seq\":10'), \
             sha256(convert_to(replace(event, '\"seq\":6', '\"seq\":10'), 'UTF8')), prev \
             from audit_events where tenant_id = $t and seq = 6; \
         update tenant_heads set audit_seq = 10, audit_hash = (select hash from audit_events \
             where tenant_id = $t and seq = 10) where tenant_id = $t",
        "forked prev 10",
    ),
    (
        "update audit_events set seq = 100 where tenant_id = $t and seq = 7; \
         update audit_events set seq = 7 where tenant_id = $t and seq = 6; \
         update audit_events set seq = 6 where tenant_id = $t and seq = 100",
        "tampered columns 6",
    ),
    (
        "alter table audit_checkpoints drop constraint audit_checkpoints_tenant_id_seq_fkey; \
         alter table audit_events drop constraint audit_events_pkey; \
         insert into audit_events select * from audit_events where tenant_id = $t and seq = 6",
        "forked seq 6",
    ),
];

#[tokio::test]
async fn changes_in_the_database_are_detected_and_named() {
    let (env, mut checkpoints) = (test_env().await, CheckpointWorker::default());
    let of_event =
        |change| format!("update audit_events set {change} where tenant_id = $t and seq = 6");
    let changes = EVENT_CHANGES.map(|(change, expected)| (of_event(change), expected));
    let others = ATTACKS.map(|(sql, expected)| (sql.to_owned(), expected));
    for (number, (sql, expected)) in changes.into_iter().chain(others).enumerate() {
        let tenant =
            tenant_with_nine_events(&env, &mut checkpoints, &format!("acme{number}")).await;
        assert_eq!(summary(&report(&tenant).await), "intact");
        attack(&env, tenant.tenant, &sql).await;
        let report = report(&tenant).await;
        assert_eq!(summary(&report), expected, "{sql}");
        if let Some(divergence) = report.first_divergence {
            assert_ne!(divergence.expected, divergence.actual, "{sql}");
        }
    }
}

/// Rewrites the events from 6 on with valid hashes, and moves the head to the end of the new chain.
const RECHAIN: &str = "
    do $body$
    declare
        link record;
        before bytea;
        bytes text;
    begin
        select hash into before from audit_events where tenant_id = $t and seq = 5;
        for link in select * from audit_events where tenant_id = $t and seq >= 6 order by seq loop
            bytes := replace(link.event, encode(link.prev, 'hex'), encode(before, 'hex'));
            bytes := replace(bytes, '.create', '.delete');
            before := sha256(convert_to(bytes, 'UTF8'));
            update audit_events set event = bytes, hash = before,
                action = replace(action, '.create', '.delete'),
                prev = (select hash from audit_events where tenant_id = $t and seq = link.seq - 1)
                where tenant_id = $t and seq = link.seq;
        end loop;
        update tenant_heads set audit_hash = before where tenant_id = $t;
    end
    $body$";

/// Deletes the events after `seq`, and moves the head to it.
fn truncate_after(seq: u32) -> String {
    format!(
        "delete from audit_events where tenant_id = $t and seq > {seq}; \
         update tenant_heads set audit_seq = {seq}, audit_hash = coalesce((select hash from \
         audit_events where tenant_id = $t and seq = {seq}), '') where tenant_id = $t"
    )
}

#[tokio::test]
async fn truncation_with_a_matching_head_is_detected_by_the_checkpoint() {
    let (env, mut checkpoints) = (test_env().await, CheckpointWorker::default());
    let tenant = tenant_with_nine_events(&env, &mut checkpoints, "acme").await;
    attack(&env, tenant.tenant, &truncate_after(7)).await;
    let to_7 = report(&tenant).await;
    assert_eq!(
        (&*summary(&to_7), to_7.unanchored_tail),
        ("intact", 0),
        "events 8 and 9 have no checkpoint"
    );
    attack(&env, tenant.tenant, &truncate_after(6)).await;
    let to_6 = report(&tenant).await;
    assert_eq!(summary(&to_6), "truncated checkpoint 7");
    assert_eq!((to_6.head.seq, to_6.unanchored_tail), (6, 0));
    attack(&env, tenant.tenant, &truncate_after(0)).await;
    assert_eq!(summary(&report(&tenant).await), "truncated checkpoint 7");
    // A range up to a deleted event returns the same result.
    let range = AuditRange { to_seq: Some(9), ..AuditRange::default() };
    assert_eq!(summary(&verify(&tenant, range).await.unwrap()), "truncated checkpoint 7");
}

#[tokio::test]
async fn events_that_are_exchanged_between_tenants_are_detected() {
    let (env, mut checkpoints) = (test_env().await, CheckpointWorker::default());
    let first = tenant_with_nine_events(&env, &mut checkpoints, "first").await;
    let second = tenant_with_nine_events(&env, &mut checkpoints, "second").await;
    let other = second.tenant;
    let swap = format!(
        "update audit_events set tenant_id = '{UNUSED_TENANT}' where tenant_id = '{other}' and seq = 6; \
         update audit_events set tenant_id = '{other}' where tenant_id = $t and seq = 6; \
         update audit_events set tenant_id = $t where tenant_id = '{UNUSED_TENANT}'"
    );
    attack(&env, first.tenant, &swap).await;
    for tenant in [&first, &second] {
        assert_eq!(summary(&report(tenant).await), "tampered columns 6");
    }
}

/// The ID of a tenant that does not exist.
const UNUSED_TENANT: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn a_range_is_checked_together_with_the_event_before_it() {
    let (env, mut checkpoints) = (test_env().await, CheckpointWorker::default());
    let tenant = tenant_with_nine_events(&env, &mut checkpoints, "acme").await;
    let range = |from, to| AuditRange { from_seq: from, to_seq: to };
    let part = verify(&tenant, range(Some(4), Some(6))).await.unwrap();
    assert_eq!((&*summary(&part), part.checked), ("intact", 3));
    assert_eq!(part.head.seq, 9);
    assert_eq!(part.last_checkpoint.as_ref().map(|last| last.seq), Some(7));
    assert_eq!(part.unanchored_tail, 2);
    for (from, to, path) in [
        (Some(10), None, "/from_seq"),
        (None, Some(10), "/to_seq"),
        (Some(10), Some(11), "/from_seq"),
    ] {
        let result = verify(&tenant, range(from, to)).await;
        assert_eq!(result_summary(&result), "422 VALIDATION_ERROR", "{from:?} {to:?}");
        let problem = result.unwrap_err().problem();
        assert!(problem.message.starts_with(path), "{}", problem.message);
    }

    attack(
        &env,
        tenant.tenant,
        "update audit_events set event = replace(event, '.create', '.delete') \
         where tenant_id = $t and seq = 5",
    )
    .await;
    let unwrap_summary = |report: Result<AuditReport>| summary(&report.unwrap());
    assert_eq!(unwrap_summary(verify(&tenant, range(Some(7), None)).await), "intact");
    assert_eq!(unwrap_summary(verify(&tenant, range(Some(6), None)).await), "tampered prev 6");
    assert_eq!(unwrap_summary(verify(&tenant, range(None, Some(4))).await), "intact");
    let delete = "delete from audit_events where tenant_id = $t and seq = 5";
    attack(&env, tenant.tenant, delete).await;
    assert_eq!(unwrap_summary(verify(&tenant, range(Some(6), None)).await), "tampered seq 5");
}

#[tokio::test]
async fn every_256th_event_has_a_checkpoint() {
    let (env, tenant) = test_tenant_with_policy().await;
    for number in 0..270 {
        tenant.record(&request(&number.to_string(), payment(1))).await.unwrap();
    }
    let before = report(&tenant).await;
    assert_eq!(before.status, AuditStatus::Intact);
    assert_eq!(before.checked, before.head.seq);
    let last = before.last_checkpoint.unwrap();
    assert_eq!((last.seq, last.log_index), (256, None));
    assert_eq!(before.unanchored_tail, before.head.seq - 256);
    let stored = "select encode(hash, 'hex') from audit_events where seq = 256";
    assert_eq!(env.texts(stored).await, [last.hash]);

    attack(&env, tenant.tenant, "delete from audit_checkpoints where tenant_id = $t").await;
    assert_eq!(summary(&report(&tenant).await), "tampered checkpoint 256");
}

#[testkit::test]
async fn an_event_has_a_checkpoint_after_five_minutes(env: TestEnv) {
    let (governance, clock) = (&env.governance, env.governance.clock());
    let tenant = env.tenant("acme").await;
    env.tenant("neighbour").await;
    let mut worker = CheckpointWorker::default();
    let seqs = format!(
        "select seq::text from audit_checkpoints where tenant_id = '{}' order by seq",
        tenant.tenant
    );
    clock.advance(FIVE_MINUTES_MS - 1);
    tenant.create_policy(&spending("LATER", 1)).await;
    assert_eq!(worker.run_once(governance, clock.now()).await.unwrap(), 0);
    assert_eq!(env.texts(&seqs).await, [""; 0]);
    clock.advance(1);
    assert_eq!(worker.run_once(governance, clock.now()).await.unwrap(), 2, "one for each tenant");
    assert_eq!(env.texts(&seqs).await, ["5"], "it covers the event of the wait too");
    clock.advance(FIVE_MINUTES_MS);
    for mut worker in [worker, CheckpointWorker::default()] {
        assert_eq!(
            worker.run_once(governance, clock.now()).await.unwrap(),
            0,
            "there are no new events"
        );
    }
    let before = env.table_digests().await;
    assert_eq!(report(&tenant).await.unanchored_tail, 0);
    assert_eq!(env.table_digests().await, before, "verification writes nothing");
}

#[tokio::test]
async fn verification_during_writes_reports_an_intact_log() {
    let (_env, tenant) = test_tenant_with_policy().await;
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let tenant = tenant.clone();
        writers.spawn(async move {
            for number in 0..20 {
                let request = request(&format!("{writer}-{number}"), payment(1));
                tenant.record(&request).await.unwrap();
            }
        });
    }
    let mut seen = Vec::new();
    while writers.try_join_next().is_none_or(|_| !writers.is_empty()) {
        let report = report(&tenant).await;
        assert_eq!(summary(&report), "intact");
        assert_eq!(report.checked, report.head.seq);
        seen.push(report.head.seq);
    }
    assert!(seen.is_sorted());
    let last = report(&tenant).await;
    assert!(last.head.seq >= 80 && seen.first() < Some(&last.head.seq), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "locks a table from outside the service")]
async fn concurrent_verifications_are_limited_per_log_and_per_process() {
    let env = test_env().await;
    let mut tenants = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        tenants.push(env.tenant(name).await);
    }
    let other_process = tenants[0].in_process(&env.another_process(2).await);
    // No event can be read before the lock is released.
    let lock = env.superuser.begin().await.unwrap();
    lock.execute_unprepared("lock table audit_events in access exclusive mode").await.unwrap();
    let mut verifications = JoinSet::new();
    for (count, tenant) in tenants[..4].iter().enumerate() {
        let cx = tenant.admin_cx().await;
        verifications.spawn(async move { audit::verify(&cx, AuditRange::default()).await });
        while env.count_waiting().await <= count {}
    }
    for tenant in [&tenants[0], &other_process] {
        let result = verify(tenant, AuditRange::default()).await;
        assert_eq!(result_summary(&result), "409 CONFLICT (VERIFICATION_RUNNING)");
        let details = result.unwrap_err().problem().details.unwrap();
        assert_eq!(details.get("retry_after").map(Value::to_canonical).as_deref(), Some("5"));
    }
    assert_eq!(
        result_summary(&verify(&tenants[4], AuditRange::default()).await),
        "503 SERVICE_UNAVAILABLE"
    );
    assert_eq!(env.count_waiting().await, 4, "a quarter of the connections of the process");

    lock.rollback().await.unwrap();
    for report in verifications.join_all().await {
        assert_eq!(report.unwrap().status, AuditStatus::Intact);
    }
    for tenant in [&other_process, &tenants[0], &tenants[4]] {
        assert_eq!(report(tenant).await.status, AuditStatus::Intact);
    }
}
