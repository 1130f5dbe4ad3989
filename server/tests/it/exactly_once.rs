//! A record is made once, whatever happens at the same time.

use std::collections::{BTreeMap, BTreeSet};

use contract::scope::Role;
use governance::base::clock::Clock;
use serde_json::{Value, json};
use testkit::database;
use tokio::task::JoinSet;

use crate::{
    client::{TestResponse, text},
    service::{TestService, TestServiceBuilder, Version, payment, request, rules},
};

/// How many callers ask at once.
const CALLERS: usize = 64;

/// A service whose clock runs, with one policy in force.
async fn busy() -> (TestService, Version) {
    let world =
        TestServiceBuilder { clock: Clock::System, ..TestServiceBuilder::default() }.world().await;
    let version = world.active("PAY-01").await;
    (world, version)
}

/// Sends the record calls all at once.
async fn at_once(
    world: &TestService,
    bodies: impl IntoIterator<Item = Value>,
) -> Vec<TestResponse> {
    let mut calls = JoinSet::new();
    for body in bodies {
        calls.spawn(world.key.post("/v1/decisions/record", &body).into_future());
    }
    calls.join_all().await
}

/// The stored record within an answer.
fn stored(answer: &TestResponse) -> &str {
    let end = answer.text.rfind(",\"is_new\":").expect("an answer to a record call");
    &answer.text[..end]
}

