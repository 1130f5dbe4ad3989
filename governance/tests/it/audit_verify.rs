//! The audit log under attack by somebody whom no wall holds: what was done is found and named.

use contract::{
    audit::{AuditRange, AuditReport, AuditStatus},
    id::TenantId,
    json::Value,
};
use governance::{
    Result,
    proof::audit::{self, CheckpointWorker},
};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::task::JoinSet;

use crate::fixtures::{
    TestEnv, TestTenant, body, object, payment, request, said, spending, value, world,
};

const FIVE_MINUTES_MS: i64 = 5 * 60 * 1_000;

/// A tenant whose log has nine events, the seventh of them a checkpoint.
async fn house(world: &TestEnv, checkpoints: &mut CheckpointWorker, name: &str) -> TestTenant {
    let house = world.tenant(name).await;
    for code in ["A", "B", "C"] {
        house.drafted(&spending(code, 1)).await;
    }
    let clock = world.governance.clock();
    clock.advance(FIVE_MINUTES_MS);
    assert!(checkpoints.make(&world.governance, clock.now()).await.unwrap() >= 1);
    for code in ["D", "E"] {
        house.drafted(&spending(code, 1)).await;
    }
    house
}

async fn verify(house: &TestTenant, range: AuditRange) -> Result<AuditReport> {
    audit::verify(&house.by_admin().await, range).await
}

async fn report(house: &TestTenant) -> AuditReport {
    verify(house, AuditRange::default()).await.unwrap()
}

/// Status, kind and number in a line.
fn line(report: &AuditReport) -> String {
    let found = report.first_divergence.as_ref();
    let found = found.map(|found| format!(" {} {}", found.kind, found.seq)).unwrap_or_default();
    format!("{}{found}", report.status.as_str())
}

/// Takes down every wall, and attacks one tenant; `$t` stands for its id.
async fn attack(world: &TestEnv, tenant: TenantId, sql: &str) {
    let sql = sql.replace("$t", &format!("'{tenant}'"));
    world
        .execute_as_superuser(&format!(
            "alter table audit_events disable trigger all; \
             alter table audit_checkpoints disable trigger all; \
             alter table audit_personal disable trigger all; {sql}"
        ))
        .await;
}

/// Attacks on the events, columns and side rows of a tenant, and what each is called.
const ATTACKS: [(&str, &str); 22] = [
    ("delete from audit_personal where tenant_id = $t", "intact"),
    (
        "update audit_events set event = replace(event, '.create', '.delete') \
         where tenant_id = $t and seq = 6",
        "tampered hash 6",
    ),
    (
        "update audit_events set hash = repeat('0', 64) where tenant_id = $t and seq = 6",
        "tampered hash 6",
    ),
    (
        "update audit_events set event = ' ' || event where tenant_id = $t and seq = 6",
        "tampered canonical 6",
    ),
    (
        "update audit_events set event = left(event, 30) where tenant_id = $t and seq = 6",
        "unreadable JSON_SYNTAX 6",
    ),
    (
        "update audit_events set action = 'other' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set actor_type = 'system' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set actor_id = 'other' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set object_type = 'other' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set object_id = 'other' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set event_id = gen_random_uuid() where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set occurred_at = occurred_at + interval '1 microsecond' \
         where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set occurred_at = 'infinity' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    (
        "update audit_events set prev = 'other' where tenant_id = $t and seq = 6",
        "tampered columns 6",
    ),
    ("delete from audit_events where tenant_id = $t and seq = 6", "tampered seq 6"),
    ("delete from audit_events where tenant_id = $t and seq >= 8", "tampered seq 8"),
    ("delete from audit_events where tenant_id = $t", "truncated checkpoint 7"),
    (
        "update tenant_heads set audit_hash = repeat('0', 64) where tenant_id = $t",
        "tampered hash 9",
    ),
    ("update tenant_heads set audit_seq = 8 where tenant_id = $t", "tampered seq 9"),
    (
        "update audit_checkpoints set hash = repeat('0', 64) where tenant_id = $t",
        "tampered checkpoint 7",
    ),
    ("update audit_checkpoints set seq = 10 where tenant_id = $t", "truncated checkpoint 10"),
    (
        "with two as (select seq, personal from audit_personal where tenant_id = $t and seq in (6, 7)) \
         update audit_personal p set personal = two.personal from two \
         where p.tenant_id = $t and p.seq in (6, 7) and p.seq <> two.seq",
        "tampered columns 6",
    ),
];

