//! Snapshots of policies: one for each content, in order, and as their rules were authored.

use contract::{
    decision::BatchItem,
    id::{PolicyId, SnapshotId},
    json::Value,
};
use governance::{
    authoring::policy::version,
    deciding::{decision, snapshot},
};
use receipt::{canonical_json::CanonicalJson, statement};
use tokio::task::JoinSet;

use crate::{
    fixtures::{
        TestEnv, TestTenant, body, decision_record, limit, object, payment, question, request,
        said, spending, text, value, with, world,
    },
    log,
    proof::policies,
};

/// Snapshots, and the events that tell of them.
async fn snapshots(world: &TestEnv, house: &TestTenant) -> (usize, usize) {
    let rows = world.count("select count(*) from policy_snapshots").await;
    let events = log::intact(world, house.tenant).await;
    let told = events.iter().filter(|entry| entry.action == "snapshot.append").count();
    (rows, told)
}

/// Records `context` under `key`, and returns the id of the snapshot.
async fn recorded(house: &TestTenant, key: &str, context: Value) -> SnapshotId {
    let outcome = house.record(&request(key, context)).await.unwrap();
    decision_record(&outcome.record).policy_snapshot_id
}

#[tokio::test]
async fn a_snapshot_is_appended_only_when_none_has_its_content() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    let everything = with(&spending("ALL", 100), "decision_types", value("[]"));
    let id = house.active_policy(&everything).await;
    for number in 0..5 {
        recorded(&house, &format!("first {number}"), payment(1)).await;
    }
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another type under the same policies has the same snapshot.
    let other = value(r#"{"decision_type":"refund","fields":{"amount":1}}"#);
    let first = recorded(&house, "same", payment(1)).await;
    let same = recorded(&house, "other type", other).await;
    assert_eq!(first, same);
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another version is another snapshot; the first version has its own again.
    let second = house.next_draft(id, &limit("LIMIT", 100)).await;
    house.ratified(id, second).await;
    house.activated(id, second).await.unwrap();
    let now = recorded(&house, "second", payment(1)).await;
    assert_ne!(first, now);
    house.activated(id, 1).await.unwrap();
    let again = recorded(&house, "again", payment(1)).await;
    assert_eq!(first, again);
    assert_eq!(snapshots(&world, &house).await, (2, 2));

    // A process that has seen nothing finds it too.
    let elsewhere = house.in_process(&world.another_process(2).await);
    assert_eq!(recorded(&elsewhere, "elsewhere", payment(1)).await, first);
    assert_eq!(snapshots(&world, &house).await, (2, 2));
}

#[tokio::test]
async fn evaluation_writes_nothing_and_names_the_snapshot_of_the_later_record() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    let mut ids = Vec::new();
    for code in ["A", "B", "C"] {
        ids.push(house.active_policy(&spending(code, 100)).await);
    }
    let narrowed = |ids: &[PolicyId]| {
        let ids: Value = ids.iter().map(ToString::to_string).collect();
        with(&question(payment(1)), "policy_ids", ids)
    };
    let before = world.table_digests().await;
    let all = house.evaluate(&question(payment(1))).await.unwrap().result;
    house.evaluate_text(&question(payment(1))).await.unwrap();
    let mut of_two = None;
    for one in 0..ids.len() {
        house.evaluate(&narrowed(&[ids[one]])).await.unwrap();
        let two = house.evaluate(&narrowed(&[ids[one], ids[(one + 1) % 3]])).await.unwrap();
        of_two.get_or_insert(two.result);
    }
    let context = value(r#"{"contexts":[{"decision_type":"payment","fields":{"amount":1}}]}"#);
    let batch = decision::evaluate_batch(&house.by_key().await, body(&context)).await.unwrap();
    let BatchItem::Result(batched) = &batch.items[0] else { panic!("it is decided") };
    assert_eq!(batched.policy_snapshot_id, all.policy_snapshot_id);
    let elsewhere = house.in_process(&world.another_process(2).await);
    let there = elsewhere.evaluate(&question(payment(1))).await.unwrap().result;
    assert_eq!(there.policy_snapshot_id, all.policy_snapshot_id);
    let missing = snapshot::read(&house.by_key().await, all.policy_snapshot_id).await;
    assert_eq!(said(&missing), "404 NOT_FOUND");
    assert_eq!(world.table_digests().await, before);

    // The record stores the snapshot under the id that is known already.
    assert_eq!(recorded(&house, "all", payment(1)).await, all.policy_snapshot_id);
    assert_eq!(snapshots(&world, &house).await, (1, 1));
    let two = with(&narrowed(&ids[..2]), "idempotency_key", "two");
    let two = decision_record(&house.record(&two).await.unwrap().record);
    let of_two = of_two.unwrap();
    assert_eq!(two.policy_snapshot_id, of_two.policy_snapshot_id);
    assert_eq!(two.result.integrity_hash, of_two.integrity_hash);
    for (id, digest) in [
        (all.policy_snapshot_id, all.policy_snapshot_digest),
        (of_two.policy_snapshot_id, of_two.policy_snapshot_digest),
    ] {
        let digest = digest.unwrap();
        assert_eq!(id, statement::snapshot_id(house.tenant, digest.parse().unwrap()));
        let stored = snapshot::read(&house.by_key().await, id).await.unwrap();
        assert_eq!(stored.digest, digest);
    }
    assert_eq!(snapshots(&world, &house).await, (2, 2));
}

