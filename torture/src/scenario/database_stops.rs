//! Immediate stops of PostgreSQL, which the service starts again.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use harness::process::{self, Signal};
use tokio::time::{sleep, timeout};

use super::Recording;
use crate::{Plan, report::Row, world::World};

/// The acknowledged records between a recovery and the next stop.
const PROGRESS: usize = 150;

/// The time in which the server must end after the signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let stops = plan.choose(3, 10);
    let mut recording = Recording::prepare(world, "stops").await?;
    let load = recording.start(world)?;
    for _ in 0..stops {
        load.progress(PROGRESS).await?;
        let since = Instant::now();
        let postmaster = process::postmaster(&world.service.database())?;
        process::signal(postmaster, Signal::QUIT)?;
        // Until the stopped server is gone, the service may still report that it is ready.
        let database = world.service.database();
        let stopped = async {
            while process::postmaster(&database).is_ok_and(|pid| pid == postmaster) {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(STOP_TIMEOUT, stopped).await.context("PostgreSQL does not stop")?;
        recording.wait_until_ready(world, since)?;
    }
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    recording.audit(world, &ledger, format!("{stops} immediate stops of PostgreSQL")).await
}
