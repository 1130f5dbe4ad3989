//! PostgreSQL that does not respond: all its processes are stopped for a while.

use std::time::{Duration, Instant};

use anyhow::Result;
use harness::{
    Client, Request,
    process::{self, Signal},
};
use tokio::time::sleep;

use super::Recording;
use crate::{Plan, report::Row, world::World};

/// The acknowledged records before and after the freeze.
const PROGRESS: usize = 100;

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let time = Duration::from_secs(plan.choose(5, 30));
    let mut recording = Recording::prepare(world, "freeze").await?;
    let load = recording.start(world)?;
    load.progress(PROGRESS).await?;
    let postmaster = process::postmaster(&world.service.database())?;
    // The postmaster first, so that it starts no process that would not be stopped.
    process::signal(postmaster, Signal::STOP)?;
    let mut frozen = vec![postmaster];
    for pid in process::children(postmaster) {
        process::signal(pid, Signal::STOP)?;
        frozen.push(pid);
    }
    let since = Instant::now();
    if world.service.is_ready() {
        recording.findings.push("ready although the database does not respond".to_owned());
    }
    let health = Request::new("GET", "/v1/health", "", None);
    let health = Client::new(world.service.address).send(&health).await?;
    if health.status() != 200 {
        recording.findings.push(format!("the health check returns {}", health.status()));
    }
    sleep(time.saturating_sub(since.elapsed())).await;
    let since = Instant::now();
    for pid in frozen {
        process::signal(pid, Signal::CONT)?;
    }
    recording.wait_until_ready(world, since)?;
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    let done = format!("PostgreSQL frozen for {} s", time.as_secs());
    recording.audit(world, &ledger, done).await
}
