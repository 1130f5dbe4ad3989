//! Crash recovery: two service processes and the database are killed repeatedly while decisions are
//! recorded, streamed and delivered.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Parser;
use contract::id::TenantId;
use harness::{
    Service,
    process::{self, Signal},
};
use local_postgres::{Config, Database, OwnerKind};
use serde_json::{Value, json};
use server::command::{self, Govern};
use tempfile::TempDir;
use testkit::database::texts;
use tokio::{net::TcpSocket, task::JoinSet, time::timeout};

use crate::{
    client::{Client, text},
    service::with_key,
    streams::{Listener, PATH},
    webhooks::receiver,
};

/// The number of kills, distributed over the three processes.
const KILLS: usize = 6;

/// The number of concurrent writers.
const WRITERS: usize = 3;

const KILL_INTERVAL: Duration = Duration::from_millis(200);

/// The delay before a failed request is repeated.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The timeout of all waits. An idle machine needs a tenth of it.
///
/// Another worker can claim the delivery of a killed worker after 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(90);

/// The environment variable that makes a process of this test binary run a service.
const SERVE_VARIABLE: &str = "GOVERN_TEST_SERVE";

/// The test that runs a service when the variable is set.
const TEST: &str = "crash_recovery::decisions_are_exactly_once_across_process_crashes";

/// Runs a service with the settings of the environment until the process is killed.
async fn serve() {
    let govern = Govern::try_parse_from(["govern", "serve"]).expect("valid settings");
    command::run(govern, app::CONSOLE).await.expect("the service stops without an error");
}

/// Starts a service with its own data directory and a fixed address.
fn start(directory: &TempDir, name: &str, settings: &[(&str, String)]) -> Service {
    let program = env::current_exe().expect("the path of the test binary");
    let own = [
        (SERVE_VARIABLE, "1".to_owned()),
        ("GOVERN_LOG_ORIGIN", "log.example/crash-recovery".to_owned()),
    ];
    let directory = directory.path().join(name);
    let service = Service::new(&program, &directory, &[&own[..], settings].concat());
    let service = service.expect("a service").with_arguments(&[TEST, "--exact", "--nocapture"]);
    service.start().expect("the service is ready in time");
    service
}

/// Kills a service with `SIGKILL` and starts it again.
fn restart(service: &Service) {
    service.kill().expect("the service runs");
    service.spawn().expect("the service starts");
}

fn directory() -> TempDir {
    harness::directory("govern-crash.").expect("a new directory")
}

/// Returns the path of a file in the data directory of a service.
fn file(service: &Service, name: &str) -> String {
    service.data().join(name).to_str().expect("the path is UTF-8").to_owned()
}

/// The private database cluster of a service. The open connection keeps the cluster running.
struct Cluster {
    data: PathBuf,
    database: Database,
}

impl Cluster {
    async fn open(service: &Service) -> Self {
        let config = Config { url: None, data_dir: service.data(), pg_bin: None };
        let database = local_postgres::open(&config, OwnerKind::Command)
            .await
            .expect("the cluster is running");
        Self { data: service.database(), database }
    }

    fn kill(&self) {
        let _ = process::postmaster(&self.data)
            .and_then(|server| process::signal(server, Signal::KILL));
    }

    /// Returns the first column of a query. Waits for the database: after a kill, a service may report that it is ready
    /// before the last processes of the killed server have ended and the new server runs.
    async fn query(&self, sql: &str) -> Vec<String> {
        let connected = async {
            loop {
                match sea_orm::Database::connect(&self.database.superuser_url).await {
                    Ok(connection) => break connection,
                    Err(_) => tokio::time::sleep(RETRY_DELAY).await,
                }
            }
        };
        let connection = timeout(TIMEOUT, connected).await.expect("the database runs in time");
        let rows = texts(&connection, sql).await;
        connection.close().await.expect("the connection closes");
        rows
    }
}

/// Reads the tenant and the API key from the file of the first run.
fn credentials(owner: &Service) -> (TenantId, String) {
    let first_run = owner.first_run().expect("the first run writes the file");
    (text(&first_run["tenant_id"]).parse().expect("an id"), text(&first_run["api_key"]).to_owned())
}

