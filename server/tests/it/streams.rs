//! The stream of decisions: each once and in order, wherever it is resumed, and no longer than it may last.

use std::{io, time::Duration};

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};
use server::config::edge::{EdgeConfig, EdgeLimits, Rates};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, TestService, TestServiceBuilder, request, world},
};

pub(crate) const PATH: &str = "/v1/decisions/stream";

/// Somebody who listens.
pub(crate) struct Listener {
    socket: TcpStream,
    /// What came and was not taken out of its chunks yet.
    raw: Vec<u8>,
    /// What came and was not read yet.
    text: String,
    /// The last id that came.
    pub(crate) last: String,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) data: Value,
}

impl Listener {
    /// Opens a stream from behind `last`; a refusal is what was answered.
    pub(crate) async fn open(
        client: &Client,
        path: &str,
        last: Option<&str>,
    ) -> Result<Self, TestResponse> {
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::on(socket, client, path, last).await
    }

    async fn on(
        socket: TcpSocket,
        client: &Client,
        path: &str,
        last: Option<&str>,
    ) -> Result<Self, TestResponse> {
        Self::tried(socket, client, path, last).await.expect("it answers")
    }

    /// As [`Self::open`], at a service that may be killed at any moment: then there is no answer.
    pub(crate) async fn tried(
        socket: TcpSocket,
        client: &Client,
        path: &str,
        last: Option<&str>,
    ) -> io::Result<Result<Self, TestResponse>> {
        let mut call = client.get(path);
        if let Some(last) = last {
            call = call.header("last-event-id", last);
        }
        let mut socket = socket.connect(client.address()).await?;
        socket.write_all(&call.head(0)).await?;
        let mut raw = Vec::new();
        let end = loop {
            if let Some(end) = raw.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            more(&mut socket, &mut raw).await?;
        };
        if !raw.starts_with(b"HTTP/1.1 200 ") {
            let head = String::from_utf8_lossy(&raw[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().expect("a number");
            while raw.len() < end + length {
                more(&mut socket, &mut raw).await?;
            }
            return Ok(Err(TestResponse::parse(&raw)));
        }
        let head = TestResponse::parse(&[&raw[..end], b"0\r\n\r\n"].concat());
        assert_eq!(head.header("content-type"), Some("text/event-stream"));
        assert_eq!(head.header("cache-control"), Some("no-store"));
        raw.drain(..end);
        Ok(Ok(Self { socket, raw, text: String::new(), last: String::new() }))
    }

    /// The next block of lines, without the blank one behind it; nothing once the stream has ended.
    pub(crate) async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(id) = block.lines().find_map(|line| line.strip_prefix("id: ")) {
                    id.clone_into(&mut self.last);
                }
                return Some(block);
            }
            // The last chunk is empty; the connection stays for whatever is asked next.
            let is_over = self.raw.starts_with(b"0\r\n");
            if is_over
                || !self.unchunk() && self.socket.read_buf(&mut self.raw).await.unwrap_or(0) == 0
            {
                return None;
            }
        }
    }

    /// Takes one chunk out of what came.
    fn unchunk(&mut self) -> bool {
        let Some(end) = self.raw.windows(2).position(|window| window == b"\r\n") else {
            return false;
        };
        let size = std::str::from_utf8(&self.raw[..end]).expect("a chunk's size is ASCII");
        let size = usize::from_str_radix(size, 16).expect("a chunk's size is hexadecimal");
        if size == 0 || self.raw.len() < end + size + 4 {
            return false;
        }
        self.text += std::str::from_utf8(&self.raw[end + 2..end + 2 + size]).expect("text");
        self.raw.drain(..end + size + 4);
        true
    }

    /// The next event; nothing once the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            let block = self.block().await?;
            let field = |name| block.lines().find_map(|line| line.strip_prefix(name));
            if let Some(data) = field("data: ") {
                assert_eq!(field("event: "), Some("decision"), "{block}");
                let id = field("id: ").expect("an event has an id").to_owned();
                return Some(Event { id, data: serde_json::from_str(data).expect("JSON") });
            }
        }
    }
}

