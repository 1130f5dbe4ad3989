//! Many at once: exactly one wins where one must, and nothing is lost or mixed.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    error::ErrorCode,
    id::{PolicyId, SnapshotId},
    json::Value,
    scope::Role,
};
use governance::{
    Result,
    access::operator,
    authoring::policy::{
        self,
        rule_input::{NewPolicy, NewVersion},
        version,
    },
};
use serde::Deserialize;
use tokio::task::JoinSet;

use crate::{
    fixtures::{
        TestEnv, TestTenant, body, decision_record, edit, limit, list, object, payment, question,
        ratification, request, said, spending, text, value, with, world,
    },
    log,
};

/// Runs acts at once and waits for all.
pub(crate) async fn at_once<T: Send + 'static>(
    acts: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    acts.into_iter().collect::<JoinSet<_>>().join_all().await
}

/// How often each ending was met.
pub(crate) fn endings<T>(results: &[Result<T>]) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for result in results {
        *endings.entry(said(result)).or_default() += 1;
    }
    endings
}

pub(crate) fn counted<const N: usize>(endings: [(&str, usize); N]) -> BTreeMap<String, usize> {
    endings.into_iter().map(|(words, count)| (words.to_owned(), count)).collect()
}

/// The tenant in four processes of its own.
async fn processes(world: &TestEnv, house: &TestTenant) -> Vec<TestTenant> {
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(house.in_process(&world.another_process(seed).await));
    }
    processes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_idempotency_key_records_once_however_often_it_is_used() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let processes = processes(&world, &house).await;
    let answers = at_once((0..64).map(|number| {
        let house = processes[number % 4].clone();
        async move { house.record(&request("same", payment(7))).await.unwrap() }
    }))
    .await;
    assert_eq!(answers.iter().filter(|answer| answer.is_new).count(), 1);
    let first = &answers[0];
    assert!(answers.iter().all(|answer| (answer.id, &answer.record) == (first.id, &first.record)));
    let stored = world.texts("select record from decisions").await;
    assert_eq!(stored, [&*first.record]);
    let log = log::intact(&world, house.tenant).await;
    assert_eq!(log.iter().filter(|entry| entry.action == "decision.record").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_requests_under_one_key_one_is_recorded_and_the_other_refused() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    for round in 0..4 {
        let key = format!("round-{round}");
        let answers = at_once((0..16_u32).map(|number| {
            let (house, key) = (house.clone(), key.clone());
            async move {
                let amount = number % 2;
                (amount, house.record(&request(&key, payment(amount))).await)
            }
        }))
        .await;
        let (won, lost): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|(_, answer)| answer.is_ok());
        let amounts: BTreeSet<_> = won.iter().map(|(amount, _)| *amount).collect();
        assert_eq!((won.len(), amounts.len()), (8, 1), "all who asked for the same");
        for (_, refused) in lost {
            assert_eq!(said(&refused), "422 IDEMPOTENCY_KEY_REUSED");
        }
    }
    assert_eq!(world.count("select count(*) from decisions").await, 4);
}

/// Where a decision stands among the others.
#[derive(Deserialize)]
struct Placed {
    id: String,
    sequence: u32,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_at_once_make_one_line_of_decisions_and_of_events() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    house.evaluate(&question(payment(1))).await.unwrap();
    let processes = processes(&world, &house).await;
    let before = log::intact(&world, house.tenant).await.len();
    let answers = at_once((0..32).map(|number| {
        let house = processes[number % 4].clone();
        async move { house.record(&request(&format!("k{number}"), payment(1))).await.unwrap() }
    }))
    .await;
    assert!(answers.iter().all(|answer| answer.is_new));
    let log = log::intact(&world, house.tenant).await;
    // The first record stores the snapshot too, which is an event of its own.
    let log: Vec<_> = log.into_iter().skip(before).collect();
    assert_eq!(log.len(), 33);
    let log: Vec<_> = log.into_iter().filter(|e| e.object_type == "decision").collect();
    let placed: Vec<Placed> =
        world.rows("select id, sequence from decisions order by sequence").await;
    let told: Vec<_> = log.iter().map(|e| (e.object_id.clone(), e.seq)).collect();
    let placed: Vec<_> = placed.into_iter().map(|row| (row.id, row.sequence)).collect();
    assert_eq!(placed, told, "a decision has the number of its event, without gaps");
}

