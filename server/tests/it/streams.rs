//! The decision stream: order, resumption, filters and limits.

use std::{io, time::Duration};

use server::config::edge::{EdgeConfig, EdgeLimits, Rates};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::prelude::*;

pub(crate) const PATH: &str = "/v1/decisions/stream";

/// A client that reads a decision stream.
pub(crate) struct Listener {
    socket: TcpStream,
    /// Received bytes that are not decoded yet.
    raw: Vec<u8>,
    /// Decoded text that is not read yet.
    text: String,
    /// The last event ID.
    pub(crate) last: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) data: Value,
}

impl Listener {
    /// Opens a stream after the event `last`, or returns the error response.
    pub(crate) async fn open(
        client: &Client,
        path: &str,
        last: Option<&str>,
    ) -> Result<Self, TestResponse> {
        let socket = TcpSocket::new_v4().expect("a socket");
        Self::open_on(socket, client, path, last).await
    }

    /// Opens a stream and reads its first block.
    async fn start(client: &Client) -> Self {
        let mut listener = Self::open(client, PATH, None).await.expect("the stream opens");
        listener.block().await.expect("a first block");
        listener
    }

    async fn open_on(
        socket: TcpSocket,
        client: &Client,
        path: &str,
        last: Option<&str>,
    ) -> Result<Self, TestResponse> {
        Self::try_open(socket, client, path, last).await.expect("the service responds")
    }

    /// Like [`Self::open`], but returns an I/O error if the service is killed.
    pub(crate) async fn try_open(
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
        let response = TestResponse::read(&mut socket).await;
        let response = response.ok_or(io::ErrorKind::UnexpectedEof)?;
        if response.status != 200 {
            return Ok(Err(response));
        }
        assert_eq!(response.header("content-type"), Some("text/event-stream"));
        assert_eq!(response.header("cache-control"), Some("no-store"));
        Ok(Ok(Self { socket, raw: Vec::new(), text: String::new(), last: String::new() }))
    }

