//! Policy snapshots: one for each set of versions, ordered by policy code, with the rules as
//! authored.

use contract::{decision::BatchItem, id::SnapshotId};
use governance::{
    authoring::policy::version,
    deciding::{decision, snapshot},
};
use receipt::{canonical_json::CanonicalJson, statement};

use crate::{log, prelude::*, proof::snapshot_policies};

/// Counts the stored snapshots and their audit events.
async fn count_snapshots(env: &TestEnv, tenant: &TestTenant) -> (usize, usize) {
    let rows = env.count("select count(*) from policy_snapshots").await;
    let events = log::verified_entries(env, tenant.tenant).await;
    let event_count = events.iter().filter(|entry| entry.action == "snapshot.append").count();
    (rows, event_count)
}

/// Records `context` under `key` and returns the ID of the snapshot.
async fn record_snapshot_id(tenant: &TestTenant, key: &str, context: Value) -> SnapshotId {
    let recorded = tenant.record(&request(key, context)).await.unwrap();
    decision_record(&recorded.record).policy_snapshot_id
}

#[testkit::test]
async fn snapshot_is_appended_only_for_new_content(env: TestEnv) {
    let tenant = env.tenant("snapshots").await;
    let all_types = with(&spending("ALL", 100), "decision_types", value("[]"));
    let id = tenant.active_policy(&all_types).await;
    for number in 0..5 {
        record_snapshot_id(&tenant, &format!("first {number}"), payment(1)).await;
    }
    assert_eq!(count_snapshots(&env, &tenant).await, (1, 1));

    // Another decision type with the same policies has the same snapshot.
    let other = value(r#"{"decision_type":"refund","fields":{"amount":1}}"#);
    let first = record_snapshot_id(&tenant, "same", payment(1)).await;
    let same = record_snapshot_id(&tenant, "other type", other).await;
    assert_eq!(first, same);
    assert_eq!(count_snapshots(&env, &tenant).await, (1, 1));

    // Another version has another snapshot. Activating the first version again reuses its snapshot.
    let second = tenant.next_draft(id, &limit("LIMIT", 100)).await;
    tenant.ratify(id, second).await;
    tenant.activate(id, second).await.unwrap();
    let second_id = record_snapshot_id(&tenant, "second", payment(1)).await;
    assert_ne!(first, second_id);
    tenant.activate(id, 1).await.unwrap();
    let reactivated = record_snapshot_id(&tenant, "reactivated", payment(1)).await;
    assert_eq!(first, reactivated);
    assert_eq!(count_snapshots(&env, &tenant).await, (2, 2));

    // A process with an empty cache finds the same snapshot.
    let other_process = tenant.in_process(&env.another_process(2).await);
    assert_eq!(record_snapshot_id(&other_process, "other process", payment(1)).await, first);
    assert_eq!(count_snapshots(&env, &tenant).await, (2, 2));
}

#[testkit::test]
async fn evaluation_writes_nothing_and_names_the_snapshot_of_the_later_record(env: TestEnv) {
    let tenant = env.tenant("snapshots").await;
    let mut ids = Vec::new();
    for code in ["A", "B", "C"] {
        ids.push(tenant.active_policy(&spending(code, 100)).await);
    }
    let narrowed = |ids: &[PolicyId]| {
        let ids: Value = ids.iter().map(ToString::to_string).collect();
        with(&evaluate_request(payment(1)), "policy_ids", ids)
    };
    let before = env.table_digests().await;
    let all = tenant.evaluate(&evaluate_request(payment(1))).await.unwrap().result;
    tenant.evaluate_text(&evaluate_request(payment(1))).await.unwrap();
    let mut first_two = None;
    for index in 0..ids.len() {
        tenant.evaluate(&narrowed(&[ids[index]])).await.unwrap();
        let two = tenant.evaluate(&narrowed(&[ids[index], ids[(index + 1) % 3]])).await.unwrap();
        first_two.get_or_insert(two.result);
    }
    let context = value(r#"{"contexts":[{"decision_type":"payment","fields":{"amount":1}}]}"#);
    let batch = decision::evaluate_batch(&tenant.key_cx().await, body(&context)).await.unwrap();
    let BatchItem::Result(batched) = &batch.items[0] else { panic!("the item has no result") };
    assert_eq!(batched.policy_snapshot_id, all.policy_snapshot_id);
    let other_process = tenant.in_process(&env.another_process(2).await);
    let result = other_process.evaluate(&evaluate_request(payment(1))).await.unwrap().result;
    assert_eq!(result.policy_snapshot_id, all.policy_snapshot_id);
    let missing = snapshot::read(&tenant.key_cx().await, all.policy_snapshot_id).await;
    assert_eq!(result_summary(&missing), "404 NOT_FOUND");
    assert_eq!(env.table_digests().await, before);

    // Recording stores the snapshot under the ID that the evaluation returned.
    assert_eq!(record_snapshot_id(&tenant, "all", payment(1)).await, all.policy_snapshot_id);
    assert_eq!(count_snapshots(&env, &tenant).await, (1, 1));
    let two = with(&narrowed(&ids[..2]), "idempotency_key", "two");
    let two = decision_record(&tenant.record(&two).await.unwrap().record);
    let first_two = first_two.unwrap();
    assert_eq!(two.policy_snapshot_id, first_two.policy_snapshot_id);
    assert_eq!(two.result.integrity_hash, first_two.integrity_hash);
    for (id, digest) in [
        (all.policy_snapshot_id, all.policy_snapshot_digest),
        (first_two.policy_snapshot_id, first_two.policy_snapshot_digest),
    ] {
        let digest = digest.unwrap();
        assert_eq!(id, statement::snapshot_id(tenant.tenant, digest.parse().unwrap()));
        let stored = snapshot::read(&tenant.key_cx().await, id).await.unwrap();
        assert_eq!(stored.digest, digest);
    }
    assert_eq!(count_snapshots(&env, &tenant).await, (2, 2));
}

#[testkit::test]
async fn snapshot_stored_under_a_random_id_retains_it(env: TestEnv) {
    let tenant = env.tenant("snapshots").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let derived = tenant.evaluate(&evaluate_request(payment(1))).await.unwrap().result;
    let stored = "a0000000-0000-4000-8000-000000000001";
    let row = format!(
        "insert into policy_snapshots values ('{}', '{stored}', '{}', '{{\"policies\":[]}}', '-', now())",
        tenant.tenant,
        derived.policy_snapshot_digest.unwrap(),
    );
    env.execute_as_superuser(&row).await;
    // Tests a process with the policies in its cache, and one without.
    let other_process = tenant.in_process(&env.another_process(2).await);
    let result = other_process.evaluate(&evaluate_request(payment(1))).await.unwrap().result;
    assert_eq!(result.policy_snapshot_id.to_string(), stored);
    assert_eq!(result.integrity_hash, derived.integrity_hash);
    assert_eq!(record_snapshot_id(&tenant, "first process", payment(1)).await.to_string(), stored);
    assert_eq!(
        record_snapshot_id(&other_process, "second process", payment(1)).await.to_string(),
        stored
    );
}

#[testkit::test]
async fn processes_that_all_find_no_snapshot_append_one(env: TestEnv) {
    let tenant = env.tenant("snapshots").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(tenant.in_process(&env.another_process(seed).await));
    }
    let operations = processes.into_iter().enumerate().map(|(number, process)| async move {
        record_snapshot_id(&process, &number.to_string(), payment(1)).await
    });
    let ids = env.with_head_locked(operations).await;
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!(count_snapshots(&env, &tenant).await, (1, 1));
}

#[testkit::test]
async fn snapshot_contains_only_the_policies_of_the_request_ordered_by_code(env: TestEnv) {
    let tenant = env.tenant("snapshots").await;
    let mut ids = Vec::new();
    for (code, types) in
        [("b", r#"["payment"]"#), ("C", r#"["payment","x"]"#), ("a", "[]"), ("D", r#"["x"]"#)]
    {
        let policy = with(&spending(code, 100), "decision_types", value(types));
        ids.push(tenant.active_policy(&policy).await);
    }
    tenant.create_policy(&spending("E-DRAFT", 1)).await;
    let response = tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
    let codes = |response: &contract::decision::EvaluateResponse| {
        let policies = response.evaluated_policies.iter();
        policies.map(|policy| policy.policy_code.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(codes(&response), "C a b", "ordered by the bytes of the code");

    let narrowed = |ids: &[PolicyId]| {
        let ids: Value = ids.iter().map(ToString::to_string).collect();
        with(&evaluate_request(payment(1)), "policy_ids", ids)
    };
    let two = tenant.evaluate(&narrowed(&[ids[0], ids[2]])).await.unwrap();
    assert_eq!(codes(&two), "a b");
    assert_ne!(two.result.policy_snapshot_id, response.result.policy_snapshot_id);
    let none = tenant.evaluate(&narrowed(&[ids[3]])).await;
    assert_eq!(result_summary(&none), "404 NO_ACTIVE_POLICIES", "the policy governs another type");
    assert!(env.texts("select body from policy_snapshots").await.is_empty());
    for (number, request) in
        [evaluate_request(payment(1)), narrowed(&[ids[0], ids[2]])].iter().enumerate()
    {
        tenant.record(&with(request, "idempotency_key", number.to_string())).await.unwrap();
    }
    let rejected = with(&narrowed(&[ids[3]]), "idempotency_key", "rejected");
    assert_eq!(result_summary(&tenant.record(&rejected).await), "404 NO_ACTIVE_POLICIES");
    let bodies = env.texts("select body from policy_snapshots").await;
    for body in &bodies {
        let codes: Vec<_> =
            snapshot_policies(body).iter().map(|p| text(p, "code").to_owned()).collect();
        assert!(codes.is_sorted(), "{codes:?}");
    }
    assert_eq!(bodies.len(), 2, "a rejected request appends nothing");
}

#[testkit::test]
async fn rules_are_stored_as_authored(env: TestEnv) {
    let tenant = env.tenant("rules").await;
    let rules = value(
        r#"[{"severity":"low","code":"Z","rule_type":"presence","name":"é","is_active":true,
             "condition":{"min_length":{"b":2,"a":1.0}},"source_ref":{"section":"1"}},
            {"code":"A","rule_type":"list","severity":"high","is_active":false,
             "condition":{"field":"f","allowed":[1,"1",true]}}]"#,
    );
    let id = tenant.active_policy(&with(&spending("PAY", 1), "rules", rules.clone())).await;
    record_snapshot_id(&tenant, "k", payment(1)).await;
    let stored = env.texts("select rules from policy_versions").await.concat();
    assert_eq!(stored, rules.to_canonical());
    let [policy] =
        &snapshot_policies(&env.texts("select body from policy_snapshots").await.concat())[..]
    else {
        panic!("one policy is active")
    };
    assert_eq!(policy.get("rules"), Some(&rules), "order and members are unchanged");
    let preimage = object([("schema", "service-policy-rules/v1".into()), ("rules", rules)]);
    let version = version::read(&tenant.key_cx().await, id, 1).await.unwrap();
    assert_eq!(version.rules_digest, CanonicalJson::from_value(&preimage).digest.to_string());
}
