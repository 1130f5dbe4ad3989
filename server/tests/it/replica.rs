//! Public reads and exports from a streaming replica.

mod servers;

use std::time::{Duration, Instant};

use governance::{
    ServiceOptions,
    base::{database::CONNECTIONS_DEFAULT, replica::Replica},
};
use testkit::database::{TestDatabase, test_database, test_database_on};

use self::servers::Servers;
use crate::{prelude::*, transparency::new_sequencer};

/// The time in which a replica that runs must be used.
const USE_TIMEOUT: Duration = Duration::from_mins(1);

const EXPORT: &str = "/v1/decisions/export?recorded_from=2026-09-01T00:00:00Z\
                      &recorded_to=2026-09-02T00:00:00Z";

/// Opens the replica of a database as `govern serve` does.
async fn open_replica(servers: &Servers, database: &TestDatabase) -> Replica {
    let url = servers.on_replica(&database.app_url);
    Replica::open(&url, CONNECTIONS_DEFAULT).await.expect("the sessions are accepted")
}

/// Starts a service whose database has a replica.
async fn service_with_replica(servers: &Servers) -> TestService {
    let database = test_database_on(&servers.primary_url).await;
    servers.wait_for_replay().await;
    let replica = Some(open_replica(servers, &database).await);
    let options = ServiceOptions { replica, ..TestServiceBuilder::default().options };
    TestServiceBuilder { options, ..TestServiceBuilder::default() }.start_on(database).await
}

/// Replaces the process by a new one, which has not used its replica yet.
async fn restart(service: &mut TestService, servers: &Servers) {
    let replica = Some(open_replica(servers, &service.database).await);
    service.restart(ServiceOptions { replica, ..ServiceOptions::default() }).await;
}

/// Returns the number of reads that a server has answered: `replica` or `primary`.
async fn reads_by(service: &TestService, server: &str) -> u64 {
    let metrics = service.public.get("/metrics").await;
    let name = format!("govern_routed_reads_total{{server=\"{server}\"}} ");
    let value = metrics.text.lines().find_map(|line| line.strip_prefix(&name));
    value.map_or(0, |value| value.parse().expect("a number"))
}

/// Reads until the replica has answered, and returns the response. The replica is not used for two seconds after a
/// check for which a busy machine was too slow.
async fn read_on_replica(service: &TestService, path: &str) -> String {
    let before = reads_by(service, "replica").await;
    let since = Instant::now();
    loop {
        let response = service.key.get(path).await;
        assert_eq!(response.status, 200, "{path}: {response}");
        if reads_by(service, "replica").await > before {
            return response.text;
        }
        assert!(since.elapsed() < USE_TIMEOUT, "the replica is not used for {path}");
    }
}

