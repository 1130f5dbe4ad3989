//! Processes that are killed again and again while decisions are recorded, told and delivered: the service
//! that keeps the database, the one beside it, and the database itself. Nothing is lost, nothing is there twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use clap::Parser;
use contract::id::TenantId;
use local_postgres::{Config, Database, OwnerKind};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use server::command::{self, Govern};
use testkit::database::{connect, texts};
use tokio::{net::TcpSocket, task::JoinSet, time::timeout};

use crate::{
    client::{Client, text},
    service::with_key,
    streams::{Listener, PATH},
    webhooks::receiver::Receiver,
};

/// How often one of the three is killed.
const KILLS: usize = 6;

/// How many write all the while.
const WRITERS: usize = 3;

/// How long everybody may write between two kills.
const QUIET: Duration = Duration::from_millis(200);

/// Until a call that got no answer is made again.
const SOON: Duration = Duration::from_millis(50);

/// What nobody waits for in vain: a machine at rest needs a tenth of it, but for a delivery whose sender was
/// killed, which is another's after 30 seconds.
const LONG: Duration = Duration::from_secs(90);

/// What makes a process of these tests a service.
const SERVES: &str = "GOVERN_KILLS_SERVES";

/// The test whose process becomes one.
const TEST: &str = "crash_recovery::nothing_is_lost_and_nothing_is_there_twice";

/// Serves by the settings of the environment until somebody kills it.
async fn serve() {
    let govern = Govern::try_parse_from(["govern", "serve"]).expect("settings that it takes");
    command::run(govern).await.expect("it stops when it is told to");
}