#[tokio::test]
async fn a_snapshot_that_was_stored_under_a_random_id_keeps_it() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    house.active_policy(&spending("PAY", 100)).await;
    let derived = house.evaluate(&question(payment(1))).await.unwrap().result;
    let stored = "a0000000-0000-4000-8000-000000000001";
    let row = format!(
        "insert into policy_snapshots values ('{}', '{stored}', '{}', '{{\"policies\":[]}}', '-', now())",
        house.tenant,
        derived.policy_snapshot_digest.unwrap(),
    );
    world.execute_as_superuser(&row).await;
    // A process that has the policies in memory, and one that has not.
    let elsewhere = house.in_process(&world.another_process(2).await);
    let there = elsewhere.evaluate(&question(payment(1))).await.unwrap().result;
    assert_eq!(there.policy_snapshot_id.to_string(), stored);
    assert_eq!(there.integrity_hash, derived.integrity_hash);
    assert_eq!(recorded(&house, "here", payment(1)).await.to_string(), stored);
    assert_eq!(recorded(&elsewhere, "there", payment(1)).await.to_string(), stored);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn first_records_at_once_append_one_snapshot() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    house.active_policy(&spending("PAY", 100)).await;
    let mut at_once = JoinSet::new();
    for seed in 2..6 {
        let process = house.in_process(&world.another_process(seed).await);
        for number in 0..8 {
            let process = process.clone();
            let key = format!("{seed} {number}");
            at_once.spawn(async move { recorded(&process, &key, payment(1)).await });
        }
    }
    let seen = at_once.join_all().await;
    assert!(seen.iter().all(|other| *other == seen[0]));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn processes_that_all_see_no_snapshot_append_one() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    house.active_policy(&spending("PAY", 100)).await;
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(house.in_process(&world.another_process(seed).await));
    }
    let acts = processes.into_iter().enumerate().map(|(number, process)| async move {
        recorded(&process, &number.to_string(), payment(1)).await
    });
    let seen = world.with_head_locked(acts).await;
    assert!(seen.iter().all(|other| *other == seen[0]));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn a_snapshot_holds_the_policies_of_the_request_in_order_and_no_others() {
    let world = world().await;
    let house = world.tenant("snapshots").await;
    let mut ids = Vec::new();
    for (code, types) in
        [("b", r#"["payment"]"#), ("C", r#"["payment","x"]"#), ("a", "[]"), ("D", r#"["x"]"#)]
    {
        let policy = with(&spending(code, 100), "decision_types", value(types));
        ids.push(house.active_policy(&policy).await);
    }
    house.drafted(&spending("E-DRAFT", 1)).await;
    let seen = house.evaluate(&question(payment(1))).await.unwrap();
    let codes = |seen: &contract::decision::EvaluateResponse| {
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
    assert!(world.texts("select body from policy_snapshots").await.is_empty());
    for (number, asked) in [question(payment(1)), narrowed(&[ids[0], ids[2]])].iter().enumerate() {
        house.record(&with(asked, "idempotency_key", number.to_string())).await.unwrap();
    }
    let refused = with(&narrowed(&[ids[3]]), "idempotency_key", "refused");
    assert_eq!(said(&house.record(&refused).await), "404 NO_ACTIVE_POLICIES");
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
    let house = world.tenant("rules").await;
    let rules = value(
        r#"[{"severity":"low","code":"Z","rule_type":"presence","name":"é","is_active":true,
             "condition":{"min_length":{"b":2,"a":1.0}},"source_ref":{"section":"1"}},
            {"code":"A","rule_type":"list","severity":"high","is_active":false,
             "condition":{"field":"f","allowed":[1,"1",true]}}]"#,
    );
    let id = house.active_policy(&with(&spending("PAY", 1), "rules", rules.clone())).await;
    recorded(&house, "k", payment(1)).await;
    let kept = world.texts("select rules from policy_versions").await.concat();
    assert_eq!(kept, rules.to_canonical());
    let [policy] = &policies(&world.texts("select body from policy_snapshots").await.concat())[..]
    else {
        panic!("one policy is in force")
    };
    assert_eq!(policy.get("rules"), Some(&rules), "order and members are the author's");
    let by_hand = object([("schema", "service-policy-rules/v1".into()), ("rules", rules)]);
    let version = version::read(&house.by_key().await, id, 1).await.unwrap();
    assert_eq!(version.rules_digest, CanonicalJson::from_value(&by_hand).digest.to_string());
}
