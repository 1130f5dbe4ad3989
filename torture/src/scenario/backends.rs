//! All connections to PostgreSQL terminated ten times per second.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use tokio::process::Command;

use super::Recording;
use crate::{Plan, report::Row, world::World};

/// Terminates all other connections to the database every 100 ms, and reports how many.
const TERMINATE: &str = "
    do $$
    declare terminated bigint := 0; round bigint;
    begin
        for i in 1..{rounds} loop
            perform pg_stat_clear_snapshot();
            select count(*) filter (where pg_terminate_backend(pid)) into round
                from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid();
            terminated := terminated + round;
            perform pg_sleep(0.1);
        end loop;
        raise notice '% terminated', terminated;
    end $$";

/// The acknowledged records after the last termination.
const PROGRESS: usize = 40;

pub(super) async fn run(plan: &Plan, world: &mut World) -> Result<Row> {
    let rounds: u32 = plan.choose(50, 300);
    let recording = Recording::prepare(world, "backends").await?;
    let load = recording.start(world)?;
    load.progress(PROGRESS).await?;
    let url = world.service.run(&["db", "url"]).await?;
    let statement = TERMINATE.replace("{rounds}", &rounds.to_string());
    let mut psql = Command::new(psql().await?);
    psql.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &url, "-c", &statement]);
    let output = psql.kill_on_drop(true).output().await?;
    let notice = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "psql: {notice}");
    let terminated = notice.split_whitespace().nth(1).unwrap_or_default().to_owned();
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    let done = format!("{terminated} connections terminated in {rounds} rounds of 100 ms");
    recording.audit(world, &ledger, done).await
}

/// Returns the path of `psql` in the installation that the service uses.
async fn psql() -> Result<PathBuf> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/postgres-bin");
    let output = Command::new(script).output().await.context("scripts/postgres-bin")?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()).join("psql"))
}
