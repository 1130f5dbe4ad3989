//! Group commits: each record of a group gets the result that it would get alone.

use std::collections::BTreeSet;

use governance::{authoring::policy, deciding::decision::RecordResult};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::task::JoinHandle;

use crate::{connection_loss, log, prelude::*};

/// Creates a tenant with a stored snapshot, so that its next record waits only for its group.
async fn tenant_with_snapshot(env: &TestEnv, name: &str) -> TestTenant {
    let tenant = env.tenant(name).await;
    tenant.active_policy(&spending("PAY", 100)).await;
    tenant.record(&request("warm", payment(1))).await.unwrap();
    tenant
}

/// Starts to record under each key. With one thread, the calls are queued in this order before the
/// first group is taken from the queue.
async fn enqueue(
    tenant: &TestTenant,
    keys: &[&str],
) -> Vec<JoinHandle<governance::Result<RecordResult>>> {
    let mut calls: Vec<(Cx, &str)> = Vec::new();
    for key in keys {
        calls.push((tenant.key_cx().await, key));
    }
    let spawn = |(cx, key): (Cx, &str)| {
        let request = request(key, payment(1));
        tokio::spawn(async move { record(&cx, &request).await })
    };
    calls.into_iter().map(spawn).collect()
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_writers_of_many_tenants_and_processes_lose_no_record(env: TestEnv) {
    let mut tenants = Vec::new();
    for number in 0..8 {
        tenants.push(tenant_with_snapshot(&env, &format!("acme-{number}")).await);
    }
    let processes = [env.another_process(2).await, env.another_process(3).await];
    let mut writers = Vec::new();
    for writer in 0..64 {
        let tenant = tenants[writer % 8].in_process(&processes[writer / 8 % 2]);
        writers.push(tokio::spawn(async move {
            let mut ids = Vec::new();
            for number in 0..3 {
                let key = format!("{writer}-{number}");
                let result = tenant.record(&request(&key, payment(1))).await.unwrap();
                assert!(result.is_new);
                ids.push(result.id.to_string());
            }
            (tenant.tenant, ids)
        }));
    }
    let mut recorded_ids = BTreeSet::new();
    for writer in writers {
        let (tenant_id, ids) = writer.await.unwrap();
        recorded_ids.extend(ids.into_iter().map(|id| (tenant_id, id)));
    }
    assert_eq!(recorded_ids.len(), 64 * 3);
    for tenant in &tenants {
        let log = log::verified_entries(&env, tenant.tenant).await;
        let logged_ids = log.into_iter().filter(|entry| entry.action == "decision.record");
        let logged_ids: BTreeSet<_> = logged_ids.map(|entry| entry.object_id).collect();
        let expected = recorded_ids.iter().filter(|(tenant_id, _)| *tenant_id == tenant.tenant);
        assert!(expected.clone().all(|(_, id)| logged_ids.contains(id)));
        assert_eq!(
            logged_ids.len(),
            expected.count() + 1,
            "and the record that stored the snapshot"
        );
    }
}

#[testkit::test]
async fn a_failing_record_does_not_affect_other_records_of_its_group(env: TestEnv) {
    let tenants =
        [tenant_with_snapshot(&env, "one").await, tenant_with_snapshot(&env, "two").await];
    env.execute_as_superuser(
        "alter table decisions add check (idempotency_key <> 'bad') not valid",
    )
    .await;
    let mut calls = enqueue(&tenants[0], &["a", "bad", "b"]).await;
    calls.extend(enqueue(&tenants[1], &["a", "b"]).await);
    let mut results = Vec::new();
    for call in calls {
        results.push(result_summary(&call.await.unwrap()));
    }
    assert_eq!(results, ["done", "500 INTERNAL_ERROR", "done", "done", "done"]);
    for tenant in &tenants {
        log::verified_entries(&env, tenant.tenant).await;
    }
    assert_eq!(env.count("select count(*) from decisions").await, 2 + 4);
}

#[testkit::test]
async fn equal_keys_in_one_group_create_one_record_and_repeats_of_it(env: TestEnv) {
    let tenant = tenant_with_snapshot(&env, "acme").await;
    let other = with(&request("k", payment(1)), "actor", object([("id", "a".into())]));
    let cx = tenant.key_cx().await;
    let mut calls = enqueue(&tenant, &["k", "l", "k", "k"]).await;
    calls.push(tokio::spawn(async move { record(&cx, &other).await }));
    let mut results = Vec::new();
    for call in calls {
        results.push(call.await.unwrap());
    }
    assert_eq!(result_summary(&results.pop().unwrap()), "422 IDEMPOTENCY_KEY_REUSED");
    let results: Vec<_> = results.into_iter().map(Result::unwrap).collect();
    let new: Vec<_> = results.iter().map(|result| result.is_new).collect();
    assert_eq!(new, [true, true, false, false]);
    for repeat in &results[2..] {
        assert_eq!((repeat.id, &repeat.record), (results[0].id, &results[0].record));
    }
    assert_eq!(env.count("select count(*) from decisions").await, 3);
    log::verified_entries(&env, tenant.tenant).await;
}

#[testkit::test]
async fn a_locked_tenant_head_does_not_delay_other_tenants(env: TestEnv) {
    let (slow, quick) =
        (tenant_with_snapshot(&env, "slow").await, tenant_with_snapshot(&env, "quick").await);
    #[expect(clippy::disallowed_methods, reason = "locks a row from outside the service")]
    let tx = env.superuser.begin().await.unwrap();
    let lock = format!("select from tenant_heads where tenant_id = '{}' for update", slow.tenant);
    tx.execute_unprepared(&lock).await.unwrap();
    let waiting = enqueue(&slow, &["a", "b"]).await;
    for call in enqueue(&quick, &["a", "b"]).await {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    assert!(waiting.iter().all(|call| !call.is_finished()));
    tx.commit().await.unwrap();
    for call in waiting {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    log::verified_entries(&env, slow.tenant).await;
}

#[testkit::test]
async fn dropping_a_request_does_not_affect_others_of_its_group(env: TestEnv) {
    let tenant = tenant_with_snapshot(&env, "acme").await;
    let cx = tenant.key_cx().await;
    let others = enqueue(&tenant, &["b", "c"]).await;
    // This request is the first in the queue, so its call starts the group.
    assert!(
        connection_loss::cancel_after_polls(1, record(&cx, &request("a", payment(1))))
            .await
            .is_none()
    );
    for call in others {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    // Its record is written nevertheless: a repeat returns the stored record.
    let repeat = tenant.record(&request("a", payment(1))).await.unwrap();
    assert!(!repeat.is_new);
    assert_eq!(env.count("select count(*) from decisions").await, 4);
    log::verified_entries(&env, tenant.tenant).await;
}

#[testkit::test]
async fn records_continue_from_a_head_that_other_writers_moved(env: TestEnv) {
    let tenant = tenant_with_snapshot(&env, "acme").await;
    let other_process = tenant.in_process(&env.another_process(2).await);
    for number in 0..4 {
        let new = body(&spending(&format!("PAY-{number}"), 1));
        policy::create(&tenant.author_cx().await, new).await.unwrap();
        let first = tenant.record(&request(&format!("here-{number}"), payment(1))).await.unwrap();
        let key = format!("there-{number}");
        let second = other_process.record(&request(&key, payment(1))).await.unwrap();
        assert!(first.is_new && second.is_new);
    }
    let log = log::verified_entries(&env, tenant.tenant).await;
    let last: Vec<_> = log.iter().rev().take(3).map(|entry| &*entry.action).collect();
    assert_eq!(last, ["decision.record", "decision.record", "policy.create"]);
}

#[tokio::test]
async fn a_repeatedly_outdated_decision_is_recorded_while_activations_wait() {
    /// Gives each transaction a different activation counter, which is constant within it.
    const CHANGING_COUNTER: &str = "alter table tenant_heads rename to heads; \
         create view tenant_heads as select tenant_id, audit_seq, audit_hash, ancestors, \
         pg_current_xact_id()::text::bigint as activation_counter from heads; \
         grant select, update on tenant_heads to govern_app";
    let env = test_env().await;
    let tenant = tenant_with_snapshot(&env, "acme").await;
    env.execute_as_superuser(CHANGING_COUNTER).await;
    let tenant = tenant.in_process(&env.another_process(2).await);
    let result = tenant.record(&request("k", payment(1))).await.unwrap();
    assert!(result.is_new);
    let repeat = tenant.record(&request("k", payment(1))).await.unwrap();
    assert_eq!((repeat.is_new, repeat.record), (false, result.record));
    env.execute_as_superuser("drop view tenant_heads; alter table heads rename to tenant_heads")
        .await;
    log::verified_entries(&env, tenant.tenant).await;
}
