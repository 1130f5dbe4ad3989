//! Webhooks: how soon receivers hear of an alert while one beside them answers nothing.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::{
    load::{Connection, Request, Seen},
    report::{Figure::Millis, Goal, Line},
    stage::Stage,
    world::World,
};

/// How many receivers answer at once.
const HEALTHY: usize = 20;

/// The path of the one that answers nothing.
const HOLE: &str = "hole";

/// How long lies between two alerts.
const PAUSE: Duration = Duration::from_millis(200);

/// An amount that is denied.
const DENIED: u32 = 600_000;

/// When 99 in 100 deliveries are to be there, in milliseconds.
const HEARD_MS: f64 = 1_000.0;

/// For how long the last deliveries are waited for.
const PATIENCE: Duration = Duration::from_secs(30);

const SUBSCRIPTIONS: &str = "/v1/alerts/subscriptions";

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let time = stage.plan.time();
    let world = stage.world()?;
    let receivers = Receivers::listen()?;
    let mut subscriptions = Vec::new();
    for name in (0..HEALTHY).map(|n| n.to_string()).chain([HOLE.to_owned()]) {
        subscriptions.push(subscribe(world, &receivers.url(&name))?);
    }
    let committed = raise(world, time)?;
    let seen = receivers.heard(&committed)?;
    for id in subscriptions {
        unsubscribe(world, &id)?;
    }
    let what = format!("webhooks, {HEALTHY} receivers beside one that hangs, from commit, p99");
    Ok(vec![Line::new(what, Millis(seen.p99_ms())).goal(Goal::AtMost(Millis(HEARD_MS)))])
}

/// Subscribes an address to every alert; gives the id.
fn subscribe(world: &mut World, url: &str) -> Result<String> {
    let body = json!({"url": url, "severity_min": "low"}).to_string();
    let headers = world.tenant.headers();
    let mut request = Request::new("POST", SUBSCRIPTIONS, &headers, Some(&body));
    let made = world.ask(&mut request, 201)?;
    let id = made.pointer("/subscription/id").and_then(Value::as_str);
    Ok(id.context("a subscription without an id")?.to_owned())
}

fn unsubscribe(world: &World, id: &str) -> Result<()> {
    let path = format!("{SUBSCRIPTIONS}/{id}");
    let mut request = Request::new("DELETE", &path, &world.tenant.headers(), None);
    Connection::open(world.service.address)?.ask(&mut request)?.expect(204)
}

/// Raises alerts, and tells of each decision when its commit was answered.
fn raise(world: &World, time: Duration) -> Result<HashMap<String, Instant>> {
    let mut connection = Connection::open(world.service.address)?;
    let (mut denied, since) = (world.tenant.record_of("agent-7", DENIED), Instant::now());
    let mut committed = HashMap::new();
    while since.elapsed() < time {
        let answer = connection.ask(&mut denied)?;
        let now = Instant::now();
        answer.expect(201)?;
        let answer: Value = serde_json::from_slice(answer.body())?;
        let id = answer.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        committed.insert(id.to_owned(), now);
        thread::sleep(PAUSE);
    }
    Ok(committed)
}

/// Receivers at one address, each with a path of its own.
#[derive(Debug)]
struct Receivers {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
}

/// One call.
#[derive(Debug)]
struct Call {
    decision: String,
    at: Instant,
}

fn locked(calls: &Mutex<Vec<Call>>) -> MutexGuard<'_, Vec<Call>> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Receivers {
    /// Listens until the run is over.
    fn listen() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let calls = Arc::<Mutex<Vec<Call>>>::default();
        let kept = Arc::clone(&calls);
        thread::spawn(move || {
            for caller in listener.incoming().flatten() {
                let calls = Arc::clone(&kept);
                // A call that breaks off is not heard, and is missed in the end.
                thread::spawn(move || serve(&caller, &calls));
            }
        });
        Ok(Self { address, calls })
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// How long after its commit each alert was heard by each of those who answer.
    fn heard(&self, committed: &HashMap<String, Instant>) -> Result<Seen> {
        let (expected, since) = (committed.len() * HEALTHY, Instant::now());
        while locked(&self.calls).len() < expected {
            let came = locked(&self.calls).len();
            ensure!(since.elapsed() < PATIENCE, "{came} of {expected} deliveries came");
            thread::sleep(Duration::from_millis(10));
        }
        let mut seen = Seen::new();
        for call in locked(&self.calls).iter() {
            let committed = committed.get(&call.decision).context("a decision of nobody")?;
            seen.note(call.at.saturating_duration_since(*committed));
        }
        Ok(seen)
    }
}

/// Takes one call in, and answers it unless it went to the hole.
fn serve(caller: &TcpStream, calls: &Mutex<Vec<Call>>) -> Result<()> {
    let (mut reader, mut head) = (BufReader::new(caller), String::new());
    while !head.ends_with("\r\n\r\n") {
        ensure!(reader.read_line(&mut head)? > 0, "a call that breaks off");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.context("a call without a length")?.parse()?];
    reader.read_exact(&mut body)?;
    let at = Instant::now();
    if head.starts_with(&format!("post /{HOLE} ")) {
        // Until the caller gives up.
        reader.read_to_end(&mut body)?;
        return Ok(());
    }
    let told: Value = serde_json::from_slice(&body)?;
    // An alert that the hole is given up is about no decision.
    if let Some(decision) = told.pointer("/alert/decision_id").and_then(Value::as_str) {
        locked(calls).push(Call { decision: decision.to_owned(), at });
    }
    let mut caller = caller;
    caller.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
    Ok(())
}
