//! Webhooks: the time from an alert to its deliveries while one receiver does not respond.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use harness::{Connection, Request};
use serde_json::{Value, json};

use crate::{
    context::BenchContext,
    fixture::{BenchFixture, Requests},
    load::LoadResult,
    report::{Figure::Millis, Goal, ReportRow},
};

/// The number of receivers that respond.
const HEALTHY: usize = 20;

/// The path of the receiver that does not respond.
const UNRESPONSIVE: &str = "unresponsive";

/// The time between two alerts.
const PAUSE: Duration = Duration::from_millis(200);

/// An amount that is denied.
const DENIED: u32 = 600_000;

/// The target for the 99th percentile of the delivery time, in milliseconds.
const DELIVERED_MS: f64 = 1_000.0;

/// The timeout for the last deliveries.
const TIMEOUT: Duration = Duration::from_secs(30);

const SUBSCRIPTIONS: &str = "/v1/alerts/subscriptions";

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let time = cx.plan.time();
    let fixture = cx.fixture()?;
    let receivers = Receivers::listen()?;
    let mut subscriptions = Vec::new();
    for name in (0..HEALTHY).map(|n| n.to_string()).chain([UNRESPONSIVE.to_owned()]) {
        subscriptions.push(subscribe(fixture, &receivers.url(&name))?);
    }
    let committed = create_alerts(fixture, time)?;
    let result = receivers.latencies(&committed)?;
    for id in subscriptions {
        unsubscribe(fixture, &id)?;
    }
    let name = format!("webhooks, {HEALTHY} receivers and an unresponsive one, from commit, p99");
    Ok(vec![ReportRow::new(name, Millis(result.p99_ms())).goal(Goal::AtMost(Millis(DELIVERED_MS)))])
}

/// Creates a subscription of `url` to every alert and returns its ID.
fn subscribe(fixture: &mut BenchFixture, url: &str) -> Result<String> {
    let body = json!({"url": url, "severity_min": "low"}).to_string();
    let headers = fixture.tenant.headers();
    let mut request = Request::new("POST", SUBSCRIPTIONS, &headers, Some(&body));
    let created = fixture.send(&mut request, 201)?;
    let id = created.pointer("/subscription/id").and_then(Value::as_str);
    Ok(id.context("a subscription without an id")?.to_owned())
}

fn unsubscribe(fixture: &BenchFixture, id: &str) -> Result<()> {
    let path = format!("{SUBSCRIPTIONS}/{id}");
    let mut request = Request::new("DELETE", &path, &fixture.tenant.headers(), None);
    Connection::open(fixture.service.address)?.send(&mut request)?.expect(204)
}

/// Creates alerts for `time`. Returns the time at which each decision was committed, by decision
/// ID.
fn create_alerts(fixture: &BenchFixture, time: Duration) -> Result<HashMap<String, Instant>> {
    let mut connection = Connection::open(fixture.service.address)?;
    let (mut denied, since) = (fixture.tenant.record_of("agent-7", DENIED), Instant::now());
    let mut committed = HashMap::new();
    while since.elapsed() < time {
        let response = connection.send(&mut denied)?;
        let now = Instant::now();
        let response: Value = response.json(201)?;
        let id = response.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        committed.insert(id.to_owned(), now);
        thread::sleep(PAUSE);
    }
    Ok(committed)
}

/// Receivers that share an address and differ in their path.
#[derive(Debug)]
struct Receivers {
    address: SocketAddr,
    deliveries: Arc<Mutex<Vec<ReceivedDelivery>>>,
}

#[derive(Debug)]
struct ReceivedDelivery {
    decision: String,
    received_at: Instant,
}

fn lock(deliveries: &Mutex<Vec<ReceivedDelivery>>) -> MutexGuard<'_, Vec<ReceivedDelivery>> {
    deliveries.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Receivers {
    /// Starts to listen, until the process ends.
    fn listen() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let deliveries = Arc::<Mutex<Vec<ReceivedDelivery>>>::default();
        let shared = Arc::clone(&deliveries);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let deliveries = Arc::clone(&shared);
                // An interrupted request is not counted, and is missing in the total.
                thread::spawn(move || serve(&stream, &deliveries));
            }
        });
        Ok(Self { address, deliveries })
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// Waits for all deliveries to the receivers that respond, and returns their times since the
    /// commit.
    fn latencies(&self, committed: &HashMap<String, Instant>) -> Result<LoadResult> {
        let (expected, since) = (committed.len() * HEALTHY, Instant::now());
        while lock(&self.deliveries).len() < expected {
            let count = lock(&self.deliveries).len();
            ensure!(since.elapsed() < TIMEOUT, "{count} of {expected} deliveries arrived");
            thread::sleep(Duration::from_millis(10));
        }
        let mut result = LoadResult::new();
        for delivery in lock(&self.deliveries).iter() {
            let committed = committed.get(&delivery.decision).context("unknown decision")?;
            result.record(delivery.received_at.saturating_duration_since(*committed));
        }
        Ok(result)
    }
}

/// Receives one request and responds, unless it went to [`UNRESPONSIVE`].
fn serve(stream: &TcpStream, deliveries: &Mutex<Vec<ReceivedDelivery>>) -> Result<()> {
    let (mut reader, mut head) = (BufReader::new(stream), String::new());
    while !head.ends_with("\r\n\r\n") {
        ensure!(reader.read_line(&mut head)? > 0, "an interrupted request");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.context("a request without a length")?.parse()?];
    reader.read_exact(&mut body)?;
    let received_at = Instant::now();
    if head.starts_with(&format!("post /{UNRESPONSIVE} ")) {
        // Waits until the service closes the connection.
        reader.read_to_end(&mut body)?;
        return Ok(());
    }
    let body: Value = serde_json::from_slice(&body)?;
    // The alert about dead deliveries to the unresponsive receiver has no decision.
    if let Some(decision) = body.pointer("/alert/decision_id").and_then(Value::as_str) {
        lock(deliveries).push(ReceivedDelivery { decision: decision.to_owned(), received_at });
    }
    let mut stream = stream;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
    Ok(())
}