/// Rules that every payment violates, so that a decision shows the version that made it.
fn marked(mark: &str) -> Value {
    value(&format!(
        r#"[{{"code":"{mark}","rule_type":"presence","severity":"low",
              "condition":{{"required_fields":["never"]}}}}]"#
    ))
}

/// Two policies for payments, each with two ratified versions; the first versions decide.
async fn flipping(house: &TestTenant) -> [PolicyId; 2] {
    let mut ids = [PolicyId(house.admin.0); 2];
    for (id, code) in ids.iter_mut().zip(["P", "Q"]) {
        let first = marked(&format!("{code}-1"));
        *id = house.active_policy(&with(&spending(code, 1), "rules", first)).await;
        let second = house.next_draft(*id, &marked(&format!("{code}-2"))).await;
        house.ratified(*id, second).await;
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_under_activations_rests_on_what_was_in_force_when_it_was_recorded() {
    const FLIPS: u32 = 12;
    const RECORDS: u32 = 12;
    let world = world().await;
    let house = world.tenant("house").await;
    let ids = flipping(&house).await;
    let processes = processes(&world, &house).await;
    // One decision before the storm and one after it: what is in force differs between them.
    house.record(&request("before", payment(1))).await.unwrap();
    let mut storm = JoinSet::new();
    for id in ids {
        let house = processes[0].clone();
        storm.spawn(async move {
            for flip in 0..FLIPS {
                house.activated(id, 2 - flip % 2).await.unwrap();
            }
            house.activated(id, 2).await.unwrap();
        });
    }
    for (writer, house) in processes.iter().cloned().enumerate() {
        storm.spawn(async move {
            for number in 0..RECORDS {
                let key = format!("{writer}-{number}");
                let outcome = house.record(&request(&key, payment(1))).await.unwrap();
                assert!(outcome.is_new);
                house.evaluate(&question(payment(1))).await.unwrap();
            }
        });
    }
    storm.join_all().await;
    house.record(&request("after", payment(1))).await.unwrap();

    let in_force = replayed(&world, &house).await;
    assert_eq!(in_force.len(), 2 + 4 * RECORDS as usize);
    let mut seen = BTreeSet::new();
    for (decision, versions) in &in_force {
        let row = format!(
            "select s.body from decisions d join policy_snapshots s on s.id = d.snapshot_id \
             where d.id = '{decision}'"
        );
        let body = value(&world.texts(&row).await.concat());
        let snapshot: BTreeMap<_, _> = list(&body, "policies")
            .iter()
            .map(|policy| {
                (text(policy, "policy_id").to_owned(), text(policy, "policy_version_id").to_owned())
            })
            .collect();
        assert_eq!(&snapshot, versions, "the snapshot is what was in force");
        let record = format!("select record from decisions where id = '{decision}'");
        let record = decision_record(&world.texts(&record).await.concat());
        let decided: Vec<_> =
            record.result.violations.iter().map(|v| v.rule_code.clone()).collect();
        let named: Vec<_> = record
            .evaluated_policies
            .iter()
            .map(|policy| format!("{}-{}", policy.policy_code, policy.version))
            .collect();
        assert_eq!(decided, named, "the rules that decided are those of the snapshot");
        seen.insert(decided);
    }
    assert!(seen.len() > 1, "the decisions rest on different moments");
    assert!(world.count("select count(*) from policy_snapshots").await <= 4);
    let counter = world.count("select activation_counter from tenant_heads").await;
    assert_eq!(counter, 2 + 2 * (FLIPS + 1) as usize, "each activation counts once");
}

/// By decision: the versions in force at its place in the log, told by the log alone.
async fn replayed(world: &TestEnv, house: &TestTenant) -> Vec<(String, BTreeMap<String, String>)> {
    let mut in_force = BTreeMap::new();
    let mut decisions = Vec::new();
    for entry in log::intact(world, house.tenant).await {
        match &*entry.action {
            "policy_version.activate" => {
                let policy = entry.detail("policy_id").unwrap();
                in_force.insert(policy.as_str().unwrap().to_owned(), entry.object_id);
            }
            "decision.record" => decisions.push((entry.object_id, in_force.clone())),
            _ => (),
        }
    }
    decisions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn evaluations_under_activations_never_mix_two_moments() {
    let world = world().await;
    let house = world.tenant("house").await;
    let [p, q] = flipping(&house).await;
    // P moves first, Q after it: of the four combinations one is never in force.
    let mover = house.clone();
    let activations = tokio::spawn(async move {
        for _ in 0..6 {
            for (id, number) in [(p, 2), (q, 2), (q, 1), (p, 1)] {
                mover.activated(id, number).await.unwrap();
            }
        }
    });
    let processes = processes(&world, &house).await;
    let mut readers = JoinSet::new();
    for reader in processes {
        readers.spawn(async move {
            let mut seen = BTreeSet::new();
            for _ in 0..40 {
                let result = reader.evaluate(&question(payment(1))).await.unwrap().result;
                let marks: Vec<_> = result.violations.into_iter().map(|v| v.rule_code).collect();
                seen.insert((result.policy_snapshot_id, marks.join(" ")));
            }
            seen
        });
    }
    let seen: BTreeSet<(SnapshotId, String)> =
        readers.join_all().await.into_iter().flatten().collect();
    activations.await.unwrap();
    let marks: BTreeSet<_> = seen.iter().map(|(_, marks)| &**marks).collect();
    assert_eq!(marks.len(), seen.len(), "a snapshot has one content");
    assert!(!marks.contains("P-1 Q-2"), "Q moves only while P is at 2: {marks:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_edits_on_one_revision_exactly_one_wins() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.drafted(&spending("PAY", 1)).await;
    for revision in 1..6 {
        let results = at_once((0..20).map(|number| {
            let house = house.clone();
            async move {
                let edit = edit(revision, &format!("edit {number}"));
                version::edit(&house.by_author().await, id, 1, edit).await
            }
        }))
        .await;
        let expected = counted([("409 STALE_DRAFT_REVISION", 19), ("done", 1)]);
        assert_eq!(endings(&results), expected);
        let now = version::read(&house.by_key().await, id, 1).await.unwrap();
        assert_eq!(now.draft_revision, revision + 1);
        for result in results {
            match result {
                Ok(won) => assert_eq!(won, now, "what the winner was told is what is stored"),
                Err(error) => {
                    let details = error.problem().details.unwrap();
                    let current = details.get("current").unwrap();
                    assert_eq!(current.get("draft_revision"), Some(&Value::from(revision + 1)));
                    let reason = current.get("change_reason").and_then(Value::as_str);
                    assert_eq!(reason, now.change_reason.as_deref());
                }
            }
        }
    }
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_ratifying_and_recalling_exactly_one_happens() {
    let world = world().await;
    let house = world.tenant("house").await;
    for round in 0..10 {
        let id = house.drafted(&spending(&format!("PAY-{round}"), 1)).await;
        version::submit(&house.by_author().await, id, 1).await.unwrap();
        let (admin, author) = (house.by_admin().await, house.by_author().await);
        let ratify =
            tokio::spawn(async move { version::ratify(&admin, id, 1, ratification(1)).await });
        let recall = tokio::spawn(async move { version::recall(&author, id, 1).await });
        let results = [ratify.await.unwrap(), recall.await.unwrap()];
        let lost = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";
        assert_eq!(endings(&results), counted([(lost, 1), ("done", 1)]));
        let won = results.into_iter().find_map(Result::ok).unwrap();
        assert_eq!(version::read(&house.by_key().await, id, 1).await.unwrap(), won);
    }
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_ratified_is_what_was_read_however_it_is_edited_meanwhile() {
    let world = world().await;
    let house = world.tenant("house").await;
    for round in 0..6 {
        let id = house.drafted(&spending(&format!("PAY-{round}"), 1)).await;
        let read = version::submit(&house.by_author().await, id, 1).await.unwrap();
        let (admin, author) = (house.by_admin().await, house.by_author().await);
        let ratify =
            tokio::spawn(async move { version::ratify(&admin, id, 1, ratification(1)).await });
        let swap = tokio::spawn(async move {
            version::recall(&author, id, 1).await?;
            let rules = object([("expected_revision", 1.into()), ("rules", limit("OTHER", 9))]);
            version::edit(&author, id, 1, body(&rules)).await?;
            version::submit(&author, id, 1).await
        });
        let (ratified, swapped) = (ratify.await.unwrap(), swap.await.unwrap());
        match ratified {
            Ok(ratified) => {
                assert_eq!(ratified.rules_digest, read.rules_digest);
                assert!(swapped.is_err());
            }
            Err(error) => {
                let code = error.code();
                let late = [ErrorCode::InvalidTransition, ErrorCode::StaleDraftRevision];
                assert!(late.contains(&code), "{error}");
                swapped.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn activations_at_once_leave_one_version_active() {
    const ACTIVE: &str =
        "select string_agg(version::text, ' ') from policy_versions where is_active";
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 1)).await;
    for number in 2..5 {
        house.next_draft(id, &limit("LIMIT", number)).await;
        house.ratified(id, number).await;
    }
    let mut done = 1;
    for _ in 0..8 {
        let results = at_once((1..5).map(|number| {
            let house = house.clone();
            async move { house.activated(id, number).await }
        }))
        .await;
        for (ending, count) in endings(&results) {
            match &*ending {
                "done" => done += count,
                other => assert_eq!(other, "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)"),
            }
        }
        let active = world.texts(ACTIVE).await.concat();
        let policy = policy::read(&house.by_key().await, id, None).await.unwrap();
        assert_eq!(policy.active_version.unwrap().to_string(), active);
    }
    let counter = world.count("select activation_counter from tenant_heads").await;
    assert_eq!(counter, done);
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn activating_and_deactivating_at_once_end_in_one_state() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 1)).await;
    for _ in 0..8 {
        let (by, house_too) = (house.by_admin().await, house.clone());
        let off = tokio::spawn(async move {
            policy::deactivate(&by, id, body(&object([("reason", "over".into())])), None).await
        });
        let on = tokio::spawn(async move { house_too.activated(id, 1).await });
        let (off, on) = (off.await.unwrap(), on.await.unwrap());
        let policy = policy::read(&house.by_key().await, id, None).await.unwrap();
        let rows = world.count("select count(*) from policy_versions where is_active").await;
        assert_eq!(rows, usize::from(policy.is_active));
        off.unwrap();
        match on {
            Ok(_) => assert!(policy.is_active, "it came after"),
            refused => {
                let already = "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)";
                assert_eq!(said(&refused), already);
                assert!(!policy.is_active);
                house.activated(id, 1).await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_policies_with_one_code_exactly_one_is_made() {
    let world = world().await;
    let house = world.tenant("house").await;
    let results = at_once((0..16).map(|number| {
        let house = house.clone();
        async move {
            let code = if number % 2 == 0 { "PAY" } else { "pay" };
            let new = body::<NewPolicy>(&spending(code, 1));
            policy::create(&house.by_author().await, new).await
        }
    }))
    .await;
    assert_eq!(endings(&results), counted([("409 DUPLICATE_CODE", 15), ("done", 1)]));
    assert_eq!(world.count("select count(*) from policy_versions").await, 1);
    log::intact(&world, house.tenant).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_drafts_opened_at_once_exactly_one_is_open() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = house.active_policy(&spending("PAY", 1)).await;
    let results = at_once((0..16).map(|_| {
        let house = house.clone();
        async move {
            let new = body::<NewVersion>(&object([("rules", limit("LIMIT", 2))]));
            version::create(&house.by_author().await, id, new).await
        }
    }))
    .await;
    assert_eq!(endings(&results), counted([("409 DRAFT_EXISTS", 15), ("done", 1)]));
    let policy = policy::read(&house.by_key().await, id, None).await.unwrap();
    assert_eq!((policy.latest_version, policy.draft_version), (2, Some(2)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_people_with_one_address_exactly_one_is_made() {
    let world = world().await;
    let house = world.tenant("house").await;
    let results = at_once((0..4).map(|_| {
        let house = house.clone();
        async move {
            let password = "a good pass phrase".to_owned();
            let email = "same@house.example";
            let role = Role::Viewer;
            operator::create_user(&house.governance, house.tenant, email, password, role).await
        }
    }))
    .await;
    assert_eq!(endings(&results), counted([("409 CONFLICT", 3), ("done", 1)]));
    log::intact(&world, house.tenant).await;
}
