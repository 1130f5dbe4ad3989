//! Clients that send their request one byte at a time.

use std::{net::SocketAddr, time::Duration};

use anyhow::Result;
use harness::connect;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    task::JoinSet,
    time::{Instant, interval, timeout},
};

use super::Recording;
use crate::{Plan, report::Row, world::World};

const SOCKETS: usize = 500;

/// The time after which the service closes a connection whose request head is incomplete, and a margin.
const HEAD_LIMIT: Duration = Duration::from_secs(15);

pub(super) async fn run(_plan: &Plan, world: &World) -> Result<Row> {
    let mut recording = Recording::prepare(world, "slow").await?;
    let load = recording.start(world)?;
    let mut sockets = JoinSet::new();
    for _ in 0..SOCKETS {
        sockets.spawn(drip(world.service.address));
    }
    let mut longest = Duration::ZERO;
    while let Some(closed) = sockets.join_next().await {
        match closed?? {
            Some(time) => longest = longest.max(time),
            None => recording.findings.push("a slow connection stays open".to_owned()),
        }
    }
    let ledger = load.finish().await?;
    recording.forbid_failures(&ledger);
    let done = format!(
        "{SOCKETS} connections that send one byte per second, closed after {:.1} s",
        longest.as_secs_f64()
    );
    recording.audit(world, &ledger, done).await
}

/// Sends one byte per second. Returns the time after which the service closed the connection, or `None`
/// if it did not.
async fn drip(address: SocketAddr) -> Result<Option<Duration>> {
    let since = Instant::now();
    let (mut from, mut to) = connect(address).await?.into_split();
    let send = async {
        let mut second = interval(Duration::from_secs(1));
        loop {
            second.tick().await;
            if to.write_all(b"G").await.is_err() {
                return;
            }
        }
    };
    let mut answer = Vec::new();
    let closed = async {
        tokio::select! { () = send => {}, _ = from.read_to_end(&mut answer) => {} }
    };
    Ok(timeout(HEAD_LIMIT, closed).await.is_ok().then(|| since.elapsed()))
}
