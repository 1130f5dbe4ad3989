//! Limits that processes share through Redis, and what becomes of them when Redis is not there.

use std::{num::NonZeroU32, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
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

use crate::{
    client::Client,
    service::{PASSWORD, TestService, TestServiceBuilder},
};

/// A Redis of one test's own, which ends with it.
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
        kill_process(id.expect("it runs"), signal).expect("it can be told");
    }

    async fn kill(mut self) {
        self.0.kill().await.expect("it ends");
    }
}

/// Two processes on one database that share their counts.
struct Pair {
    world: TestService,
    edges: [Edge; 2],
    /// The same key at each of them.
    keys: [Client; 2],
}

impl Pair {
    /// Two who let through `limit` requests a minute of a key, and count at `port`; a count may take as long
    /// as `patience`.
    async fn of(port: u16, limit: u32, patience: Duration) -> Self {
        let limit = limit.try_into().expect("a rate is not zero");
        let edge = EdgeConfig {
            rates: Rates { key_per_min: limit, form_per_min: NonZeroU32::MIN, ..Rates::UNLIMITED },
            bounds: EdgeLimits { shared_count: patience, ..EdgeLimits::default() },
            redis: Some(format!("redis://127.0.0.1:{port}").parse().expect("an address")),
            ..EdgeConfig::default()
        };
        let world = TestServiceBuilder { edge: edge.clone(), ..TestServiceBuilder::default() }
            .world()
            .await;
        let other = Edge::new(&edge, Environment::default());
        let there = world.process_behind(other.clone()).await;
        let header = |name| world.key.header(name).expect("a key's header").to_owned();
        let names = ["x-service-tenant-id", "authorization"];
        let there = names.into_iter().fold(there, |client, name| client.with(name, header(name)));
        let keys = [world.key.clone(), there];
        Self { edges: [world.service.edge.clone(), other], world, keys }
    }

    /// Both find Redis.
    async fn share(&self) {
        for edge in &self.edges {
            assert!(edge.limits.share().await, "Redis is there");
        }
    }

    /// What the key's next request gets at one of them: `STATUS REMAINING`.
    async fn asks(&self, at: usize) -> String {
        let answer = self.keys[at].get("/v1/policies").await;
        let remaining = answer.header("rate-limit-remaining").expect("a number");
        format!("{} {remaining}", answer.status)
    }
}

/// A port that nobody listens at.
async fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    listener.local_addr().expect("it is bound").port()
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn processes_share_a_limit_and_each_counts_alone_while_redis_is_gone() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = Pair::of(port, 3, LONG).await;
    pair.share().await;
    assert_eq!(pair.asks(0).await, "200 2");
    assert_eq!(pair.asks(1).await, "200 1");
    assert_eq!(pair.asks(0).await, "200 0");
    assert_eq!(pair.asks(1).await, "429 0");
    let refused = pair.keys[0].get("/v1/policies").await;
    let wait = refused.header("retry-after").and_then(|wait| wait.parse::<u32>().ok());
    assert!(
        refused.status == 429 && wait.is_some_and(|wait| (1..=60).contains(&wait)),
        "{refused}"
    );
    // A form has one count for each address; those in one /64 count together.
    let submit = async |at: usize, form: u128, from: &str| {
        let (limits, now) = (&pair.edges[at].limits, pair.world.clock.now());
        let from = from.parse().expect("an address");
        limits.submission(Uuid::from_u128(form), from, now).await.is_ok()
    };
    assert!(submit(0, 1, "2001:db8:0:1::1").await);
    assert!(!submit(1, 1, "2001:db8:0:1:ffff::2").await);
    assert!(submit(1, 1, "2001:db8:0:2::1").await);
    assert!(submit(1, 2, "2001:db8:0:1::1").await);

    redis.kill().await;
    for left in ["200 2", "200 1", "200 0", "429 0"] {
        for process in [0, 1] {
            assert_eq!(pair.asks(process).await, left, "each has a count of its own");
        }
    }
    // Back again, with nothing counted.
    let _redis = Redis::start(port).await;
    pair.share().await;
    assert_eq!(pair.asks(1).await, "200 2");
    assert_eq!(pair.asks(0).await, "200 1");
}

#[tokio::test]
async fn processes_share_the_limits_of_failed_sign_ins() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = Pair::of(port, 99, LONG).await;
    pair.share().await;
    let sign_in = async |process: usize, password: &str| {
        let body = json!({"email": pair.world.admin_email, "password": password});
        let client = pair.keys[process].without("authorization");
        client.post("/v1/session", &body).await.status
    };
    for process in [0, 1, 0, 1] {
        assert_eq!(sign_in(process, "not the password").await, 401);
        // A correct password takes its attempt back in the shared counters too.
        assert_eq!(sign_in(process, PASSWORD).await, 200);
    }
    assert_eq!(sign_in(1, "not the password").await, 401);
    for process in [0, 1] {
        assert_eq!(sign_in(process, PASSWORD).await, 429);
    }
    redis.kill().await;
    for process in [0, 1] {
        assert_eq!(sign_in(process, PASSWORD).await, 200, "each has a count of its own");
    }
}

#[tokio::test]
async fn a_redis_that_hangs_or_says_nonsense_holds_nobody_up() {
    let port = free_port().await;
    let redis = Redis::start(port).await;
    let pair = Pair::of(port, 9, Duration::from_millis(50)).await;
    pair.share().await;
    redis.signal(Signal::STOP);
    for left in ["200 8", "200 7", "200 6"] {
        assert_eq!(pair.asks(0).await, left, "the process counts by itself");
    }
    redis.signal(Signal::CONT);
    redis.kill().await;

    let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await;
        }
    });
    pair.edges[1].limits.share().await;
    assert_eq!(pair.asks(1).await, "200 8");
}