/// Reads on, and fails at the end.
async fn more(socket: &mut TcpStream, raw: &mut Vec<u8>) -> io::Result<()> {
    match socket.read_buf(raw).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// The key and the header of the tenant, at another process.
fn at(process: &Client, own: &Client) -> Client {
    let header = |name| own.header(name).expect("a key's header").to_owned();
    let names = ["x-service-tenant-id", "authorization"];
    names.into_iter().fold(process.clone(), |client, name| client.with(name, header(name)))
}

/// All decisions of the world's first tenant, in its order.
async fn recorded(world: &TestService) -> Vec<String> {
    let tenant = world.tenant;
    let all =
        format!("select id::text from decisions where tenant_id = '{tenant}' order by sequence");
    world.sql(&all).await
}

#[tokio::test]
async fn every_decision_comes_once_and_in_order_whichever_process_wrote_or_tells_it() {
    const EACH: usize = 25;
    let world = world().await;
    world.active("PAY-01").await;
    let there = at(&world.another_process().await, &world.key);
    let processes = [world.key.clone(), there];

    let mut listeners = tokio::task::JoinSet::new();
    for first in 0..2 {
        // It stands at the beginning before anybody writes.
        let mut listener = Listener::open(&processes[first], PATH, None).await.expect("it is open");
        listener.block().await.expect("a start");
        listeners.spawn(follow(processes.clone(), first, listener.last, 4 * EACH));
    }
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..4 {
        let process = processes[writer % 2].clone();
        writers.spawn(async move {
            for number in 0..EACH {
                let key = format!("{writer}-{number}");
                process.post("/v1/decisions/record", &request(&key, 1)).await.expect(201);
            }
        });
    }
    writers.join_all().await;
    let expected = recorded(&world).await;
    for told in listeners.join_all().await {
        assert_eq!(told, expected);
    }
}

/// Listens until `count` events were told, now to one process and now to the other, and never for long.
async fn follow(
    processes: [Client; 2],
    first: usize,
    mut last: String,
    count: usize,
) -> Vec<String> {
    let (mut told, mut turn) = (Vec::new(), first);
    while told.len() < count {
        let opened = Listener::open(&processes[turn % 2], PATH, Some(&last)).await;
        let mut listener = opened.expect("it goes on");
        for _ in 0..(turn % 7).min(count - told.len()) {
            let event = listener.next().await.expect("nobody has ended it");
            assert_eq!(event.id, listener.last);
            told.push(text(&event.data["id"]).to_owned());
        }
        // Without an event, what came at the start leads on just as well.
        if listener.last.is_empty() {
            listener.block().await.expect("a start");
        }
        last = listener.last;
        turn += 1;
    }
    told
}

#[tokio::test]
async fn an_event_says_what_was_decided_and_filters_hold() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let mut all = Listener::open(&world.key, PATH, None).await.expect("it is open");
    let denied = format!("{PATH}?decision=DENY&decision_type=payment");
    let mut denied = Listener::open(&world.key, &denied, None).await.expect("it is open");
    let loans = format!("{PATH}?decision_type=loan");
    let mut loans = Listener::open(&world.admin().await, &loans, None).await.expect("it is open");
    let start = all.block().await.expect("a start");
    assert!(start.starts_with("retry: 3000\nid: ") && start.lines().count() == 2, "{start}");

    let record = async |key: &str, amount: u32| {
        let made = world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
        text(&made["decision"]["id"]).to_owned()
    };
    let [low, high] = [record("low", 1).await, record("high", 20_000).await];
    let first = all.next().await.expect("an event");
    assert_eq!(first.data["id"], low.as_str());
    assert_eq!(
        (&first.data["decision"], &first.data["violations"]),
        (&json!("REVIEW"), &json!(["PURPOSE"]))
    );
    let second = all.next().await.expect("an event");
    let only = denied.next().await.expect("an event");
    assert_eq!(only.data, second.data);
    let correlation = text(&second.data["correlation_id"]);
    assert_eq!(
        second.data,
        json!({
            "id": high, "decision_type": "payment", "decision": "DENY",
            "policy": {"id": version.policy, "code": "PAY-01", "name": "Payments", "version": 1},
            "correlation_id": correlation, "recorded_at": "2026-09-01T10:00:00.000Z",
            "violations": ["AMOUNT", "PURPOSE"],
        })
    );
    assert!(first.id != second.id && !first.id.contains(&low), "ids are opaque");

    // A chain's step says which chain.
    let chained = crate::service::chained("step", json!({}));
    world.key.post("/v1/decisions/record", &chained).await.expect(201);
    assert_eq!(all.next().await.expect("an event").data["chain_id"], crate::service::CHAIN);

    // Who listens to something else heard nothing, and resumes past all of it.
    let none = tokio::time::timeout(Duration::ZERO, loans.next()).await;
    assert!(none.is_err(), "{none:?}");
}

