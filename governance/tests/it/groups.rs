//! Records are written in groups: whoever is in a group gets what it would get alone.

use std::collections::BTreeSet;

use governance::{Cx, authoring::policy, deciding::decision::RecordResult};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::task::JoinHandle;

use crate::{
    connection_loss,
    fixtures::{
        TestEnv, TestTenant, body, object, payment, record, request, said, spending, with, world,
    },
    log,
};

/// A tenant whose next record waits for nothing but its group.
async fn warm(world: &TestEnv, name: &str) -> TestTenant {
    let house = world.tenant(name).await;
    house.active_policy(&spending("PAY", 100)).await;
    house.record(&request("warm", payment(1))).await.unwrap();
    house
}

/// Starts to record for each key. Where there is one thread, the calls reach the queue one after the
/// other, before the first group is taken from it.
async fn queued(
    house: &TestTenant,
    keys: &[&str],
) -> Vec<JoinHandle<governance::Result<RecordResult>>> {
    let mut calls: Vec<(Cx, &str)> = Vec::new();
    for key in keys {
        calls.push((house.by_key().await, key));
    }
    let spawn = |(cx, key): (Cx, &str)| {
        let asked = request(key, payment(1));
        tokio::spawn(async move { record(&cx, &asked).await })
    };
    calls.into_iter().map(spawn).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_over_tenants_and_processes_lose_nothing_and_leave_no_gap() {
    let world = world().await;
    let mut houses = Vec::new();
    for number in 0..8 {
        houses.push(warm(&world, &format!("house-{number}")).await);
    }
    let processes = [world.another_process(2).await, world.another_process(3).await];
    let mut writers = Vec::new();
    for writer in 0..64 {
        let house = houses[writer % 8].in_process(&processes[writer / 8 % 2]);
        writers.push(tokio::spawn(async move {
            let mut ids = Vec::new();
            for number in 0..3 {
                let key = format!("{writer}-{number}");
                let outcome = house.record(&request(&key, payment(1))).await.unwrap();
                assert!(outcome.is_new);
                ids.push(outcome.id.to_string());
            }
            (house.tenant, ids)
        }));
    }
    let mut answered = BTreeSet::new();
    for writer in writers {
        let (tenant, ids) = writer.await.unwrap();
        answered.extend(ids.into_iter().map(|id| (tenant, id)));
    }
    assert_eq!(answered.len(), 64 * 3);
    for house in &houses {
        let log = log::intact(&world, house.tenant).await;
        let told = log.into_iter().filter(|entry| entry.action == "decision.record");
        let told: BTreeSet<_> = told.map(|entry| entry.object_id).collect();
        let own = answered.iter().filter(|(tenant, _)| *tenant == house.tenant);
        assert!(own.clone().all(|(_, id)| told.contains(id)));
        assert_eq!(told.len(), own.count() + 1, "and the one that came before");
    }
}

#[tokio::test]
async fn a_bad_member_harms_no_other() {
    let world = world().await;
    let houses = [warm(&world, "one").await, warm(&world, "two").await];
    world
        .execute_as_superuser(
            "alter table decisions add check (idempotency_key <> 'bad') not valid",
        )
        .await;
    let mut calls = queued(&houses[0], &["a", "bad", "b"]).await;
    calls.extend(queued(&houses[1], &["a", "b"]).await);
    let mut endings = Vec::new();
    for call in calls {
        endings.push(said(&call.await.unwrap()));
    }
    assert_eq!(endings, ["done", "500 INTERNAL_ERROR", "done", "done", "done"]);
    for house in &houses {
        log::intact(&world, house.tenant).await;
    }
    assert_eq!(world.count("select count(*) from decisions").await, 2 + 4);
}

#[tokio::test]
async fn of_equal_keys_in_one_group_the_first_wins_and_the_others_are_repeats() {
    let world = world().await;
    let house = warm(&world, "house").await;
    let other = with(&request("k", payment(1)), "actor", object([("id", "a".into())]));
    let cx = house.by_key().await;
    let mut calls = queued(&house, &["k", "l", "k", "k"]).await;
    calls.push(tokio::spawn(async move { record(&cx, &other).await }));
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    assert_eq!(said(&answers.pop().unwrap()), "422 IDEMPOTENCY_KEY_REUSED");
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let new: Vec<_> = answers.iter().map(|answer| answer.is_new).collect();
    assert_eq!(new, [true, true, false, false]);
    for repeat in &answers[2..] {
        assert_eq!((repeat.id, &repeat.record), (answers[0].id, &answers[0].record));
    }
    assert_eq!(world.count("select count(*) from decisions").await, 3);
    log::intact(&world, house.tenant).await;
}

#[tokio::test]
async fn a_tenant_whose_head_is_held_keeps_nobody_else_waiting() {
    let world = world().await;
    let (slow, quick) = (warm(&world, "slow").await, warm(&world, "quick").await);
    #[expect(clippy::disallowed_methods, reason = "holds a row from outside")]
    let hold = world.superuser.begin().await.unwrap();
    let lock = format!("select from tenant_heads where tenant_id = '{}' for update", slow.tenant);
    hold.execute_unprepared(&lock).await.unwrap();
    let waiting = queued(&slow, &["a", "b"]).await;
    for call in queued(&quick, &["a", "b"]).await {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    assert!(waiting.iter().all(|call| !call.is_finished()));
    hold.commit().await.unwrap();
    for call in waiting {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    log::intact(&world, slow.tenant).await;
}

#[tokio::test]
async fn a_caller_who_leaves_takes_nobody_along() {
    let world = world().await;
    let house = warm(&world, "house").await;
    let cx = house.by_key().await;
    let others = queued(&house, &["b", "c"]).await;
    // It is the first in the queue, so that its call is the one that starts the group.
    assert!(connection_loss::after(1, record(&cx, &request("a", payment(1)))).await.is_none());
    for call in others {
        assert!(call.await.unwrap().unwrap().is_new);
    }
    // What it asked for was under way: asked again, it is answered from the store.
    let again = house.record(&request("a", payment(1))).await.unwrap();
    assert!(!again.is_new);
    assert_eq!(world.count("select count(*) from decisions").await, 4);
    log::intact(&world, house.tenant).await;
}

#[tokio::test]
async fn a_head_that_another_act_has_moved_is_followed() {
    let world = world().await;
    let house = warm(&world, "house").await;
    let elsewhere = house.in_process(&world.another_process(2).await);
    for number in 0..4 {
        let new = body(&spending(&format!("PAY-{number}"), 1));
        policy::create(&house.by_author().await, new).await.unwrap();
        let here = house.record(&request(&format!("here-{number}"), payment(1))).await.unwrap();
        let key = format!("there-{number}");
        let there = elsewhere.record(&request(&key, payment(1))).await.unwrap();
        assert!(here.is_new && there.is_new);
    }
    let log = log::intact(&world, house.tenant).await;
    let last: Vec<_> = log.iter().rev().take(3).map(|entry| &*entry.action).collect();
    assert_eq!(last, ["decision.record", "decision.record", "policy.create"]);
}

#[tokio::test]
async fn a_decision_that_is_outdated_again_and_again_is_made_while_activations_wait() {
    /// Each transaction finds another count of activations, and the same one until it ends.
    const STORM: &str = "alter table tenant_heads rename to heads; \
         create view tenant_heads as select tenant_id, audit_seq, audit_hash, ancestors, \
         pg_current_xact_id()::text::bigint as activation_counter from heads; \
         grant select, update on tenant_heads to govern_app";
    let world = world().await;
    let house = warm(&world, "storm").await;
    world.execute_as_superuser(STORM).await;
    let house = house.in_process(&world.another_process(2).await);
    let outcome = house.record(&request("k", payment(1))).await.unwrap();
    assert!(outcome.is_new);
    let again = house.record(&request("k", payment(1))).await.unwrap();
    assert_eq!((again.is_new, again.record), (false, outcome.record));
    world
        .execute_as_superuser("drop view tenant_heads; alter table heads rename to tenant_heads")
        .await;
    log::intact(&world, house.tenant).await;
}
