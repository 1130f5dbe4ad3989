//! `SIGTERM` while streams are open and posts are under way.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};

use super::Recording;
use crate::{
    Plan,
    http::{self, Client, request},
    report::Row,
    world::{Tenant, World},
};

const STREAMS: usize = 50;

/// The maximum number of streams of one API key.
const STREAMS_PER_KEY: usize = 20;

const POSTS: usize = 20;

/// The time in which the service must end.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// The acknowledged records before the signal.
const PROGRESS: usize = 200;

pub(super) async fn run(plan: &Plan, world: &mut World) -> Result<Row> {
    let rounds = plan.choose(1, 5);
    let mut recording = Recording::prepare(world, "terminate").await?;
    let mut longest = Duration::ZERO;
    let load = recording.start_at(&[world.service.address], POSTS)?;
    for _ in 0..rounds {
        let mut streams = open_streams(world).await?;
        load.progress(PROGRESS).await?;
        let (status, time) = world.service.terminate().await?;
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
        recording.restart(world).await?;
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
    let (address, headers) = (world.service.address, world.tenant.headers());
    let mut streams = JoinSet::new();
    let mut tenant = world.tenant.clone();
    for number in 0..STREAMS {
        if number % STREAMS_PER_KEY == 0 {
            let body = json!({"name": "streams", "scopes": ["decisions:read"]}).to_string();
            let created = request("POST", "/v1/api-keys", &headers, Some(&body));
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
    let mut stream = http::connect(address).await?;
    let open = request("GET", "/v1/decisions/stream", &tenant.headers(), None);
    stream.write_all(open.as_bytes()).await?;
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