#[tokio::test]
async fn whatever_is_changed_in_the_store_is_found_and_named() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    for (number, (sql, expected)) in ATTACKS.into_iter().enumerate() {
        let house = house(&world, &mut checkpoints, &format!("house{number}")).await;
        assert_eq!(line(&report(&house).await), "intact");
        attack(&world, house.tenant, sql).await;
        let report = report(&house).await;
        assert_eq!(line(&report), expected, "{sql}");
        if let Some(found) = report.first_divergence {
            assert_ne!(found.expected, found.actual, "{sql}");
        }
    }
}

/// Makes the bytes of the events from 6 on another chain, each with its own hash, and moves the head
/// to its end.
const RECHAIN: &str = "
    do $body$
    declare
        link record;
        before text;
        bytes text;
    begin
        select hash into before from audit_events where tenant_id = $t and seq = 5;
        for link in select * from audit_events where tenant_id = $t and seq >= 6 order by seq loop
            bytes := replace(replace(link.event, link.prev, before), '.create', '.delete');
            before := encode(sha256(convert_to(bytes, 'UTF8')), 'hex');
            update audit_events set event = bytes, hash = before,
                action = replace(action, '.create', '.delete'),
                prev = (select hash from audit_events where tenant_id = $t and seq = link.seq - 1)
                where tenant_id = $t and seq = link.seq;
        end loop;
        update tenant_heads set audit_hash = before where tenant_id = $t;
    end
    $body$";

/// Cuts the log off after an event, and moves the head there.
fn cut_after(seq: u32) -> String {
    format!(
        "delete from audit_events where tenant_id = $t and seq > {seq}; \
         update tenant_heads set audit_seq = {seq}, audit_hash = coalesce((select hash from \
         audit_events where tenant_id = $t and seq = {seq}), '') where tenant_id = $t"
    )
}

#[tokio::test]
async fn a_log_that_was_written_anew_differs_from_its_checkpoint() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    let house = house(&world, &mut checkpoints, "house").await;
    attack(&world, house.tenant, RECHAIN).await;
    assert_eq!(line(&report(&house).await), "tampered checkpoint 7");
}

#[tokio::test]
async fn a_cut_that_the_head_hides_is_shown_by_the_checkpoint() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    let house = house(&world, &mut checkpoints, "house").await;
    attack(&world, house.tenant, &cut_after(7)).await;
    let unseen = report(&house).await;
    assert_eq!((&*line(&unseen), unseen.unanchored_tail), ("intact", 0), "8 and 9 had none yet");
    attack(&world, house.tenant, &cut_after(6)).await;
    let cut = report(&house).await;
    assert_eq!(line(&cut), "truncated checkpoint 7");
    assert_eq!((cut.head.seq, cut.unanchored_tail), (6, 0));
    attack(&world, house.tenant, &cut_after(0)).await;
    assert_eq!(line(&report(&house).await), "truncated checkpoint 7");
    // Whoever asks for an event that is gone is told so too.
    let gone = AuditRange { to_seq: Some(9), ..AuditRange::default() };
    assert_eq!(line(&verify(&house, gone).await.unwrap()), "truncated checkpoint 7");
}

#[tokio::test]
async fn two_events_in_one_place_are_a_fork() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    let twin = house(&world, &mut checkpoints, "twin").await;
    attack(
        &world,
        twin.tenant,
        "alter table audit_checkpoints drop constraint audit_checkpoints_tenant_id_seq_fkey; \
         alter table audit_events drop constraint audit_events_pkey, \
             drop constraint audit_events_unique_prev, drop constraint audit_events_unique_id; \
         insert into audit_events select * from audit_events where tenant_id = $t and seq = 6",
    )
    .await;
    assert_eq!(line(&report(&twin).await), "forked seq 6");

    let branch = house(&world, &mut checkpoints, "branch").await;
    attack(
        &world,
        branch.tenant,
        "insert into audit_events select tenant_id, 10, event_id, occurred_at, action, actor_type, \
             actor_id, object_type, object_id, replace(event, '\"seq\":6', '\"seq\":10'), \
             encode(sha256(convert_to(replace(event, '\"seq\":6', '\"seq\":10'), 'UTF8')), 'hex'), prev \
             from audit_events where tenant_id = $t and seq = 6; \
         update tenant_heads set audit_seq = 10, audit_hash = (select hash from audit_events \
             where tenant_id = $t and seq = 10) where tenant_id = $t",
    )
    .await;
    assert_eq!(line(&report(&branch).await), "forked prev 10");
}

