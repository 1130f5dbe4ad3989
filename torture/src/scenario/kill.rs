//! `kill -9` of the service under recording clients.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use super::Recording;
use crate::{Plan, report::Row, world::World};

/// The acknowledged records between a restart and the next kill.
const PROGRESS: usize = 150;

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let kills = plan.choose(5, 20);
    let mut recording = Recording::prepare(world, "kill").await?;
    let load = recording.start(world)?;
    for kill in 0..kills {
        load.progress(PROGRESS).await?;
        // A different phase of the group commit for each kill.
        sleep(Duration::from_millis(kill * 7 % 40)).await;
        world.service.kill()?;
        recording.restart(world)?;
    }
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    recording.audit(world, &ledger, format!("{kills} times `kill -9` of the service")).await
}