async fn subscribe(client: &Client, url: String) {
    let subscription = json!({"url": url, "severity_min": "low"});
    client.post("/v1/alerts/subscriptions", &subscription).await.expect(201);
}

/// Clients of the two services with the same API key.
type Clients = [Client; 2];

/// Records decisions until `is_over` is set, alternating between the services.
///
/// Repeats each request until it succeeds. Returns the decision ID of each idempotency key.
async fn write(
    clients: Clients,
    writer: usize,
    is_over: Arc<AtomicBool>,
) -> BTreeMap<String, String> {
    let (mut created, mut attempt) = (BTreeMap::new(), writer);
    while !is_over.load(Ordering::Relaxed) {
        let key = format!("{writer}-{}", created.len());
        let body = denied(&key);
        let id = loop {
            attempt += 1;
            match clients[attempt % 2].post("/v1/decisions/record", &body).try_send().await {
                Ok(response) if matches!(response.status, 200 | 201) => {
                    let decision = response.json()["decision"].clone();
                    assert_eq!(decision["result"]["decision"], "DENY", "{decision}");
                    break text(&decision["id"]).to_owned();
                }
                Ok(response) => assert_eq!(response.status, 503, "{response}"),
                Err(_) => {}
            }
            tokio::time::sleep(RETRY_DELAY).await;
        };
        created.insert(key, id);
    }
    created
}

/// Reads the stream after event `last` until it has received `count` decisions.
///
/// Alternates between the services.
async fn listen(clients: Clients, mut last: String, count: Arc<AtomicUsize>) -> Vec<String> {
    let (mut ids, mut attempt) = (Vec::new(), 0);
    while ids.len() < count.load(Ordering::Relaxed) {
        attempt += 1;
        let socket = TcpSocket::new_v4().expect("a socket");
        let result = Listener::try_open(socket, &clients[attempt % 2], PATH, Some(&last)).await;
        let Ok(Ok(mut listener)) = result else {
            tokio::time::sleep(RETRY_DELAY).await;
            continue;
        };
        // The timeout ends the wait when no further event arrives.
        while ids.len() < count.load(Ordering::Relaxed) {
            match timeout(RETRY_DELAY, listener.next()).await {
                Ok(Some(event)) => {
                    ids.push(text(&event.data["id"]).to_owned());
                    last = event.id;
                }
                Ok(None) => break,
                Err(_) => {}
            }
        }
    }
    ids
}

/// Returns the request of a denied decision with an idempotency key.
fn denied(key: &str) -> Value {
    json!({"idempotency_key": key, "context": {"decision_type": "ai_tool_call", "fields": {}}})
}