#[tokio::test]
async fn events_in_the_wrong_place_are_found() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    let exchanged = |first: &str, second: &str| {
        format!(
            "update audit_events set {first}; update audit_events set {second}; \
             update audit_events set tenant_id = $t, seq = 6 where tenant_id = '{OTHER}'"
        )
    };
    let order = house(&world, &mut checkpoints, "order").await;
    let reordered = exchanged(
        &format!("tenant_id = '{OTHER}' where tenant_id = $t and seq = 7"),
        "seq = 7 where tenant_id = $t and seq = 6",
    );
    attack(&world, order.tenant, &reordered).await;
    assert_eq!(line(&report(&order).await), "tampered columns 6");

    let ours = house(&world, &mut checkpoints, "ours").await;
    let theirs = house(&world, &mut checkpoints, "theirs").await;
    let swapped = exchanged(
        &format!("tenant_id = '{OTHER}' where tenant_id = '{}' and seq = 6", theirs.tenant),
        &format!("tenant_id = '{}' where tenant_id = $t and seq = 6", theirs.tenant),
    );
    attack(&world, ours.tenant, &swapped).await;
    for house in [&ours, &theirs] {
        assert_eq!(line(&report(house).await), "tampered columns 6");
    }

    let inserted = house(&world, &mut checkpoints, "inserted").await;
    attack(
        &world,
        inserted.tenant,
        "insert into audit_events select tenant_id, 10, gen_random_uuid(), occurred_at, action, \
             actor_type, actor_id, object_type, object_id, event, hash, 'other' \
             from audit_events where tenant_id = $t and seq = 9",
    )
    .await;
    assert_eq!(line(&report(&inserted).await), "tampered seq 10", "the head knows nothing of it");
}

/// No tenant.
const OTHER: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn a_range_is_checked_with_what_it_hangs_on() {
    let (world, mut checkpoints) = (world().await, CheckpointWorker::default());
    let house = house(&world, &mut checkpoints, "house").await;
    let range = |from, to| AuditRange { from_seq: from, to_seq: to };
    let part = verify(&house, range(Some(4), Some(6))).await.unwrap();
    assert_eq!((&*line(&part), part.checked), ("intact", 3));
    assert_eq!(part.head.seq, 9);
    assert_eq!(part.last_checkpoint.as_ref().map(|last| last.seq), Some(7));
    assert_eq!(part.unanchored_tail, 2);
    for (from, to, path) in [
        (Some(10), None, "/from_seq"),
        (None, Some(10), "/to_seq"),
        (Some(10), Some(11), "/from_seq"),
    ] {
        let refused = verify(&house, range(from, to)).await;
        assert_eq!(said(&refused), "422 VALIDATION_ERROR", "{from:?} {to:?}");
        let problem = refused.unwrap_err().problem();
        assert!(problem.message.starts_with(path), "{}", problem.message);
    }

    attack(
        &world,
        house.tenant,
        "update audit_events set event = replace(event, '.create', '.delete') \
         where tenant_id = $t and seq = 5",
    )
    .await;
    let found = |report: Result<AuditReport>| line(&report.unwrap());
    assert_eq!(found(verify(&house, range(Some(7), None)).await), "intact");
    assert_eq!(found(verify(&house, range(Some(6), None)).await), "tampered prev 6");
    assert_eq!(found(verify(&house, range(None, Some(4))).await), "intact");
    let gone = "delete from audit_events where tenant_id = $t and seq = 5";
    attack(&world, house.tenant, gone).await;
    assert_eq!(found(verify(&house, range(Some(6), None)).await), "tampered seq 5");
}

#[tokio::test]
async fn every_256th_event_is_a_checkpoint() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    for number in 0..270 {
        house.record(&request(&number.to_string(), payment(1))).await.unwrap();
    }
    let whole = report(&house).await;
    assert_eq!(whole.status, AuditStatus::Intact);
    assert_eq!(whole.checked, whole.head.seq);
    let last = whole.last_checkpoint.unwrap();
    assert_eq!((last.seq, last.log_index), (256, None));
    assert_eq!(whole.unanchored_tail, whole.head.seq - 256);
    let stored = "select hash from audit_events where seq = 256";
    assert_eq!(world.texts(stored).await, [last.hash]);

    attack(&world, house.tenant, "delete from audit_checkpoints where tenant_id = $t").await;
    assert_eq!(line(&report(&house).await), "tampered checkpoint 256");
}

