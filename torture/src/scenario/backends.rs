//! All connections to PostgreSQL terminated ten times per second.

use anyhow::Result;
use harness::postgres;

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

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let rounds: u32 = plan.choose(50, 300);
    let recording = Recording::prepare(world, "backends").await?;
    let load = recording.start(world)?;
    load.progress(PROGRESS).await?;
    let url = world.service.run(&["db", "url"])?;
    let statement = TERMINATE.replace("{rounds}", &rounds.to_string());
    let (_, notice) = postgres::sql(&url, &statement)?;
    let terminated = notice.split_whitespace().nth(1).unwrap_or_default().to_owned();
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    let done = format!("{terminated} connections terminated in {rounds} rounds of 100 ms");
    recording.audit(world, &ledger, done).await
}