/// A service that may be killed.
struct Process {
    data: PathBuf,
    address: SocketAddr,
    settings: Vec<(&'static str, String)>,
    child: Child,
}

impl Process {
    /// Starts on a data folder of its own, at an address that stays its own.
    fn new(name: &str, settings: Vec<(&'static str, String)>) -> Self {
        let data = env::temp_dir().join(format!("govern-kills-{}-{name}", std::process::id()));
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = socket.local_addr().expect("it is bound");
        drop(socket);
        let child = Self::begin(&data, address, &settings);
        Self { data, address, settings, child }
    }

    fn begin(data: &Path, address: SocketAddr, settings: &[(&'static str, String)]) -> Child {
        Command::new(env::current_exe().expect("these tests"))
            .args([TEST, "--exact", "--nocapture"])
            .env(SERVES, "1")
            .env_remove("DATABASE_URL")
            .env("GOVERN_DATA_DIR", data)
            .env("GOVERN_ADDR", address.to_string())
            .env("GOVERN_LOG_ORIGIN", "log.example/kills")
            .env("GOVERN_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8")
            .envs(settings.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .spawn()
            .expect("a process starts")
    }

    fn start(&mut self) {
        self.child = Self::begin(&self.data, self.address, &self.settings);
    }

    /// What `kill -9` does.
    fn kill(&mut self) {
        self.child.kill().expect("it was there");
        self.child.wait().expect("it was ours");
    }

    async fn is_ready(&self) {
        let public = Client::new(self.address);
        let ready = async {
            while !public.get("/v1/ready").try_send().await.is_ok_and(|answer| answer.status == 200)
            {
                tokio::time::sleep(SOON).await;
            }
        };
        timeout(LONG, ready).await.expect("it comes back");
    }

    fn file(&self, name: &str) -> String {
        self.data.join(name).to_str().expect("a path that is text").to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.data);
    }
}

/// The private cluster of a service, kept running by being in use here too.
struct Store {
    /// Where its files are, which is elsewhere for root.
    home: PathBuf,
    database: Database,
}

impl Store {
    async fn of(process: &Process) -> Self {
        let config = Config { url: None, data_dir: process.data.clone(), pg_bin: None };
        let elsewhere = fs::read_to_string(process.data.join("postgres.path"));
        let home = elsewhere.map_or_else(|_| process.data.join("postgres"), PathBuf::from);
        let database =
            local_postgres::open(&config, OwnerKind::Command).await.expect("it is running");
        Self { home, database }
    }

    /// The number of the server process.
    fn server(&self) -> Option<Pid> {
        let lock = fs::read_to_string(self.home.join("data/postmaster.pid")).ok()?;
        Pid::from_raw(lock.lines().next()?.parse().ok()?)
    }

    fn kill(&self, how: Signal) {
        let _ = self.server().map(|server| kill_process(server, how));
    }

    async fn ask(&self, sql: &str) -> Vec<String> {
        let connection = connect(&self.database.superuser_url).await;
        let found = texts(&connection, sql).await;
        connection.close().await.expect("it closes");
        found
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.kill(Signal::QUIT);
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// How to come in, as the first start tells it.
fn credentials(keeper: &Process) -> (TenantId, String) {
    let told = fs::read(keeper.file("first-run.json")).expect("the first start tells it");
    let told: Value = serde_json::from_slice(&told).expect("JSON");
    (text(&told["tenant_id"]).parse().expect("an id"), text(&told["api_key"]).to_owned())
}

async fn subscribe(door: &Client, url: String) {
    let subscription = json!({"url": url, "severity_min": "low"});
    door.post("/v1/alerts/subscriptions", &subscription).await.expect(201);
}

/// The same caller at each of the two services.
type Doors = [Client; 2];

/// Records until it is told to stop: each decision is asked for, now here and now there, until somebody says
/// that it is on record. Gives the id that each key got.
async fn write(doors: Doors, writer: usize, is_over: Arc<AtomicBool>) -> BTreeMap<String, String> {
    let (mut made, mut turn) = (BTreeMap::new(), writer);
    while !is_over.load(Ordering::Relaxed) {
        let key = format!("{writer}-{}", made.len());
        let body = denied(&key);
        let id = loop {
            turn += 1;
            match doors[turn % 2].post("/v1/decisions/record", &body).try_send().await {
                Ok(answer) if matches!(answer.status, 200 | 201) => {
                    let decision = answer.json()["decision"].clone();
                    assert_eq!(decision["result"]["decision"], "DENY", "{decision}");
                    break text(&decision["id"]).to_owned();
                }
                Ok(answer) => assert_eq!(answer.status, 503, "{answer}"),
                Err(_) => {}
            }
            tokio::time::sleep(SOON).await;
        };
        made.insert(key, id);
    }
    made
}

/// Listens behind `last`, now here and now there, until it was told of `count` decisions.
async fn listen(doors: Doors, mut last: String, count: Arc<AtomicUsize>) -> Vec<String> {
    let (mut told, mut turn) = (Vec::new(), 0);
    while told.len() < count.load(Ordering::Relaxed) {
        turn += 1;
        let socket = TcpSocket::new_v4().expect("a socket");
        let opened = Listener::tried(socket, &doors[turn % 2], PATH, Some(&last)).await;
        let Ok(Ok(mut listener)) = opened else {
            tokio::time::sleep(SOON).await;
            continue;
        };
        // It may be that nothing more comes.
        while told.len() < count.load(Ordering::Relaxed) {
            match timeout(SOON, listener.next()).await {
                Ok(Some(event)) => {
                    told.push(text(&event.data["id"]).to_owned());
                    last = event.id;
                }
                Ok(None) => break,
                Err(_) => {}
            }
        }
    }
    told
}

/// One decision that is denied, under a key.
fn denied(key: &str) -> Value {
    json!({"idempotency_key": key, "context": {"decision_type": "ai_tool_call", "fields": {}}})
}

/// Waits until nothing is left to deliver.
async fn all_delivered(door: &Client) {
    let none_left = async {
        loop {
            let stats = door.get("/v1/alerts/deliveries/stats").await.expect(200);
            let count = &stats["by_status"];
            if [&count["pending"], &count["failed"]].iter().all(|left| **left == json!(0)) {
                assert_eq!(count["dead"], 0, "{stats}");
                break;
            }
            tokio::time::sleep(QUIET).await;
        }
    };
    timeout(LONG, none_left).await.expect("what was begun is delivered by somebody else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_there_twice() {
    if env::var_os(SERVES).is_some() {
        return serve().await;
    }
    let receiver = Receiver::start().await;
    let mut keeper = Process::new("keeper", vec![("GOVERN_DEMO", "1".to_owned())]);
    keeper.is_ready().await;
    let store = Store::of(&keeper).await;
    let (tenant, key) = credentials(&keeper);
    let mut second = Process::new(
        "second",
        vec![
            ("DATABASE_URL", store.database.superuser_url.clone()),
            ("GOVERN_KEYS_DIR", keeper.file("keys")),
            ("GOVERN_SECRET_KEY_FILE", keeper.file("secret-key.hex")),
        ],
    );
    second.is_ready().await;
    let doors =
        [&keeper, &second].map(|process| with_key(&Client::new(process.address), tenant, &key));
    subscribe(&doors[0], receiver.url("ok")).await;
    let before = store.ask("select id::text from decisions order by sequence").await;
    let mut listener = Listener::open(&doors[0], PATH, None).await.expect("it is open");
    listener.block().await.expect("a start");

    let (is_over, count) = (Arc::<AtomicBool>::default(), Arc::new(AtomicUsize::new(usize::MAX)));
    let told = tokio::spawn(listen(doors.clone(), listener.last, count.clone()));
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        writers.spawn(write(doors.clone(), writer, is_over.clone()));
    }
    for kill in 0..KILLS {
        tokio::time::sleep(QUIET).await;
        match kill % 3 {
            0 => {
                keeper.kill();
                keeper.start();
            }
            1 => {
                second.kill();
                second.start();
            }
            _ => store.kill(Signal::KILL),
        }
        tokio::join!(keeper.is_ready(), second.is_ready());
    }
    is_over.store(true, Ordering::Relaxed);
    let made: BTreeMap<String, String> = writers.join_all().await.into_iter().flatten().collect();
    assert!(made.len() >= KILLS * WRITERS, "{} are too few to show anything", made.len());

    // What was answered is on record, and nothing besides.
    let all = store.ask("select id::text from decisions order by sequence").await;
    let recorded = &all[before.len()..];
    let ids: BTreeSet<&String> = made.values().collect();
    assert_eq!(
        (recorded.len(), recorded.iter().collect::<BTreeSet<_>>()),
        (ids.len(), ids.clone())
    );
    // Each was told once, in its place.
    count.store(recorded.len(), Ordering::Relaxed);
    let told = timeout(LONG, told).await.expect("all are told").expect("it heard all");
    assert_eq!(told, recorded);
    // Each rang, and what rang twice was the same delivery with the same words.
    all_delivered(&doors[1]).await;
    let mut rang = BTreeMap::new();
    for call in receiver.calls() {
        let body: Value = serde_json::from_str(&call.body).expect("JSON");
        let decision = text(&body["alert"]["decision_id"]).to_owned();
        let delivery = (call.header("x-service-delivery-id").to_owned(), call.body);
        assert_eq!(rang.entry(decision).or_insert_with(|| delivery.clone()), &delivery);
    }
    assert_eq!(rang.keys().collect::<BTreeSet<_>>(), ids);
    // The records hold together, and all of them are in the transparency log.
    let report = doors[1].post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(report["status"], "intact");
    for id in &ids {
        let receipt = doors[0].get(format!("/v1/receipts/{id}?wait_for=anchor")).await.expect(200);
        assert!(receipt["transparency_anchor"].is_object(), "{receipt}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_is_told_to_stop_finishes_what_it_delivers() {
    let receiver = Receiver::start().await;
    let mut process = Process::new("stopped", vec![("GOVERN_DEMO", "1".to_owned())]);
    process.is_ready().await;
    let (tenant, key) = credentials(&process);
    let door = with_key(&Client::new(process.address), tenant, &key);
    subscribe(&door, receiver.url("slow")).await;
    door.post("/v1/decisions/record", &denied("k")).await.expect(201);
    receiver.called(1).await;
    let number = process.child.id().try_into().ok().and_then(Pid::from_raw).expect("a process");
    kill_process(number, Signal::TERM).expect("it runs");
    let ended = tokio::task::spawn_blocking(move || {
        let status = process.child.wait().expect("it was ours");
        (process, status)
    });
    let (mut process, status) = timeout(LONG, ended).await.expect("it stops").expect("it stopped");
    assert!(status.success(), "{status}");

    process.start();
    process.is_ready().await;
    let store = Store::of(&process).await;
    let own = door.get("/v1/alerts/deliveries").await.expect(200)["items"][0].clone();
    assert_eq!((&own["status"], &own["attempt_count"]), (&json!("delivered"), &json!(1)), "{own}");
    assert_eq!(receiver.calls().len(), 1);
    drop(store);
}
