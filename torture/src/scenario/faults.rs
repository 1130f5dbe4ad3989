//! Faults of the service and of PostgreSQL under the usual load.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use harness::{
    Client, Request, Service, postgres,
    process::{self, Signal},
};
use tokio::time::{sleep, timeout};

use super::Recording;
use crate::{
    Plan,
    load::CLIENTS,
    proxy::Proxy,
    report::Row,
    world::{self, World},
};

/// Ends the service with `kill -9`.
pub(super) async fn kill(plan: &Plan, world: &World) -> Result<Row> {
    let kills = plan.choose(5, 20);
    let mut recording = Recording::prepare(world, "kill").await?;
    let kill = async |recording: &mut Recording, round| {
        // A different phase of the group commit for each kill.
        sleep(Duration::from_millis(round * 7 % 40)).await;
        world.service.kill()?;
        recording.restart(world)
    };
    let ledger = recording.inject(world, kills, kill).await?;
    recording.audit(world, &ledger, format!("{kills} times `kill -9` of the service")).await
}

/// The time in which PostgreSQL must end after the signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Stops PostgreSQL immediately. The service starts it again.
pub(super) async fn database_stops(plan: &Plan, world: &World) -> Result<Row> {
    let stops = plan.choose(3, 10);
    let mut recording = Recording::prepare(world, "stops").await?;
    let stop = async |recording: &mut Recording, _| {
        let since = Instant::now();
        let database = world.service.database();
        let postmaster = process::postmaster(&database)?;
        process::signal(postmaster, Signal::QUIT)?;
        // Until the stopped server is gone, the service may still report that it is ready.
        let stopped = async {
            while process::postmaster(&database).is_ok_and(|pid| pid == postmaster) {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(STOP_TIMEOUT, stopped).await.context("PostgreSQL does not stop")?;
        recording.wait_until_ready(world, since)
    };
    let ledger = recording.inject(world, stops, stop).await?;
    recording.audit(world, &ledger, format!("{stops} immediate stops of PostgreSQL")).await
}

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

/// Terminates all connections to PostgreSQL ten times per second.
pub(super) async fn backends(plan: &Plan, world: &World) -> Result<Row> {
    let rounds: u32 = plan.choose(50, 300);
    let mut recording = Recording::prepare(world, "backends").await?;
    let mut notice = String::new();
    let terminate = async |_: &mut Recording, _| {
        let url = world.service.run(&["db", "url"])?;
        (_, notice) = postgres::sql(&url, &TERMINATE.replace("{rounds}", &rounds.to_string()))?;
        Ok(())
    };
    let ledger = recording.inject(world, 1, terminate).await?;
    let terminated = notice.split_whitespace().nth(1).unwrap_or_default();
    let done = format!("{terminated} connections terminated in {rounds} rounds of 100 ms");
    recording.audit(world, &ledger, done).await
}

/// Stops all processes of PostgreSQL for a while, so that it does not respond.
pub(super) async fn freeze(plan: &Plan, world: &World) -> Result<Row> {
    let time = Duration::from_secs(plan.choose(5, 30));
    let mut recording = Recording::prepare(world, "freeze").await?;
    let freeze = async |recording: &mut Recording, _| {
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
        recording.wait_until_ready(world, since)
    };
    let ledger = recording.inject(world, 1, freeze).await?;
    let done = format!("PostgreSQL frozen for {} s", time.as_secs());
    recording.audit(world, &ledger, done).await
}

/// The distance between two cuts, in commits. The background tasks of the service commit too.
const CUT_EVERY: u64 = 5;

/// Cuts the connection to PostgreSQL between a commit and its answer.
pub(super) async fn commit_cut(plan: &Plan, world: &World) -> Result<Row> {
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

/// Sends the same keys to two servers on one database at the same time.
pub(super) async fn two_servers(plan: &Plan, world: &World) -> Result<Row> {
    let records = plan.choose(1_000, 5_000);
    let mut recording = Recording::prepare(world, "servers").await?;
    let second = start_second(world, &world.service.run(&["db", "url"])?)?;
    let load = recording.start_at(&[world.service.address, second.address], CLIENTS)?;
    load.progress(records).await?;
    let ledger = load.finish().await?;
    recording.forbid_failures(&ledger);
    recording.audit(world, &ledger, "the same keys sent to two servers at the same time").await
}

/// Starts another service on the database of the first, with the same keys.
fn start_second(world: &World, database_url: &str) -> Result<Service> {
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