    /// Returns the next block of lines without its blank line, or `None` at the end of the stream.
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
            // The last chunk is empty; the connection stays open for the next request.
            let is_over = self.raw.starts_with(b"0\r\n");
            if is_over
                || !self.decode_chunk()
                    && self.socket.read_buf(&mut self.raw).await.unwrap_or(0) == 0
            {
                return None;
            }
        }
    }

    /// Decodes one received chunk; returns whether there was a complete one.
    fn decode_chunk(&mut self) -> bool {
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

    /// Returns the next event, or `None` at the end of the stream.
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

/// The IDs of all decisions of the tenant, in order.
async fn decision_ids(service: &TestService) -> Vec<String> {
    let tenant = service.tenant;
    let all =
        format!("select id::text from decisions where tenant_id = '{tenant}' order by sequence");
    service.sql(&all).await
}

#[tokio::test]
async fn every_decision_is_streamed_once_and_in_order_by_every_process() {
    const PER_WRITER: usize = 25;
    let service = test_service().await;
    service.active("PAY-01").await;
    let second = service.key.at_process_of(&service.start_process().await);
    let processes = [service.key.clone(), second];

    let mut listeners = tokio::task::JoinSet::new();
    for first in 0..2 {
        // The stream is open before the first write.
        let listener = Listener::start(&processes[first]).await;
        listeners.spawn(follow(processes.clone(), first, listener.last, 4 * PER_WRITER));
    }
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..4 {
        let process = processes[writer % 2].clone();
        writers.spawn(async move {
            for number in 0..PER_WRITER {
                let key = format!("{writer}-{number}");
                process.post("/v1/decisions/record", &request(&key, 1)).await.expect(201);
            }
        });
    }
    writers.join_all().await;
    let expected = decision_ids(&service).await;
    for ids in listeners.join_all().await {
        assert_eq!(ids, expected);
    }
}

/// Returns the IDs of `count` events, read over short connections to alternating processes.
async fn follow(
    processes: [Client; 2],
    first: usize,
    mut last: String,
    count: usize,
) -> Vec<String> {
    let (mut ids, mut connection) = (Vec::new(), first);
    while ids.len() < count {
        let result = Listener::open(&processes[connection % 2], PATH, Some(&last)).await;
        let mut listener = result.expect("the stream resumes");
        for _ in 0..(connection % 7).min(count - ids.len()) {
            let event = listener.next().await.expect("the stream is open");
            assert_eq!(event.id, listener.last);
            ids.push(text(&event.data["id"]).to_owned());
        }
        // Without an event, the ID of the first block is the position.
        if listener.last.is_empty() {
            listener.block().await.expect("a first block");
        }
        last = listener.last;
        connection += 1;
    }
    ids
}

#[testkit::test]
async fn an_event_describes_the_decision_and_matches_the_filter(service: TestService) {
    let version = service.active("PAY-01").await;
    let mut all = Listener::open(&service.key, PATH, None).await.expect("the stream opens");
    let denied = format!("{PATH}?decision=DENY&decision_type=payment");
    let mut denied = Listener::open(&service.key, &denied, None).await.expect("the stream opens");
    let loans = format!("{PATH}?decision_type=loan");
    let mut loans =
        Listener::open(&service.admin().await, &loans, None).await.expect("the stream opens");
    let start = all.block().await.expect("a first block");
    assert!(start.starts_with("retry: 3000\nid: ") && start.lines().count() == 2, "{start}");

    let record =
        async |key: &str, amount: u32| text(&service.record(key, amount).await["id"]).to_owned();
    let [low, high] = [record("low", 1).await, record("high", 20_000).await];
    let first = all.next().await.expect("an event");
    assert_eq!(first.data["id"], low.as_str());
    assert_eq!(
        (&first.data["decision"], &first.data["violations"]),
        (&json!("REVIEW"), &json!(["PURPOSE"]))
    );
    let second = all.next().await.expect("an event");
    let filtered = denied.next().await.expect("an event");
    assert_eq!(filtered.data, second.data);
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

    // The event of a decision in a chain has the chain ID.
    let chained = crate::service::chain_request("step", json!({}));
    service.key.post("/v1/decisions/record", &chained).await.expect(201);
    assert_eq!(all.next().await.expect("an event").data["chain_id"], crate::service::CHAIN);

    // A stream with another filter receives no event.
    let none = tokio::time::timeout(Duration::ZERO, loans.next()).await;
    assert!(none.is_err(), "{none:?}");
}

#[testkit::test]
async fn a_stream_can_be_resumed_for_an_hour_and_only_by_its_tenant(service: TestService) {
    service.active("PAY-01").await;
    let neighbour = service.other_tenant().await;
    let listener = Listener::start(&service.key).await;
    let last = listener.last;
    service.record("one", 1).await;

    let resume_errors = async |client: &Client, path: &str, last: &str| {
        let error = Listener::open(client, path, Some(last)).await.err().expect("a refusal");
        assert_eq!(error.status, 422, "{last}");
        error.field_errors()
    };
    service.clock.advance(60 * MINUTE_MS);
    let mut resumed =
        Listener::open(&service.key, PATH, Some(&last)).await.expect("the stream resumes");
    assert!(resumed.next().await.is_some());
    for (client, last) in [(&neighbour.key, &*last), (&service.key, "1"), (&service.key, "\u{fc}")]
    {
        assert_eq!(resume_errors(client, PATH, last).await, "/Last-Event-ID cursor\n");
    }
    service.clock.advance(1);
    assert_snapshot!(resume_errors(&service.key, PATH, &last).await, @"/Last-Event-ID cursor");
    let invalid = format!("{PATH}?decision=MAYBE&limit=1");
    assert_snapshot!(resume_errors(&service.key, &invalid, "").await, @"
    /decision format
    /limit unknown
    ");
}

/// Starts a service with this heartbeat interval of streams.
pub(crate) async fn service_with_heartbeat(interval: Duration) -> TestService {
    let limits = EdgeLimits { heartbeat_interval: interval, ..EdgeLimits::default() };
    let edge = EdgeConfig { limits, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await
}

/// A heartbeat interval that keeps tests fast.
pub(crate) const SHORT_HEARTBEAT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn a_stream_sends_heartbeats_and_ends_with_its_key_or_session() {
    let service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    let body = json!({"name": "a listener", "scopes": ["decisions:read"]});
    let created = service.key.post("/v1/api-keys", &body).await.expect(201);
    let key = service.with_key(text(&created["plaintext_key"]));
    let mut listener = Listener::start(&key).await;
    let comment = listener.block().await.expect("a heartbeat");
    assert!(comment.starts_with(": listening\nid: ") && comment.lines().count() == 2, "{comment}");
    let id = text(&created["key"]["id"]);
    let revoked = service.key.delete(format!("/v1/api-keys/{id}")).await;
    assert!(revoked.status < 300, "{revoked}");
    while listener.block().await.is_some() {}
    let viewer = service.signed_in_member(Role::Viewer).await;
    let mut listener = Listener::start(&viewer).await;
    viewer.without_session().delete("/v1/session").await;
    while listener.block().await.is_some() {}
}

#[testkit::test]
async fn streams_end_when_the_process_stops(mut service: TestService) {
    let mut listener = Listener::start(&service.key).await;
    service.stop().await.expect("the process stops without waiting for streams");
    assert_eq!(listener.block().await, None);
}

#[testkit::test]
async fn a_key_can_open_at_most_twenty_streams(service: TestService) {
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(Listener::open(&service.key, PATH, None).await.expect("the stream opens"));
    }
    let error = Listener::open(&service.key, PATH, None).await.err().expect("a refusal");
    assert_snapshot!(error, @"429 TOO_MANY_REQUESTS");
    assert_eq!(error.header("retry-after"), Some("15"));
    // Other callers are not limited, and a closed stream frees its slot.
    Listener::open(&service.admin().await, PATH, None).await.expect("the stream opens");
    open.pop();
    while Listener::open(&service.key, PATH, None).await.is_err() {}
}

/// The statement that inserts `count` copies of the only decision.
fn copy_decisions(count: usize) -> String {
    let own = "tenant_id, decision_type, decision, correlation_id, policy_id, policy_version, \
               snapshot_id, actor_id, policy_ids, rule_codes, recorded_at, texts, signature, kid, \
               request_digest";
    format!(
        "with copied as (insert into decisions ({own}, id, sequence, idempotency_key, receipt_digest) \
         select {own}, gen_random_uuid(), sequence + n, n::text, \
                sha256(n::text::bytea) \
         from decisions, generate_series(1, {count}) n returning sequence) \
         update tenant_heads set audit_seq = (select max(sequence) from copied) \
         returning audit_seq::text"
    )
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected_and_can_resume_without_gaps() {
    // More events than the socket buffers hold.
    const COUNT: usize = 12_000;
    let service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    service.active("PAY-01").await;
    service.record("one", 1).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let slow = Listener::open_on(socket, &service.key, PATH, None).await;
    let mut slow = slow.expect("the stream opens");
    slow.block().await.expect("a first block");
    service.sql(&copy_decisions(COUNT)).await;
    // The service disconnects the client while it does not read, and frees its slot.
    while service.governance.streams_open() > 0 {
        tokio::task::yield_now().await;
    }
    let mut ids = Vec::new();
    while let Some(event) = slow.next().await {
        ids.push(event.id);
    }
    assert!(ids.len() < COUNT, "the stream ended early");
    let mut last = slow.last;
    while ids.len() < COUNT {
        let result = Listener::open(&service.key, PATH, Some(&last)).await;
        let mut listener = result.expect("the stream resumes");
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
    assert_eq!(ids.len(), COUNT, "each event arrives once");
}