/// Waits until no delivery is pending.
async fn wait_until_delivered(client: &Client) {
    let none_left = async {
        loop {
            let response = client.get("/v1/alerts/deliveries/stats").await;
            if response.status == 503 {
                // A service under load refuses requests; clients repeat them.
                tokio::time::sleep(KILL_INTERVAL).await;
                continue;
            }
            let stats = response.expect(200);
            let count = &stats["by_status"];
            if [&count["pending"], &count["failed"]].iter().all(|left| **left == json!(0)) {
                assert_eq!(count["dead"], 0, "{stats}");
                break;
            }
            tokio::time::sleep(KILL_INTERVAL).await;
        }
    };
    timeout(TIMEOUT, none_left).await.expect("another worker completes pending deliveries");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_are_exactly_once_across_process_crashes() {
    if env::var_os(SERVE_VARIABLE).is_some() {
        return serve().await;
    }
    let receiver = receiver::start().await;
    let directory = directory();
    let owner = start(&directory, "owner", &[("GOVERN_DEMO", "1".to_owned())]);
    let cluster = Cluster::open(&owner).await;
    let (tenant, key) = credentials(&owner);
    let second = start(
        &directory,
        "second",
        &[
            ("DATABASE_URL", cluster.database.superuser_url.clone()),
            ("GOVERN_KEYS_DIR", file(&owner, "keys")),
            ("GOVERN_SECRET_KEY_FILE", file(&owner, "secret-key.hex")),
        ],
    );
    let clients =
        [&owner, &second].map(|process| with_key(&Client::new(process.address), tenant, &key));
    subscribe(&clients[0], receiver.url("ok")).await;
    let before = cluster.query("select id::text from decisions order by sequence").await;
    let mut listener = Listener::open(&clients[0], PATH, None).await.expect("the stream is open");
    listener.block().await.expect("the start event");

    let (is_over, count) = (Arc::<AtomicBool>::default(), Arc::new(AtomicUsize::new(usize::MAX)));
    let streaming = tokio::spawn(listen(clients.clone(), listener.last, count.clone()));
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        writers.spawn(write(clients.clone(), writer, is_over.clone()));
    }
    for kill in 0..KILLS {
        tokio::time::sleep(KILL_INTERVAL).await;
        match kill % 3 {
            0 => restart(&owner),
            1 => restart(&second),
            _ => cluster.kill(),
        }
        for service in [&owner, &second] {
            service.wait_until_ready(Instant::now()).expect("the service is ready in time");
        }
    }
    is_over.store(true, Ordering::Relaxed);
    let created: BTreeMap<String, String> =
        writers.join_all().await.into_iter().flatten().collect();
    assert!(created.len() >= KILLS * WRITERS, "only {} decisions were recorded", created.len());

    // Exactly the acknowledged decisions are recorded.
    let all = cluster.query("select id::text from decisions order by sequence").await;
    let recorded = &all[before.len()..];
    let ids: BTreeSet<&String> = created.values().collect();
    assert_eq!(
        (recorded.len(), recorded.iter().collect::<BTreeSet<_>>()),
        (ids.len(), ids.clone())
    );
    // The stream has sent each decision once, in order.
    count.store(recorded.len(), Ordering::Relaxed);
    let streamed = timeout(TIMEOUT, streaming)
        .await
        .expect("the stream sends all decisions")
        .expect("the task succeeds");
    assert_eq!(streamed, recorded);
    // Each decision was delivered. Repeated deliveries have the same ID and body.
    wait_until_delivered(&clients[1]).await;
    let mut delivered = BTreeMap::new();
    for call in receiver.requests() {
        let body: Value = serde_json::from_str(&call.body).expect("JSON");
        let decision = text(&body["alert"]["decision_id"]).to_owned();
        let delivery = (call.header("x-service-delivery-id").to_owned(), call.body);
        assert_eq!(delivered.entry(decision).or_insert_with(|| delivery.clone()), &delivery);
    }
    assert_eq!(delivered.keys().collect::<BTreeSet<_>>(), ids);
    // The audit log is intact, and all decisions are in the transparency log.
    let report = clients[1].post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(report["status"], "intact");
    for id in &ids {
        let receipt =
            clients[0].get(format!("/v1/receipts/{id}?wait_for=anchor")).await.expect(200);
        assert!(receipt["transparency_anchor"].is_object(), "{receipt}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_service_completes_its_running_deliveries() {
    let receiver = receiver::start().await;
    let directory = directory();
    let process = start(&directory, "stopped", &[("GOVERN_DEMO", "1".to_owned())]);
    let (tenant, key) = credentials(&process);
    let client = with_key(&Client::new(process.address), tenant, &key);
    subscribe(&client, receiver.url("slow")).await;
    client.post("/v1/decisions/record", &denied("k")).await.expect(201);
    receiver.called(1).await;
    let (status, _) = process.terminate().expect("the service stops in time");
    assert!(status.success(), "{status}");

    process.start().expect("the service starts again");
    let cluster = Cluster::open(&process).await;
    let delivery = client.get("/v1/alerts/deliveries").await.expect(200)["items"][0].clone();
    assert_eq!(
        (&delivery["status"], &delivery["attempt_count"]),
        (&json!("delivered"), &json!(1)),
        "{delivery}"
    );
    assert_eq!(receiver.requests().len(), 1);
    drop(cluster);
}
