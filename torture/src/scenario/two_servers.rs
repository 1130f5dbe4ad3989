//! Two servers on one database, which receive the same keys at the same time.

use anyhow::{Context as _, Result};
use harness::Service;

use super::Recording;
use crate::{
    Plan,
    load::CLIENTS,
    report::Row,
    world::{self, World},
};

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let records = plan.choose(1_000, 5_000);
    let mut recording = Recording::prepare(world, "servers").await?;
    let url = world.service.run(&["db", "url"])?;
    let second = start_second(world, &url)?;
    let load = recording.start_at(&[world.service.address, second.address], CLIENTS)?;
    load.progress(records).await?;
    let ledger = load.finish().await?;
    recording.forbid_failures(&ledger);
    recording.audit(world, &ledger, "the same keys sent to two servers at the same time").await
}

/// Starts another service on the database of the first, with the same keys.
pub(super) fn start_second(world: &World, database_url: &str) -> Result<Service> {
    let data = world.service.data();
    let file = |name: &str| data.join(name).to_str().map(str::to_owned).context("a UTF-8 path");
    let settings = [
        ("DATABASE_URL", database_url.to_owned()),
        ("GOVERN_KEYS_DIR", file("keys")?),
        ("GOVERN_SECRET_KEY_FILE", file("secret-key.hex")?),
    ];
    let directory = world.directory("second")?;
    let second = world::service(world.service.program(), &directory, &settings)?;
    second.start().context("starting a second server")?;
    Ok(second)
}
