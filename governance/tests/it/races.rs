//! Concurrent requests: conflicting operations have one winner, and no write is lost or mixed.

use std::collections::{BTreeMap, BTreeSet};

use contract::{error::ErrorCode, id::SnapshotId};
use governance::{
    Result,
    access::operator,
    authoring::policy::{self, rule_input::NewPolicy, version},
};
use serde::Deserialize;
use tokio::task::JoinSet;

use crate::{log, prelude::*};

pub(crate) async fn run_concurrently<T: Send + 'static>(
    operations: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    operations.into_iter().collect::<JoinSet<_>>().join_all().await
}

/// Counts the results by their summary.
pub(crate) fn count_results<T>(results: &[Result<T>]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for result in results {
        *counts.entry(result_summary(result)).or_default() += 1;
    }
    counts
}

pub(crate) fn expected_counts<const N: usize>(
    counts: [(&str, usize); N],
) -> BTreeMap<String, usize> {
    counts.into_iter().map(|(summary, count)| (summary.to_owned(), count)).collect()
}

/// The tenant in four other processes.
async fn processes(env: &TestEnv, tenant: &TestTenant) -> Vec<TestTenant> {
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(tenant.in_process(&env.another_process(seed).await));
    }
    processes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_with_one_idempotency_key_record_once() {
    let (env, tenant) = test_tenant_with_policy().await;
    let processes = processes(&env, &tenant).await;
    let responses = run_concurrently((0..64).map(|number| {
        let tenant = processes[number % 4].clone();
        async move { tenant.record(&request("same", payment(7))).await.unwrap() }
    }))
    .await;
    assert_eq!(responses.iter().filter(|response| response.is_new).count(), 1);
    let first = &responses[0];
    assert!(
        responses
            .iter()
            .all(|response| (response.id, &response.record) == (first.id, &first.record))
    );
    env.decompress_decisions().await;
    let stored = env.texts("select decision_text(texts, 1) from decisions").await;
    assert_eq!(stored, [&*first.record]);
    let log = log::verified_entries(&env, tenant.tenant).await;
    assert_eq!(log.iter().filter(|entry| entry.action == "decision.record").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_different_requests_with_one_idempotency_key_one_is_rejected() {
    let (env, tenant) = test_tenant_with_policy().await;
    for round in 0..4 {
        let key = format!("round-{round}");
        let responses = run_concurrently((0..16_u32).map(|number| {
            let (tenant, key) = (tenant.clone(), key.clone());
            async move {
                let amount = number % 2;
                (amount, tenant.record(&request(&key, payment(amount))).await)
            }
        }))
        .await;
        let (accepted, rejected): (Vec<_>, Vec<_>) =
            responses.into_iter().partition(|(_, response)| response.is_ok());
        let amounts: BTreeSet<_> = accepted.iter().map(|(amount, _)| *amount).collect();
        assert_eq!(
            (accepted.len(), amounts.len()),
            (8, 1),
            "all requests with the recorded content succeed"
        );
        for (_, result) in rejected {
            assert_eq!(result_summary(&result), "422 IDEMPOTENCY_KEY_REUSED");
        }
    }
    assert_eq!(env.count("select count(*) from decisions").await, 4);
}

#[derive(Deserialize)]
struct NumberedDecision {
    id: String,
    sequence: u32,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_records_number_decisions_and_events_without_gaps() {
    let (env, tenant) = test_tenant_with_policy().await;
    tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
    let processes = processes(&env, &tenant).await;
    let before = log::verified_entries(&env, tenant.tenant).await.len();
    let responses = run_concurrently((0..32).map(|number| {
        let tenant = processes[number % 4].clone();
        async move { tenant.record(&request(&format!("k{number}"), payment(1))).await.unwrap() }
    }))
    .await;
    assert!(responses.iter().all(|response| response.is_new));
    let log = log::verified_entries(&env, tenant.tenant).await;
    // The first record also stores the snapshot, which adds one event.
    let log: Vec<_> = log.into_iter().skip(before).collect();
    assert_eq!(log.len(), 33);
    let log: Vec<_> = log.into_iter().filter(|e| e.object_type == "decision").collect();
    let rows: Vec<NumberedDecision> =
        env.rows("select id, sequence from decisions order by sequence").await;
    let events: Vec<_> = log.iter().map(|e| (e.object_id.clone(), e.seq)).collect();
    let decisions: Vec<_> = rows.into_iter().map(|row| (row.id, row.sequence)).collect();
    assert_eq!(decisions, events, "each decision has the number of its audit event");
}

/// Rules that every payment violates. The rule code identifies the version that was evaluated.
fn violated_rules(code: &str) -> Value {
    value(&format!(
        r#"[{{"code":"{code}","rule_type":"presence","severity":"low",
              "condition":{{"required_fields":["never"]}}}}]"#
    ))
}

