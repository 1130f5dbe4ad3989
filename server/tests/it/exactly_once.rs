//! Recording is exactly-once per idempotency key, under concurrency and connection loss.

use std::collections::BTreeMap;

use governance::base::clock::Clock;
use testkit::database;
use tokio::task::JoinSet;

use crate::{prelude::*, service::record_text};

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
