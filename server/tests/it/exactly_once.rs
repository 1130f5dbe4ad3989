//! Recording is exactly-once per idempotency key, under concurrency and connection loss.

use std::collections::{BTreeMap, BTreeSet};

use contract::scope::Role;
use governance::base::clock::Clock;
use serde_json::{Value, json};
use testkit::database;
use tokio::task::JoinSet;

use crate::{
    client::{TestResponse, text},
    service::{TestService, TestServiceBuilder, Version, payment, record_text, request, rules},
};

/// The number of concurrent callers.
const CALLERS: usize = 64;

/// Returns a service with a running clock and one active policy.
async fn service_with_policy() -> (TestService, Version) {
    let service =
        TestServiceBuilder { clock: Clock::System, ..TestServiceBuilder::default() }.start().await;
    let version = service.active("PAY-01").await;
    (service, version)
}

/// Sends the record calls concurrently.
async fn record_concurrently(
    service: &TestService,
    bodies: impl IntoIterator<Item = Value>,
) -> Vec<TestResponse> {
    let mut calls = JoinSet::new();
    for body in bodies {
        calls.spawn(service.key.post("/v1/decisions/record", &body).into_future());
    }
    calls.join_all().await
}

async fn decision_count(service: &TestService) -> String {
    service.sql("select count(*)::text from decisions").await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_with_one_key_create_one_decision() {
    let (service, _) = service_with_policy().await;
    let responses =
        record_concurrently(&service, (0..CALLERS).map(|_| request("k-1", 12_000))).await;
    let new: Vec<&TestResponse> =
        responses.iter().filter(|response| response.status == 201).collect();
    assert_eq!(new.len(), 1);
    for response in &responses {
        assert!(matches!(response.status, 200 | 201), "{response}: {}", response.text);
        assert_eq!(record_text(response), record_text(new[0]));
    }
    assert_eq!(decision_count(&service).await, "1");
    let events = "select count(*)::text from audit_events where action = 'decision.record'";
    assert_eq!(service.sql(events).await, ["1"]);
    assert_eq!(service.sql("select count(*)::text from public_ids").await, ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_different_requests_with_one_key_create_one_decision() {
    let (service, _) = service_with_policy().await;
    let amount = |caller: usize| if caller.is_multiple_of(2) { 12_000 } else { 1 };
    let responses =
        record_concurrently(&service, (0..CALLERS).map(|caller| request("k-1", amount(caller))))
            .await;
    let mut counts = BTreeMap::new();
    for response in &responses {
        *counts.entry(response.to_string()).or_insert(0) += 1;
    }
    let half = CALLERS / 2;
    let expected = [("200", half - 1), ("201", 1), ("422 IDEMPOTENCY_KEY_REUSED", half)];
    assert_eq!(counts, expected.map(|(response, count)| (response.to_owned(), count)).into());
    let records: BTreeSet<&str> =
        responses.iter().filter(|response| response.status < 400).map(record_text).collect();
    assert_eq!(records.len(), 1);
    assert_eq!(decision_count(&service).await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_records_are_linked_in_one_audit_log() {
    let (service, _) = service_with_policy().await;
    let bodies = (0..CALLERS).map(|caller| request(&format!("k-{caller}"), 12_000));
    for response in record_concurrently(&service, bodies).await {
        assert_eq!(response.status, 201, "{}", response.text);
    }
    assert_eq!(decision_count(&service).await, CALLERS.to_string());
    service.assert_audit_events_are_linked().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_decision_uses_the_active_snapshot_during_activations() {
    let (service, first) = service_with_policy().await;
    // Two policies whose versions 1 and 2 differ in their limit.
    let other = service.active("PAY-02").await;
    let mut alternatives = Vec::new();
    for version in [&first, &other] {
        alternatives.push([service.successor(version, &rules(50_000)).await, (*version).clone()]);
    }
    let activator = service.signed_in_member(Role::Ratifier).await;
    let record_calls = async {
        let mut responses = Vec::new();
        for round in 0..12 {
            let key = |caller| format!("k-{round}-{caller}");
            responses.extend(
                record_concurrently(&service, (0..8).map(|c| request(&key(c), 20_000))).await,
            );
        }
        responses
    };
    let activations = async {
        for round in 0..24_usize {
            let version = &alternatives[round % 2][round / 2 % 2];
            activator.post(version.action_path("activate"), &json!({})).await.expect(200);
        }
    };
    let (responses, ()) = tokio::join!(record_calls, activations);

    let timeline = timeline(&service).await;
    for response in responses {
        assert!(matches!(response.status, 201 | 503), "{response}: {}", response.text);
        if response.status == 201 {
            check_versions(&response.json()["decision"], &timeline);
        }
    }
    assert_eq!(timeline.snapshots.len(), 4, "each pair of versions has one snapshot");
}

/// The active versions according to the audit log, and the versions of the stored snapshots.
struct Timeline {
    /// The active versions, by policy, when each decision was recorded.
    active_versions: BTreeMap<String, BTreeMap<String, u64>>,
    /// The versions in each snapshot.
    snapshots: BTreeMap<String, BTreeMap<String, u64>>,
}

async fn timeline(service: &TestService) -> Timeline {
    let log = "select json_build_array(action, object_id, \
               event::json -> 'details' ->> 'policy_id', event::json -> 'details' -> 'version')::text \
               from audit_events \
               where action in ('policy_version.activate', 'decision.record') order by seq";
    let mut active = BTreeMap::new();
    let mut active_versions = BTreeMap::new();
    for event in service.sql(log).await {
        let event: Value = serde_json::from_str(&event).expect("a row is an array");
        match event[2].as_str() {
            Some(policy) => {
                active.insert(policy.to_owned(), event[3].as_u64().expect("a version"));
            }
            None => {
                active_versions.insert(text(&event[1]).to_owned(), active.clone());
            }
        }
    }
    let bodies = "select json_build_array(id, body::json)::text from policy_snapshots \
                  where json_array_length(body::json -> 'policies') = 2";
    let mut snapshots = BTreeMap::new();
    for row in service.sql(bodies).await {
        let row: Value = serde_json::from_str(&row).expect("a row is an array");
        snapshots.insert(text(&row[0]).to_owned(), versions(&row[1]["policies"], "version"));
    }
    Timeline { active_versions, snapshots }
}

fn versions(policies: &Value, member: &str) -> BTreeMap<String, u64> {
    let policies = policies.as_array().expect("a list of policies").iter();
    policies
        .map(|policy| {
            let version = policy[member].as_u64().expect("a version");
            (text(&policy["policy_id"]).to_owned(), version)
        })
        .collect()
}

fn check_versions(decision: &Value, timeline: &Timeline) {
    let active_versions = &timeline.active_versions[text(&decision["id"])];
    assert_eq!(&versions(&decision["evaluated_policies"], "version"), active_versions);
    let snapshot = &timeline.snapshots[text(&decision["policy_snapshot_id"])];
    assert_eq!(snapshot, active_versions);
    // An amount of 20,000 is too much for version 1 and fine for version 2.
    let violations = decision["result"]["violations"].as_array().expect("a list of violations");
    let violating: BTreeSet<&str> = violations
        .iter()
        .filter(|violation| violation["rule_code"] == "AMOUNT")
        .map(|violation| text(&violation["policy_id"]))
        .collect();
    let strict: BTreeSet<&str> = active_versions
        .iter()
        .filter(|(_, version)| **version == 1)
        .map(|(policy, _)| &**policy)
        .collect();
    assert_eq!(violating, strict);
}

#[tokio::test(flavor = "multi_thread")]
async fn activation_applies_to_the_next_request() {
    let (service, first) = service_with_policy().await;
    let second = service.successor(&first, &rules(50_000)).await;
    for (round, version) in [&second, &first].into_iter().cycle().take(8).enumerate() {
        service.activate(version).await;
        let body = json!({"context": payment(20_000)});
        let dry_run = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
        assert_eq!(dry_run["evaluated_policies"][0]["version"], version.number);
        let body = request(&format!("k-{round}"), 20_000);
        let record = service.key.post("/v1/decisions/record", &body).await.expect(201);
        assert_eq!(record["decision"]["policy"]["version"], version.number);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn terminated_connections_neither_lose_nor_duplicate_decisions() {
    let (service, _) = service_with_policy().await;
    let superuser = database::connect(&service.database.superuser_url).await;
    let terminate = "select pg_terminate_backend(pid)::text from pg_stat_activity \
                     where usename = 'govern_app' and datname = current_database()";
    let record_calls = async {
        let mut responses = Vec::new();
        for round in 0..10 {
            let key = |caller: usize| format!("k-{round}-{}", caller / 2);
            responses.extend(
                record_concurrently(&service, (0..16).map(|c| request(&key(c), 12_000))).await,
            );
        }
        responses
    };
    let terminations = async {
        let mut terminated = 0;
        for _ in 0..40 {
            terminated += database::texts(&superuser, terminate).await.len();
            tokio::task::yield_now().await;
        }
        terminated
    };
    let (responses, terminated) = tokio::join!(record_calls, terminations);
    assert!(terminated > 0);
    superuser.close().await.expect("the connection can be closed");
    for response in &responses {
        assert!(matches!(response.status, 200 | 201 | 503), "{response}: {}", response.text);
    }
    // Callers without a record send the request again and receive the stored record.
    let mut records = BTreeMap::new();
    for round in 0..10 {
        for caller in 0..8 {
            let key = format!("k-{round}-{caller}");
            let response = record_with_retry(&service, &request(&key, 12_000)).await;
            records.insert(
                response.json()["decision"]["id"].to_string(),
                record_text(&response).to_owned(),
            );
        }
    }
    for response in responses.iter().filter(|response| response.status < 300) {
        let id = response.json()["decision"]["id"].to_string();
        assert_eq!(records.get(&id).map(String::as_str), Some(record_text(response)));
    }
    assert_eq!(decision_count(&service).await, "80");
}

/// Sends a record call until the database is available.
async fn record_with_retry(service: &TestService, body: &Value) -> TestResponse {
    for _ in 0..50 {
        let response = service.key.post("/v1/decisions/record", body).await;
        if response.status != 503 {
            return response;
        }
    }
    panic!("the database is not available again");
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_database_returns_503_until_it_is_available_again() {
    let (service, _) = service_with_policy().await;
    let first = service.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    let admin = service.admin().await;
    let (server_url, name) = service.database.superuser_url.rsplit_once('/').expect("a URL");
    let server = database::connect(&format!("{server_url}/postgres")).await;
    let name = name.split('?').next().expect("a name");
    database::texts(&server, &format!("alter database {name} allow_connections false")).await;
    let terminate = format!(
        "select pg_terminate_backend(pid)::text from pg_stat_activity where datname = '{name}'"
    );
    database::texts(&server, &terminate).await;

    for call in [
        service.key.post("/v1/decisions/record", &request("k-2", 12_000)),
        service.key.post("/v1/decisions/evaluate", &json!({"context": payment(1)})),
        service.key.get("/v1/policies"),
        admin.get("/v1/policies"),
        admin.get("/v1/session"),
        service.public.get("/v1/ready"),
    ] {
        let response = call.clone().await;
        assert_eq!(response.to_string(), "503 SERVICE_UNAVAILABLE", "{call:?}");
        assert!(response.json()["retry_after"].as_u64().is_some_and(|seconds| seconds > 0));
    }
    service.public.get("/v1/health").await.expect(200);
    service.public.get("/v1/.well-known/signing-keys").await.expect(200);

    database::texts(&server, &format!("alter database {name} allow_connections true")).await;
    server.close().await.expect("the connection can be closed");
    let repeat = record_with_retry(&service, &request("k-1", 12_000)).await;
    assert_eq!((repeat.status, record_text(&repeat)), (200, record_text(&first)));
    service.public.get("/v1/ready").await.expect(200);
    assert_eq!(record_with_retry(&service, &request("k-2", 12_000)).await.status, 201);
    admin.get("/v1/policies").await.expect(200);
}