/// Creates two payment policies, each with two ratified versions. The first versions are active.
async fn two_policies(tenant: &TestTenant) -> [PolicyId; 2] {
    let mut ids = [PolicyId(tenant.admin.0); 2];
    for (id, code) in ids.iter_mut().zip(["P", "Q"]) {
        let first = violated_rules(&format!("{code}-1"));
        *id = tenant.active_policy(&with(&spending(code, 1), "rules", first)).await;
        let second = tenant.next_draft(*id, &violated_rules(&format!("{code}-2"))).await;
        tenant.ratify(*id, second).await;
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn decision_uses_the_versions_that_are_active_when_it_is_recorded() {
    const ACTIVATIONS: u32 = 12;
    const RECORDS_PER_PROCESS: u32 = 12;
    let (env, tenant) = test_tenant().await;
    let ids = two_policies(&tenant).await;
    let processes = processes(&env, &tenant).await;
    // The active versions differ between the first and the last decision.
    tenant.record(&request("before", payment(1))).await.unwrap();
    let mut tasks = JoinSet::new();
    for id in ids {
        let tenant = processes[0].clone();
        tasks.spawn(async move {
            for number in 0..ACTIVATIONS {
                tenant.activate(id, 2 - number % 2).await.unwrap();
            }
            tenant.activate(id, 2).await.unwrap();
        });
    }
    for (process, tenant) in processes.iter().cloned().enumerate() {
        tasks.spawn(async move {
            for number in 0..RECORDS_PER_PROCESS {
                let key = format!("{process}-{number}");
                let recorded = tenant.record(&request(&key, payment(1))).await.unwrap();
                assert!(recorded.is_new);
                tenant.evaluate(&evaluate_request(payment(1))).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    tenant.record(&request("after", payment(1))).await.unwrap();

    let expected = decisions_in_log(&env, &tenant).await;
    assert_eq!(expected.len(), 2 + 4 * RECORDS_PER_PROCESS as usize);
    let mut violated_sets = BTreeSet::new();
    for (decision, versions) in &expected {
        let row = format!(
            "select s.body from decisions d join policy_snapshots s on s.id = d.snapshot_id \
             where d.id = '{decision}'"
        );
        let body = value(&env.texts(&row).await.concat());
        let snapshot: BTreeMap<_, _> = list(&body, "policies")
            .iter()
            .map(|policy| {
                (text(policy, "policy_id").to_owned(), text(policy, "policy_version_id").to_owned())
            })
            .collect();
        assert_eq!(&snapshot, versions, "the snapshot contains the active versions");
        env.decompress_decisions().await;
        let record =
            format!("select decision_text(texts, 1) from decisions where id = '{decision}'");
        let record = decision_record(&env.texts(&record).await.concat());
        let violated: Vec<_> =
            record.result.violations.iter().map(|v| v.rule_code.clone()).collect();
        let evaluated: Vec<_> = record
            .evaluated_policies
            .iter()
            .map(|policy| format!("{}-{}", policy.policy_code, policy.version))
            .collect();
        assert_eq!(violated, evaluated, "the evaluated rules are those of the snapshot");
        violated_sets.insert(violated);
    }
    assert!(violated_sets.len() > 1, "the decisions use different versions");
    assert!(env.count("select count(*) from policy_snapshots").await <= 4);
    let counter = env.count("select activation_counter from tenant_heads").await;
    assert_eq!(counter, 2 + 2 * (ACTIVATIONS + 1) as usize, "each activation counts once");
}

/// Returns each decision with the versions that are active at its position in the audit log.
async fn decisions_in_log(
    env: &TestEnv,
    tenant: &TestTenant,
) -> Vec<(String, BTreeMap<String, String>)> {
    let mut active = BTreeMap::new();
    let mut decisions = Vec::new();
    for entry in log::verified_entries(env, tenant.tenant).await {
        match &*entry.action {
            "policy_version.activate" => {
                let policy = entry.detail("policy_id").unwrap();
                active.insert(policy.as_str().unwrap().to_owned(), entry.object_id);
            }
            "decision.record" => decisions.push((entry.object_id, active.clone())),
            _ => (),
        }
    }
    decisions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn evaluation_during_activations_uses_one_consistent_set_of_versions() {
    let (env, tenant) = test_tenant().await;
    let [p, q] = two_policies(&tenant).await;
    // P changes before Q and changes back after Q, so one combination is never active.
    let activating = tenant.clone();
    let activations = tokio::spawn(async move {
        for _ in 0..6 {
            for (id, number) in [(p, 2), (q, 2), (q, 1), (p, 1)] {
                activating.activate(id, number).await.unwrap();
            }
        }
    });
    let processes = processes(&env, &tenant).await;
    let mut readers = JoinSet::new();
    for reader in processes {
        readers.spawn(async move {
            let mut results = BTreeSet::new();
            for _ in 0..40 {
                let result = reader.evaluate(&evaluate_request(payment(1))).await.unwrap().result;
                let codes: Vec<_> = result.violations.into_iter().map(|v| v.rule_code).collect();
                results.insert((result.policy_snapshot_id, codes.join(" ")));
            }
            results
        });
    }
    let results: BTreeSet<(SnapshotId, String)> =
        readers.join_all().await.into_iter().flatten().collect();
    activations.await.unwrap();
    let contents: BTreeSet<_> = results.iter().map(|(_, codes)| &**codes).collect();
    assert_eq!(contents.len(), results.len(), "each snapshot has different content");
    assert!(!contents.contains("P-1 Q-2"), "Q changes only while P is at 2: {contents:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_edits_of_one_revision_have_one_winner() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.create_policy(&spending("PAY", 1)).await;
    for revision in 1..6 {
        let results = run_concurrently((0..20).map(|number| {
            let tenant = tenant.clone();
            async move {
                let edit = edit(revision, &format!("edit {number}"));
                version::edit(&tenant.author_cx().await, id, 1, edit).await
            }
        }))
        .await;
        let expected = expected_counts([("409 STALE_DRAFT_REVISION", 19), ("done", 1)]);
        assert_eq!(count_results(&results), expected);
        let stored = version::read(&tenant.key_cx().await, id, 1).await.unwrap();
        assert_eq!(stored.draft_revision, revision + 1);
        for result in results {
            match result {
                Ok(edited) => assert_eq!(edited, stored, "the response is the stored version"),
                Err(error) => {
                    let details = error.problem().details.unwrap();
                    let current = details.get("current").unwrap();
                    assert_eq!(current.get("draft_revision"), Some(&Value::from(revision + 1)));
                    let reason = current.get("change_reason").and_then(Value::as_str);
                    assert_eq!(reason, stored.change_reason.as_deref());
                }
            }
        }
    }
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_ratify_and_recall_have_one_winner() {
    let (env, tenant) = test_tenant().await;
    for round in 0..10 {
        let id = tenant.create_policy(&spending(&format!("PAY-{round}"), 1)).await;
        version::submit(&tenant.author_cx().await, id, 1).await.unwrap();
        let (admin, author) = (tenant.admin_cx().await, tenant.author_cx().await);
        let ratify =
            tokio::spawn(async move { version::ratify(&admin, id, 1, ratification(1)).await });
        let recall = tokio::spawn(async move { version::recall(&author, id, 1).await });
        let results = [ratify.await.unwrap(), recall.await.unwrap()];
        let expected_error = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";
        assert_eq!(count_results(&results), expected_counts([(expected_error, 1), ("done", 1)]));
        let winner = results.into_iter().find_map(Result::ok).unwrap();
        assert_eq!(version::read(&tenant.key_cx().await, id, 1).await.unwrap(), winner);
    }
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ratification_during_an_edit_applies_to_the_reviewed_rules() {
    let (_env, tenant) = test_tenant().await;
    for round in 0..6 {
        let id = tenant.create_policy(&spending(&format!("PAY-{round}"), 1)).await;
        let submitted = version::submit(&tenant.author_cx().await, id, 1).await.unwrap();
        let (admin, author) = (tenant.admin_cx().await, tenant.author_cx().await);
        let ratify =
            tokio::spawn(async move { version::ratify(&admin, id, 1, ratification(1)).await });
        let replace = tokio::spawn(async move {
            version::recall(&author, id, 1).await?;
            let rules = object([("expected_revision", 1.into()), ("rules", limit("OTHER", 9))]);
            version::edit(&author, id, 1, body(&rules)).await?;
            version::submit(&author, id, 1).await
        });
        let (ratified, replaced) = (ratify.await.unwrap(), replace.await.unwrap());
        match ratified {
            Ok(ratified) => {
                assert_eq!(ratified.rules_digest, submitted.rules_digest);
                assert!(replaced.is_err());
            }
            Err(error) => {
                let code = error.code();
                let expected = [ErrorCode::InvalidTransition, ErrorCode::StaleDraftRevision];
                assert!(expected.contains(&code), "{error}");
                replaced.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_activations_leave_one_version_active() {
    const ACTIVE: &str =
        "select string_agg(version::text, ' ') from policy_versions where is_active";
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 1)).await;
    for number in 2..5 {
        tenant.next_draft(id, &limit("LIMIT", number)).await;
        tenant.ratify(id, number).await;
    }
    let mut done = 1;
    for _ in 0..8 {
        let results = run_concurrently((1..5).map(|number| {
            let tenant = tenant.clone();
            async move { tenant.activate(id, number).await }
        }))
        .await;
        for (summary, count) in count_results(&results) {
            match &*summary {
                "done" => done += count,
                other => assert_eq!(other, "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)"),
            }
        }
        let active = env.texts(ACTIVE).await.concat();
        let policy = policy::read(&tenant.key_cx().await, id, None).await.unwrap();
        assert_eq!(policy.active_version.unwrap().to_string(), active);
    }
    let counter = env.count("select activation_counter from tenant_heads").await;
    assert_eq!(counter, done);
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_activate_and_deactivate_end_in_one_consistent_state() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 1)).await;
    for _ in 0..8 {
        let (admin, activating) = (tenant.admin_cx().await, tenant.clone());
        let deactivate =
            tokio::spawn(async move { policy::deactivate(&admin, id, reason(), None).await });
        let activate = tokio::spawn(async move { activating.activate(id, 1).await });
        let (deactivated, activated) = (deactivate.await.unwrap(), activate.await.unwrap());
        let policy = policy::read(&tenant.key_cx().await, id, None).await.unwrap();
        let rows = env.count("select count(*) from policy_versions where is_active").await;
        assert_eq!(rows, usize::from(policy.is_active));
        deactivated.unwrap();
        match activated {
            Ok(_) => assert!(policy.is_active, "activated after the deactivation"),
            result => {
                let already = "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)";
                assert_eq!(result_summary(&result), already);
                assert!(!policy.is_active);
                tenant.activate(id, 1).await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_policies_with_one_code_have_one_winner() {
    let (env, tenant) = test_tenant().await;
    let results = run_concurrently((0..16).map(|number| {
        let tenant = tenant.clone();
        async move {
            let code = if number % 2 == 0 { "PAY" } else { "pay" };
            let new = body::<NewPolicy>(&spending(code, 1));
            policy::create(&tenant.author_cx().await, new).await
        }
    }))
    .await;
    assert_eq!(count_results(&results), expected_counts([("409 DUPLICATE_CODE", 15), ("done", 1)]));
    assert_eq!(env.count("select count(*) from policy_versions").await, 1);
    log::verified_entries(&env, tenant.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_new_drafts_have_one_winner() {
    let (_env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 1)).await;
    let results = run_concurrently((0..16).map(|_| {
        let tenant = tenant.clone();
        async move { version::create(&tenant.author_cx().await, id, new_version()).await }
    }))
    .await;
    assert_eq!(count_results(&results), expected_counts([("409 DRAFT_EXISTS", 15), ("done", 1)]));
    let policy = policy::read(&tenant.key_cx().await, id, None).await.unwrap();
    assert_eq!((policy.latest_version, policy.draft_version), (2, Some(2)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_users_with_one_email_address_have_one_winner() {
    let (env, tenant) = test_tenant().await;
    let results = run_concurrently((0..4).map(|_| {
        let tenant = tenant.clone();
        async move {
            let password = "a good pass phrase".to_owned();
            let email = "same@acme.example";
            let role = Role::Viewer;
            operator::create_user(&tenant.governance, tenant.tenant, email, password, role).await
        }
    }))
    .await;
    assert_eq!(count_results(&results), expected_counts([("409 CONFLICT", 3), ("done", 1)]));
    log::verified_entries(&env, tenant.tenant).await;
}