#[tokio::test]
async fn a_stream_is_resumed_for_an_hour_and_only_by_its_tenant() {
    let world = world().await;
    world.active("PAY-01").await;
    let neighbour = world.neighbour().await;
    let mut listener = Listener::open(&world.key, PATH, None).await.expect("it is open");
    listener.block().await.expect("a start");
    let last = listener.last;
    world.key.post("/v1/decisions/record", &request("one", 1)).await.expect(201);

    let refused = async |client: &Client, path: &str, last: &str| {
        let refused = Listener::open(client, path, Some(last)).await.err().expect("a refusal");
        assert_eq!(refused.status, 422, "{last}");
        refused.faults()
    };
    world.clock.advance(60 * MINUTE_MS);
    let mut resumed = Listener::open(&world.key, PATH, Some(&last)).await.expect("it goes on");
    assert!(resumed.next().await.is_some());
    for (client, last) in [(&neighbour.key, &*last), (&world.key, "1"), (&world.key, "\u{fc}")] {
        assert_eq!(refused(client, PATH, last).await, "/Last-Event-ID cursor\n");
    }
    world.clock.advance(1);
    assert_snapshot!(refused(&world.key, PATH, &last).await, @"/Last-Event-ID cursor");
    let asked = format!("{PATH}?decision=MAYBE&limit=1");
    assert_snapshot!(refused(&world.key, &asked, "").await, @"
    /decision format
    /limit unknown
    ");
}

/// A world whose streams look after themselves this often.
pub(crate) async fn beating(beat: Duration) -> TestService {
    let bounds = EdgeLimits { heartbeat_interval: beat, ..EdgeLimits::default() };
    let edge = EdgeConfig { bounds, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await
}

pub(crate) const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn a_stream_says_that_it_is_there_and_ends_when_its_key_is_revoked() {
    let world = beating(SHORT).await;
    let made = json!({"name": "a listener", "scopes": ["decisions:read"]});
    let made = world.key.post("/v1/api-keys", &made).await.expect(201);
    let key = crate::service::with_key(&world.public, world.tenant, text(&made["plaintext_key"]));
    let mut listener = Listener::open(&key, PATH, None).await.expect("it is open");
    listener.block().await.expect("a start");
    let comment = listener.block().await.expect("it is still there");
    assert!(comment.starts_with(": listening\nid: ") && comment.lines().count() == 2, "{comment}");
    let id = text(&made["key"]["id"]);
    let revoked = world.key.delete(format!("/v1/api-keys/{id}")).await;
    assert!(revoked.status < 300, "{revoked}");
    while listener.block().await.is_some() {}
}

#[tokio::test]
async fn a_stream_ends_when_the_person_signs_out() {
    let world = beating(SHORT).await;
    let viewer = world.person(Role::Viewer).await;
    let mut listener = Listener::open(&viewer, PATH, None).await.expect("it is open");
    listener.block().await.expect("a start");
    viewer.apart().delete("/v1/session").await;
    while listener.block().await.is_some() {}
}

#[tokio::test]
async fn streams_end_when_the_process_stops() {
    let mut world = world().await;
    let mut listener = Listener::open(&world.key, PATH, None).await.expect("it is open");
    listener.block().await.expect("a start");
    world.stop().await.expect("it stops without waiting for listeners");
    assert_eq!(listener.block().await, None);
}

#[tokio::test]
async fn a_key_has_twenty_streams_at_most() {
    let world = world().await;
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(Listener::open(&world.key, PATH, None).await.expect("it is open"));
    }
    let refused = Listener::open(&world.key, PATH, None).await.err().expect("a refusal");
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("15"));
    // Others are not held up by that; and whoever hangs up makes room.
    Listener::open(&world.admin().await, PATH, None).await.expect("it is open");
    open.pop();
    while Listener::open(&world.key, PATH, None).await.is_err() {}
}

/// So many more decisions, as copies of the only one, at the database's own speed: more than fit between
/// a process and a reader who takes nothing.
fn flood(count: usize) -> String {
    let own = "tenant_id, decision_type, decision, correlation_id, policy_id, policy_version, \
               snapshot_id, actor_id, policy_ids, rule_codes, recorded_at, record, context, \
               integrity, statement, signature, kid, request_digest";
    format!(
        "with copied as (insert into decisions ({own}, id, sequence, idempotency_key, receipt_digest) \
         select {own}, gen_random_uuid(), sequence + n, n::text, \
                encode(sha256(n::text::bytea), 'hex') \
         from decisions, generate_series(1, {count}) n returning sequence) \
         update tenant_heads set audit_seq = (select max(sequence) from copied) \
         returning audit_seq::text"
    )
}

#[tokio::test]
async fn whoever_does_not_read_is_cut_and_misses_nothing() {
    const COUNT: usize = 12_000;
    let world = beating(SHORT).await;
    world.active("PAY-01").await;
    world.key.post("/v1/decisions/record", &request("one", 1)).await.expect(201);
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let slow = Listener::on(socket, &world.key, PATH, None).await;
    let mut slow = slow.expect("it is open");
    slow.block().await.expect("a start");
    world.sql(&flood(COUNT)).await;
    // It is cut while it reads nothing: its place is free again.
    while world.governance.streams_open() > 0 {
        tokio::task::yield_now().await;
    }
    let mut ids = Vec::new();
    while let Some(event) = slow.next().await {
        ids.push(event.id);
    }
    assert!(ids.len() < COUNT, "it was cut");
    let mut last = slow.last;
    while ids.len() < COUNT {
        let opened = Listener::open(&world.key, PATH, Some(&last)).await;
        let mut listener = opened.expect("it goes on");
        while ids.len() < COUNT
            && let Some(event) = listener.next().await
        {
            ids.push(event.id);
        }
        if !listener.last.is_empty() {
            last = listener.last;
        }
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), COUNT, "each once");
}
