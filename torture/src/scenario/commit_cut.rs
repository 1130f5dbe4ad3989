//! The connection to PostgreSQL cut between a commit and its answer.

use anyhow::{Context as _, Result, ensure};

use super::{Recording, two_servers::start_second};
use crate::{Plan, load::CLIENTS, proxy::Proxy, report::Row, world::World};

/// The distance between two cuts, in commits. The background tasks of the service commit too.
const CUT_EVERY: u64 = 5;

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let records = plan.choose(500, 5_000);
    let recording = Recording::prepare(world, "cut").await?;
    let socket = world.service.database().with_file_name(".s.PGSQL.5432");
    let proxy = Proxy::start(&socket, CUT_EVERY).await?;
    let url = world.service.run(&["db", "url"])?;
    let (user, _) = url.split_once('@').context("a URL with a password")?;
    let url = format!("{user}@{}/govern?sslmode=disable", proxy.address);
    let second = start_second(world, &url)?;
    let load = recording.start_at(&[second.address], CLIENTS)?;
    load.progress(records).await?;
    let ledger = load.finish().await?;
    drop(second);
    ensure!(proxy.cuts() > 0, "no connection was cut");
    let done = format!("{} connections cut between commit and answer", proxy.cuts());
    recording.audit(world, &ledger, done).await
}
