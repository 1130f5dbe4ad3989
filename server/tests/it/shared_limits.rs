//! Rate limits that processes share through Redis, and separate limits while Redis is unavailable.

use std::{num::NonZeroU32, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use server::{
    config::{
        Environment,
        edge::{EdgeConfig, EdgeLimits, Rates},
    },
    edge::Edge,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
};
use uuid::Uuid;

use crate::prelude::*;

/// A Redis server for one test, which stops when it is dropped.
struct Redis(Child);

impl Redis {
    async fn start(port: u16) -> Self {
        let port = port.to_string();
        let mut server = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--port", &port, "--save", "", "--appendonly", "no"])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed (scripts/setup test)");
        let mut lines = BufReader::new(server.stdout.take().expect("a pipe")).lines();
        while let Some(line) = lines.next_line().await.expect("text") {
            if line.contains("Ready to accept connections") {
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Self(server);
            }
        }
        panic!("redis-server has ended");
    }

    fn signal(&self, signal: Signal) {
        let id = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        kill_process(id.expect("the server is running"), signal).expect("the signal can be sent");
    }

    async fn kill(mut self) {
        self.0.kill().await.expect("the server stops");
    }
}

/// Two processes on one database that share their counters.
struct ProcessPair {
    service: TestService,
    edges: [Edge; 2],
    /// One client for each process, both with the same API key.
    keys: [Client; 2],
}

impl ProcessPair {
    /// Starts two processes that allow each key `limit` requests per minute. They count in Redis at
    /// `port`, and each count may take `timeout`.
    async fn start(port: u16, limit: u32, timeout: Duration) -> Self {
        let limit = limit.try_into().expect("a rate is not zero");
        let edge = EdgeConfig {
            rates: Rates { key_per_min: limit, form_per_min: NonZeroU32::MIN, ..Rates::UNLIMITED },
            limits: EdgeLimits { redis_timeout: timeout, ..EdgeLimits::default() },
            redis: Some(format!("redis://127.0.0.1:{port}").parse().expect("an address")),
            ..EdgeConfig::default()
        };
        let service = TestServiceBuilder { edge: edge.clone(), ..TestServiceBuilder::default() }
            .start()
            .await;
        let other = Edge::new(&edge, Environment::default());
        let other_client = service.start_process_with_edge(other.clone()).await;
        let keys = [service.key.clone(), service.key.at_process_of(&other_client)];
        Self { edges: [service.service.edge.clone(), other], service, keys }
    }

    /// Connects both processes to Redis.
    async fn share(&self) {
        for edge in &self.edges {
            assert!(edge.limits.connect_redis().await, "Redis is reachable");
        }
    }

    /// Sends a request to one process and returns `STATUS REMAINING`.
    async fn request(&self, process: usize) -> String {
        let response = self.keys[process].get("/v1/policies").await;
        let remaining = response.header("rate-limit-remaining").expect("a number");
        format!("{} {remaining}", response.status)
    }
}

/// Returns a port that is not in use.
async fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    listener.local_addr().expect("it is bound").port()
}

const LONG_TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn processes_share_a_limit_and_count_separately_while_redis_is_down() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = ProcessPair::start(port, 3, LONG_TIMEOUT).await;
    pair.share().await;
    assert_eq!(pair.request(0).await, "200 2");
    assert_eq!(pair.request(1).await, "200 1");
    assert_eq!(pair.request(0).await, "200 0");
    assert_eq!(pair.request(1).await, "429 0");
    let error = pair.keys[0].get("/v1/policies").await;
    let wait = error.header("retry-after").and_then(|wait| wait.parse::<u32>().ok());
    assert!(error.status == 429 && wait.is_some_and(|wait| (1..=60).contains(&wait)), "{error}");
    // Form submissions are counted for each address; addresses in one /64 count together.
    let submit = async |process: usize, form: u128, address: &str| {
        let (limits, now) = (&pair.edges[process].limits, pair.service.clock.now());
        let address = address.parse().expect("an address");
        limits.count_submission(Uuid::from_u128(form), address, now).await.is_ok()
    };
    assert!(submit(0, 1, "2001:db8:0:1::1").await);
    assert!(!submit(1, 1, "2001:db8:0:1:ffff::2").await);
    assert!(submit(1, 1, "2001:db8:0:2::1").await);
    assert!(submit(1, 2, "2001:db8:0:1::1").await);

    redis.kill().await;
    for left in ["200 2", "200 1", "200 0", "429 0"] {
        for process in [0, 1] {
            assert_eq!(pair.request(process).await, left, "each process counts separately");
        }
    }
    // Redis runs again, with empty counters.
    let _redis = Redis::start(port).await;
    pair.share().await;
    assert_eq!(pair.request(1).await, "200 2");
    assert_eq!(pair.request(0).await, "200 1");
}

#[tokio::test]
async fn processes_share_the_limits_of_failed_sign_ins() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = ProcessPair::start(port, 99, LONG_TIMEOUT).await;
    pair.share().await;
    let sign_in = async |process: usize, password: &str| {
        let client = pair.keys[process].without("authorization");
        client.sign_in(&pair.service.admin_email, password).await.status
    };
    for process in [0, 1, 0, 1] {
        assert_eq!(sign_in(process, "not the password").await, 401);
        // A correct password removes its attempt from the shared counters too.
        assert_eq!(sign_in(process, PASSWORD).await, 200);
    }
    assert_eq!(sign_in(1, "not the password").await, 401);
    for process in [0, 1] {
        assert_eq!(sign_in(process, PASSWORD).await, 429);
    }
    redis.kill().await;
    for process in [0, 1] {
        assert_eq!(sign_in(process, PASSWORD).await, 200, "each process counts separately");
    }
}

#[tokio::test]
async fn a_redis_that_hangs_or_sends_invalid_replies_delays_no_request() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = ProcessPair::start(port, 9, Duration::from_millis(50)).await;
    pair.share().await;
    redis.signal(Signal::STOP);
    for left in ["200 8", "200 7", "200 6"] {
        assert_eq!(pair.request(0).await, left, "the process counts separately");
    }
    redis.signal(Signal::CONT);
    redis.kill().await;

    let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await;
        }
    });
    pair.edges[1].limits.connect_redis().await;
    assert_eq!(pair.request(1).await, "200 8");
}