fn receipt_path(decision: &Value) -> String {
    format!("/v1/receipts/{}", text(&decision["id"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_bundles_tiles_and_exports_are_read_from_the_replica() {
    let servers = Servers::start().await;
    let service = service_with_replica(&servers).await;
    service.active("PAY-01").await;
    let sequencer = new_sequencer(&service.governance);
    let decision = service.record("k-1", 12_000).await;
    append_pending(&service, &sequencer).await;
    servers.wait_for_replay().await;

    let receipt = receipt_path(&decision);
    let anchored = format!("{receipt}?wait_for=anchor");
    let bundle = format!("{receipt}/bundle?format=json");
    let id = text(&decision["id"]);
    assert!(read_on_replica(&service, &receipt).await.contains(id));
    assert!(read_on_replica(&service, &anchored).await.contains("inclusion_proof"));
    assert!(read_on_replica(&service, &bundle).await.contains(id));
    assert!(read_on_replica(&service, EXPORT).await.contains(id));
    assert!(read_on_replica(&service, "/v1/log/checkpoint").await.contains("govern.example/log/1"));
    read_on_replica(&service, "/v1/log/tile/entries/000.p/2").await;

    // A refusal of the replica is the answer too.
    let before = reads_by(&service, "replica").await + reads_by(&service, "primary").await;
    let unknown = "/v1/receipts/00000000-0000-4000-8000-000000000000";
    assert_eq!(service.public.get(unknown).await.to_string(), "404 NOT_FOUND");
    let after = reads_by(&service, "replica").await + reads_by(&service, "primary").await;
    assert_eq!(after, before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_behind_never_shows_an_earlier_state() {
    let servers = Servers::start().await;
    let mut service = service_with_replica(&servers).await;
    service.active("PAY-01").await;
    let sequencer = new_sequencer(&service.governance);
    let first = service.record("k-1", 12_000).await;
    append_pending(&service, &sequencer).await;
    servers.wait_for_replay().await;
    servers.pause_replay().await;

    // Each part starts a process that has not found out yet that the replica is behind.
    restart(&mut service, &servers).await;
    let second = service.record("k-2", 12_000).await;
    let receipt = service.public.get(receipt_path(&second)).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);

    append_pending(&service, &sequencer).await;
    restart(&mut service, &servers).await;
    let anchored = format!("{}?wait_for=anchor", receipt_path(&second));
    let anchored = service.public.get(anchored).await.expect(200);
    assert_ne!(anchored["transparency_anchor"], Value::Null);
    restart(&mut service, &servers).await;
    assert_eq!(service.public.get(receipt_path(&second)).await.expect(200), anchored);

    restart(&mut service, &servers).await;
    let bundle = format!("{}/bundle?format=json", receipt_path(&second));
    assert!(service.public.get(bundle).await.expect(200).to_string().contains("inclusion_proof"));

    restart(&mut service, &servers).await;
    let export = service.key.get(EXPORT).await;
    assert_eq!((export.status, export.text.lines().count()), (200, 2));

    restart(&mut service, &servers).await;
    let redaction = json!({"public_receipt_redaction": "values"});
    service.admin().await.patch("/v1/settings", &redaction).await.expect(200);
    let redacted = service.public.get(receipt_path(&first)).await.expect(200);
    assert_eq!(redacted["redaction"], "values");

    assert_eq!(reads_by(&service, "replica").await, 0);
    let behind = "select count(*)::text from decisions";
    let url = &service.database.superuser_url;
    assert_eq!(servers.replica_sql(url, behind).await, ["1"], "the replica is behind");
    servers.resume_replay().await;
    let redacted = read_on_replica(&service, &receipt_path(&first)).await;
    assert!(redacted.contains("\"redaction\":\"values\""), "{redacted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_replica_causes_no_error() {
    let mut servers = Servers::start().await;
    let mut service = service_with_replica(&servers).await;
    service.active("PAY-01").await;
    let receipt = receipt_path(&service.record("k-1", 12_000).await);
    read_on_replica(&service, &receipt).await;

    servers.stop_replica().await;
    let before = reads_by(&service, "primary").await;
    for _ in 0..20 {
        service.public.get(&receipt).await.expect(200);
    }
    assert_eq!(reads_by(&service, "primary").await, before + 20);

    // A process also starts without its replica, and uses it later.
    restart(&mut service, &servers).await;
    service.public.get(&receipt).await.expect(200);
    servers.start_replica().await;
    read_on_replica(&service, &receipt).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_a_replica_is_not_used() {
    let servers = Servers::start().await;
    let other = test_database_on(&servers.primary_url).await;
    servers.wait_for_replay().await;
    // The replica of another cluster, and the primary itself.
    let database = test_database().await;
    let primary = Replica::open(&database.app_url, CONNECTIONS_DEFAULT).await;
    let replicas = [open_replica(&servers, &other).await, primary.expect("a connection")];
    let mut service = TestServiceBuilder::default().start_on(database).await;
    service.active("PAY-01").await;
    let receipt = receipt_path(&service.record("k-1", 12_000).await);
    for replica in replicas {
        let replica = Some(replica);
        service.restart(ServiceOptions { replica, ..ServiceOptions::default() }).await;
        service.public.get(&receipt).await.expect(200);
        assert_eq!(reads_by(&service, "primary").await, 1);
        assert_eq!(reads_by(&service, "replica").await, 0);
    }
}

#[tokio::test]
async fn a_replica_with_another_role_is_refused() {
    let database = test_database().await;
    let error = Replica::open(&database.superuser_url, CONNECTIONS_DEFAULT).await;
    assert_snapshot!(
        error.expect_err("the session is refused"),
        @"database sessions run as `postgres` instead of `govern_app`; behind a pooler, DATABASE_URL must name the user `govern_app`"
    );
}