#[tokio::test]
async fn an_event_waits_five_minutes_for_a_checkpoint() {
    let world = world().await;
    let (governance, clock) = (&world.governance, world.governance.clock());
    let house = world.tenant("house").await;
    world.tenant("neighbour").await;
    let mut worker = CheckpointWorker::default();
    let seqs = format!(
        "select seq::text from audit_checkpoints where tenant_id = '{}' order by seq",
        house.tenant
    );
    clock.advance(FIVE_MINUTES_MS - 1);
    house.drafted(&spending("LATER", 1)).await;
    assert_eq!(worker.make(governance, clock.now()).await.unwrap(), 0);
    assert_eq!(world.texts(&seqs).await, [""; 0]);
    clock.advance(1);
    assert_eq!(worker.make(governance, clock.now()).await.unwrap(), 2, "one for each tenant");
    assert_eq!(world.texts(&seqs).await, ["5"], "it covers what came meanwhile");
    clock.advance(FIVE_MINUTES_MS);
    for mut worker in [worker, CheckpointWorker::default()] {
        assert_eq!(worker.make(governance, clock.now()).await.unwrap(), 0, "nothing is new");
    }
    let before = world.table_digests().await;
    assert_eq!(report(&house).await.unanchored_tail, 0);
    assert_eq!(world.table_digests().await, before, "to check is to write nothing");
}

#[tokio::test]
async fn a_check_beside_writers_raises_no_false_alarm() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let house = house.clone();
        writers.spawn(async move {
            for number in 0..20 {
                let asked = request(&format!("{writer}-{number}"), payment(1));
                house.record(&asked).await.unwrap();
            }
        });
    }
    let mut seen = Vec::new();
    while writers.try_join_next().is_none_or(|_| !writers.is_empty()) {
        let report = report(&house).await;
        assert_eq!(line(&report), "intact");
        assert_eq!(report.checked, report.head.seq);
        seen.push(report.head.seq);
    }
    assert!(seen.is_sorted());
    let last = report(&house).await;
    assert!(last.head.seq >= 80 && seen.first() < Some(&last.head.seq), "{seen:?}");
}

#[tokio::test]
async fn only_numbers_of_events_make_a_range() {
    for range in
        [r#"{"from_seq":0}"#, r#"{"to_seq":-1}"#, r#"{"from_seq":1.5}"#, r#"{"to_seq":"1"}"#]
    {
        assert_eq!(
            contract::read::body::<AuditRange>(&value(range)).unwrap_err().len(),
            1,
            "{range}"
        );
    }
    let turned = object([("from_seq", 3.into()), ("to_seq", 2.into())]);
    let errors = contract::read::body::<AuditRange>(&turned).unwrap_err();
    assert_eq!(errors[0].path, "/from_seq");
    let far: Value = object([("to_seq", value("9007199254740991"))]);
    assert_eq!(body::<AuditRange>(&far).to_seq, Some(9_007_199_254_740_991));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "holds a table from outside")]
async fn one_verification_of_a_log_runs_at_a_time_and_few_of_all_logs() {
    const WAITING: &str = "select count(*) from pg_stat_activity \
         where datname = current_database() and wait_event_type = 'Lock'";
    let world = world().await;
    let mut houses = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        houses.push(world.tenant(name).await);
    }
    let elsewhere = houses[0].in_process(&world.another_process(2).await);
    // No event can be read before the lock is released.
    let holder = world.superuser.begin().await.unwrap();
    holder.execute_unprepared("lock table audit_events in access exclusive mode").await.unwrap();
    let mut running = JoinSet::new();
    for (count, house) in houses[..4].iter().enumerate() {
        let cx = house.by_admin().await;
        running.spawn(async move { audit::verify(&cx, AuditRange::default()).await });
        while world.count(WAITING).await <= count {}
    }
    for house in [&houses[0], &elsewhere] {
        let refused = verify(house, AuditRange::default()).await;
        assert_eq!(said(&refused), "409 CONFLICT (VERIFICATION_RUNNING)");
        let details = refused.unwrap_err().problem().details.unwrap();
        assert_eq!(details.get("retry_after").map(Value::to_canonical).as_deref(), Some("5"));
    }
    assert_eq!(said(&verify(&houses[4], AuditRange::default()).await), "503 SERVICE_UNAVAILABLE");
    assert_eq!(world.count(WAITING).await, 4, "a quarter of the connections of the process");

    holder.rollback().await.unwrap();
    for report in running.join_all().await {
        assert_eq!(report.unwrap().status, AuditStatus::Intact);
    }
    for house in [&elsewhere, &houses[0], &houses[4]] {
        assert_eq!(report(house).await.status, AuditStatus::Intact);
    }
}
