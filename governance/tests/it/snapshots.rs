//! Snapshots of policies: one for each content, in order, and as their rules were authored.

use contract::{id::PolicyId, json::Value};
use governance::policy::version;
use receipt::canon::Canonical;
use tokio::task::JoinSet;

use crate::{
    log,
    proof::policies,
    world::{
        House, World, limit, object, payment, question, said, spending, text, value, with, world,
    },
};

/// Snapshots, and the events that tell of them.
async fn snapshots(world: &World, house: &House) -> (usize, usize) {
    let rows = world.count("select count(*) from policy_snapshots").await;
    let events = log::intact(world, house.tenant).await;
    let told = events.iter().filter(|entry| entry.action == "snapshot.append").count();
    (rows, told)
}

#[tokio::test]
async fn a_snapshot_is_appended_only_when_none_has_its_content() {
    let world = world().await;
    let house = world.house("snapshots").await;
    let everything = with(&spending("ALL", 100), "decision_types", value("[]"));
    let id = house.in_force(&everything).await;
    for _ in 0..5 {
        house.evaluate(&question(payment(1))).await.unwrap();
    }
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another type under the same policies has the same snapshot.
    let other = value(r#"{"decision_type":"refund","fields":{"amount":1}}"#);
    let first = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    let same = house.evaluate(&question(other)).await.unwrap().result.policy_snapshot_id;
    assert_eq!(first, same);
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another version is another snapshot; the first version has its own again.
    let second = house.next_draft(id, &limit("LIMIT", 100)).await;
    house.ratified(id, second).await;
    house.activated(id, second).await.unwrap();
    let now = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    assert_ne!(first, now);
    house.activated(id, 1).await.unwrap();
    let again = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    assert_eq!(first, again);
    assert_eq!(snapshots(&world, &house).await, (2, 2));

    // A process that has seen nothing finds it too.
    let elsewhere = house.in_process(&world.another_process(2).await);
    let found = elsewhere.evaluate(&question(payment(1))).await.unwrap();
    assert_eq!(found.result.policy_snapshot_id, first);
    assert_eq!(snapshots(&world, &house).await, (2, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn first_evaluations_at_once_append_one_snapshot() {
    let world = world().await;
    let house = world.house("snapshots").await;
    house.in_force(&spending("PAY", 100)).await;
    let mut at_once = JoinSet::new();
    for seed in 2..6 {
        let process = house.in_process(&world.another_process(seed).await);
        for _ in 0..8 {
            let process = process.clone();
            at_once.spawn(async move { process.evaluate(&question(payment(1))).await.unwrap() });
        }
    }
    let seen = at_once.join_all().await;
    let first = &seen[0].result;
    assert!(seen.iter().all(|other| &other.result == first));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn processes_that_all_see_no_snapshot_append_one() {
    let world = world().await;
    let house = world.house("snapshots").await;
    house.in_force(&spending("PAY", 100)).await;
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(house.in_process(&world.another_process(seed).await));
    }
    let acts = processes
        .into_iter()
        .map(|process| async move { process.evaluate(&question(payment(1))).await.unwrap() });
    let seen = world.held_up(acts).await;
    assert!(seen.iter().all(|other| other.result == seen[0].result));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn a_snapshot_holds_the_policies_of_the_request_in_order_and_no_others() {
    let world = world().await;
    let house = world.house("snapshots").await;
    let mut ids = Vec::new();
    for (code, types) in
        [("b", r#"["payment"]"#), ("C", r#"["payment","x"]"#), ("a", "[]"), ("D", r#"["x"]"#)]
    {
        let policy = with(&spending(code, 100), "decision_types", value(types));
        ids.push(house.in_force(&policy).await);
    }
    house.drafted(&spending("E-DRAFT", 1)).await;
    let seen = house.evaluate(&question(payment(1))).await.unwrap();
    let codes = |seen: &contract::decision::Evaluated| {
        let policies = seen.evaluated_policies.iter();
        policies.map(|policy| policy.policy_code.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(codes(&seen), "C a b", "by the bytes of the code");

    let narrowed = |ids: &[PolicyId]| {
        let ids: Value = ids.iter().map(ToString::to_string).collect();
        with(&question(payment(1)), "policy_ids", ids)
    };
    let two = house.evaluate(&narrowed(&[ids[0], ids[2]])).await.unwrap();
    assert_eq!(codes(&two), "a b");
    assert_ne!(two.result.policy_snapshot_id, seen.result.policy_snapshot_id);
    let none = house.evaluate(&narrowed(&[ids[3]])).await;
    assert_eq!(said(&none), "404 NO_ACTIVE_POLICIES", "it governs another type");
    let bodies = world.texts("select body from policy_snapshots").await;
    for body in &bodies {
        let codes: Vec<_> = policies(body).iter().map(|p| text(p, "code").to_owned()).collect();
        assert!(codes.is_sorted(), "{codes:?}");
    }
    assert_eq!(bodies.len(), 2, "a refused request appends nothing");
}

#[tokio::test]
async fn rules_are_kept_as_they_were_authored() {
    let world = world().await;
    let house = world.house("rules").await;
    let rules = value(
        r#"[{"severity":"low","code":"Z","rule_type":"presence","name":"é","is_active":true,
             "condition":{"min_length":{"b":2,"a":1.0}},"source_ref":{"section":"1"}},
            {"code":"A","rule_type":"list","severity":"high","is_active":false,
             "condition":{"field":"f","allowed":[1,"1",true]}}]"#,
    );
    let id = house.in_force(&with(&spending("PAY", 1), "rules", rules.clone())).await;
    house.evaluate(&question(payment(1))).await.unwrap();
    let kept = world.texts("select rules from policy_versions").await.concat();
    assert_eq!(kept, rules.to_canonical());
    let [policy] = &policies(&world.texts("select body from policy_snapshots").await.concat())[..]
    else {
        panic!("one policy is in force")
    };
    assert_eq!(policy.get("rules"), Some(&rules), "order and members are the author's");
    let by_hand = object([("schema", "service-policy-rules/v1".into()), ("rules", rules)]);
    let version = version::read(&house.by_key().await, id, 1).await.unwrap();
    assert_eq!(version.rules_digest, Canonical::of(&by_hand).digest.to_string());
}