async fn count(world: &TestService) -> String {
    world.sql("select count(*)::text from decisions").await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_many_times_at_once_is_one_decision() {
    let (world, _) = busy().await;
    let answers = at_once(&world, (0..CALLERS).map(|_| request("k-1", 12_000))).await;
    let new: Vec<&TestResponse> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(new.len(), 1);
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 201), "{answer}: {}", answer.text);
        assert_eq!(stored(answer), stored(new[0]));
    }
    assert_eq!(count(&world).await, "1");
    let events = "select count(*)::text from audit_events where action = 'decision.record'";
    assert_eq!(world.sql(events).await, ["1"]);
    assert_eq!(world.sql("select count(*)::text from public_ids").await, ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_requests_under_one_key_the_loser_is_refused() {
    let (world, _) = busy().await;
    let amount = |caller: usize| if caller.is_multiple_of(2) { 12_000 } else { 1 };
    let answers = at_once(&world, (0..CALLERS).map(|caller| request("k-1", amount(caller)))).await;
    let mut counts = BTreeMap::new();
    for answer in &answers {
        *counts.entry(answer.to_string()).or_insert(0) += 1;
    }
    let half = CALLERS / 2;
    let expected = [("200", half - 1), ("201", 1), ("422 IDEMPOTENCY_KEY_REUSED", half)];
    assert_eq!(counts, expected.map(|(answer, count)| (answer.to_owned(), count)).into());
    let records: BTreeSet<&str> =
        answers.iter().filter(|answer| answer.status < 400).map(stored).collect();
    assert_eq!(records.len(), 1);
    assert_eq!(count(&world).await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_keys_at_once_are_many_decisions_in_one_line() {
    let (world, _) = busy().await;
    let bodies = (0..CALLERS).map(|caller| request(&format!("k-{caller}"), 12_000));
    for answer in at_once(&world, bodies).await {
        assert_eq!(answer.status, 201, "{}", answer.text);
    }
    assert_eq!(count(&world).await, CALLERS.to_string());
    let unlinked = "select seq::text from audit_events e where seq > 1 and prev is distinct from \
                    (select hash from audit_events p where p.seq = e.seq - 1)";
    assert_eq!(world.sql(unlinked).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_rests_on_the_snapshot_in_force_and_never_on_two() {
    let (world, first) = busy().await;
    // Two policies whose versions 1 and 2 differ in their limit.
    let other = world.active("PAY-02").await;
    let mut turns = Vec::new();
    for version in [&first, &other] {
        turns.push([world.successor(version, &rules(50_000)).await, (*version).clone()]);
    }
    let activator = world.person(Role::Ratifier).await;
    let recording = async {
        let mut answers = Vec::new();
        for round in 0..12 {
            let key = |caller| format!("k-{round}-{caller}");
            answers.extend(at_once(&world, (0..8).map(|c| request(&key(c), 20_000))).await);
        }
        answers
    };
    let activating = async {
        for turn in 0..24_usize {
            let version = &turns[turn % 2][turn / 2 % 2];
            activator.post(version.act("activate"), &json!({})).await.expect(200);
        }
    };
    let (answers, ()) = tokio::join!(recording, activating);

    let timeline = timeline(&world).await;
    for answer in answers {
        assert!(matches!(answer.status, 201 | 503), "{answer}: {}", answer.text);
        if answer.status == 201 {
            check_moment(&answer.json()["decision"], &timeline);
        }
    }
    assert_eq!(timeline.snapshots.len(), 4, "each pair of versions has one snapshot");
}

/// What the audit log and the stored snapshots say.
struct Timeline {
    /// The versions in force, by policy, when each decision was recorded.
    in_force: BTreeMap<String, BTreeMap<String, u64>>,
    /// The versions in each snapshot.
    snapshots: BTreeMap<String, BTreeMap<String, u64>>,
}

async fn timeline(world: &TestService) -> Timeline {
    let log = "select json_build_array(action, object_id, \
               event::json -> 'details' ->> 'policy_id', event::json -> 'details' -> 'version')::text \
               from audit_events \
               where action in ('policy_version.activate', 'decision.record') order by seq";
    let mut now = BTreeMap::new();
    let mut in_force = BTreeMap::new();
    for event in world.sql(log).await {
        let event: Value = serde_json::from_str(&event).expect("a row is an array");
        match event[2].as_str() {
            Some(policy) => {
                now.insert(policy.to_owned(), event[3].as_u64().expect("a version"));
            }
            None => {
                in_force.insert(text(&event[1]).to_owned(), now.clone());
            }
        }
    }
    let bodies = "select json_build_array(id, body::json)::text from policy_snapshots \
                  where json_array_length(body::json -> 'policies') = 2";
    let mut snapshots = BTreeMap::new();
    for row in world.sql(bodies).await {
        let row: Value = serde_json::from_str(&row).expect("a row is an array");
        snapshots.insert(text(&row[0]).to_owned(), versions(&row[1]["policies"], "version"));
    }
    Timeline { in_force, snapshots }
}

/// Versions by policy.
fn versions(policies: &Value, member: &str) -> BTreeMap<String, u64> {
    let policies = policies.as_array().expect("a list of policies").iter();
    policies
        .map(|policy| {
            let version = policy[member].as_u64().expect("a version");
            (text(&policy["policy_id"]).to_owned(), version)
        })
        .collect()
}

fn check_moment(decision: &Value, timeline: &Timeline) {
    let in_force = &timeline.in_force[text(&decision["id"])];
    assert_eq!(&versions(&decision["evaluated_policies"], "version"), in_force);
    let snapshot = &timeline.snapshots[text(&decision["policy_snapshot_id"])];
    assert_eq!(snapshot, in_force);
    // An amount of 20,000 is too much for version 1 and fine for version 2.
    let violations = decision["result"]["violations"].as_array().expect("a list of violations");
    let over: BTreeSet<&str> = violations
        .iter()
        .filter(|violation| violation["rule_code"] == "AMOUNT")
        .map(|violation| text(&violation["policy_id"]))
        .collect();
    let strict: BTreeSet<&str> = in_force
        .iter()
        .filter(|(_, version)| **version == 1)
        .map(|(policy, _)| &**policy)
        .collect();
    assert_eq!(over, strict);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_activation_decides_the_very_next_request() {
    let (world, first) = busy().await;
    let second = world.successor(&first, &rules(50_000)).await;
    for (turn, version) in [&second, &first].into_iter().cycle().take(8).enumerate() {
        world.activate(version).await;
        let body = json!({"context": payment(20_000)});
        let dry = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
        assert_eq!(dry["evaluated_policies"][0]["version"], version.number);
        let body = request(&format!("k-{turn}"), 20_000);
        let real = world.key.post("/v1/decisions/record", &body).await.expect(201);
        assert_eq!(real["decision"]["policy"]["version"], version.number);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cut_connections_cost_no_decision_and_make_none_twice() {
    let (world, _) = busy().await;
    let superuser = database::connect(&world.database.superuser_url).await;
    let cut = "select pg_terminate_backend(pid)::text from pg_stat_activity \
               where usename = 'govern_app' and datname = current_database()";
    let recording = async {
        let mut answers = Vec::new();
        for round in 0..10 {
            let key = |caller: usize| format!("k-{round}-{}", caller / 2);
            answers.extend(at_once(&world, (0..16).map(|c| request(&key(c), 12_000))).await);
        }
        answers
    };
    let cutting = async {
        let mut cuts = 0;
        for _ in 0..40 {
            cuts += database::texts(&superuser, cut).await.len();
            tokio::task::yield_now().await;
        }
        cuts
    };
    let (answers, cuts) = tokio::join!(recording, cutting);
    assert!(cuts > 0);
    superuser.close().await.expect("the connection can be closed");
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 201 | 503), "{answer}: {}", answer.text);
    }
    // Whoever was told nothing asks again, and gets what the others got.
    let mut records = BTreeMap::new();
    for round in 0..10 {
        for caller in 0..8 {
            let key = format!("k-{round}-{caller}");
            let answer = patient(&world, &request(&key, 12_000)).await;
            records.insert(answer.json()["decision"]["id"].to_string(), stored(&answer).to_owned());
        }
    }
    for answer in answers.iter().filter(|answer| answer.status < 300) {
        let id = answer.json()["decision"]["id"].to_string();
        assert_eq!(records.get(&id).map(String::as_str), Some(stored(answer)));
    }
    assert_eq!(count(&world).await, "80");
}

/// Asks until the store is back.
async fn patient(world: &TestService, body: &Value) -> TestResponse {
    for _ in 0..50 {
        let answer = world.key.post("/v1/decisions/record", body).await;
        if answer.status != 503 {
            return answer;
        }
    }
    panic!("the store did not come back");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_store_the_service_says_so_and_recovers_by_itself() {
    let (world, _) = busy().await;
    let first = world.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    let admin = world.admin().await;
    let (server_url, name) = world.database.superuser_url.rsplit_once('/').expect("a URL");
    let server = database::connect(&format!("{server_url}/postgres")).await;
    let name = name.split('?').next().expect("a name");
    database::texts(&server, &format!("alter database {name} allow_connections false")).await;
    let cut = format!(
        "select pg_terminate_backend(pid)::text from pg_stat_activity where datname = '{name}'"
    );
    database::texts(&server, &cut).await;

    for call in [
        world.key.post("/v1/decisions/record", &request("k-2", 12_000)),
        world.key.post("/v1/decisions/evaluate", &json!({"context": payment(1)})),
        world.key.get("/v1/policies"),
        admin.get("/v1/policies"),
        admin.get("/v1/session"),
        world.public.get("/v1/ready"),
    ] {
        let answer = call.clone().await;
        assert_eq!(answer.to_string(), "503 SERVICE_UNAVAILABLE", "{call:?}");
        assert!(answer.json()["retry_after"].as_u64().is_some_and(|seconds| seconds > 0));
    }
    world.public.get("/v1/health").await.expect(200);
    world.public.get("/v1/.well-known/signing-keys").await.expect(200);

    database::texts(&server, &format!("alter database {name} allow_connections true")).await;
    server.close().await.expect("the connection can be closed");
    let again = patient(&world, &request("k-1", 12_000)).await;
    assert_eq!((again.status, stored(&again)), (200, stored(&first)));
    world.public.get("/v1/ready").await.expect(200);
    assert_eq!(patient(&world, &request("k-2", 12_000)).await.status, 201);
    admin.get("/v1/policies").await.expect(200);
}
