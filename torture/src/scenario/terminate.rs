//! `SIGTERM` while streams are open and posts are under way.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Result, ensure};
use harness::{Client, Tenant, connect};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};

use super::Recording;
use crate::{Plan, report::Row, world::World};

const STREAMS: usize = 50;

/// The maximum number of streams of one API key.
const STREAMS_PER_KEY: usize = 20;

const POSTS: usize = 20;

/// The time in which the service must end.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// The acknowledged records before the signal.
const PROGRESS: usize = 200;

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let rounds = plan.choose(1, 5);
    let mut recording = Recording::prepare(world, "terminate").await?;
    let mut longest = Duration::ZERO;
    let load = recording.start_at(&[world.service.address], POSTS)?;
    for _ in 0..rounds {
        let mut streams = open_streams(world).await?;
        load.progress(PROGRESS).await?;
        let (status, time) = world.service.terminate()?;
        if !status.success() || time > STOP_LIMIT {
            let finding = format!("ended with {status} after {:.1} s", time.as_secs_f64());
            recording.findings.push(finding);
        }
        longest = longest.max(time);
        while let Some(events) = streams.join_next().await {
            if events?? == 0 {
                recording.findings.push("a stream received no event".to_owned());
            }
        }
        recording.restart(world)?;
    }
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    let done = format!(
        "{rounds} times `SIGTERM` with {STREAMS} streams and {POSTS} posts, ended after {:.1} s",
        longest.as_secs_f64()
    );
    recording.audit(world, &ledger, done).await
}

/// Opens the streams. Each task ends with its stream and returns the number of received events.
async fn open_streams(world: &World) -> Result<JoinSet<Result<usize>>> {
    let address = world.service.address;
    let mut streams = JoinSet::new();
    let mut tenant = world.tenant.clone();
    for number in 0..STREAMS {
        if number % STREAMS_PER_KEY == 0 {
            let body = json!({"name": "streams", "scopes": ["decisions:read"]});
            let created = world.tenant.post("/v1/api-keys", &body);
            let created: Value = Client::new(address).send(&created).await?.json(201)?;
            let key = created["plaintext_key"].as_str().unwrap_or_default().to_owned();
            tenant = tenant.with_key(key);
        }
        let stream = open_stream(address, &tenant).await?;
        streams.spawn(count_events(stream));
    }
    Ok(streams)
}

async fn open_stream(address: SocketAddr, tenant: &Tenant) -> Result<TcpStream> {
    let mut stream = connect(address).await?;
    stream.write_all(tenant.get("/v1/decisions/stream").bytes()).await?;
    let mut status = [0; 12];
    timeout(STOP_LIMIT, stream.read_exact(&mut status)).await??;
    ensure!(&status == b"HTTP/1.1 200", "a stream was not opened");
    Ok(stream)
}

/// Reads a stream until the service closes it.
async fn count_events(mut stream: TcpStream) -> Result<usize> {
    let mut text = Vec::new();
    let end = stream.read_to_end(&mut text).await;
    ensure!(end.is_ok(), "a stream was reset instead of closed");
    Ok(String::from_utf8_lossy(&text).matches("event: decision").count())
}
