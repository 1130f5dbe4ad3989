//! The transparency log: how fast it takes entries in, and how soon a record is in it.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::Value;

use crate::{
    load::{Connection, Paced, Request, Seen},
    report::{
        Figure::{Millis, PerSecond},
        Goal, Line,
    },
    stage::Stage,
    world::World,
};

/// How many entries wait when the rate is measured: ten full batches.
const ENTRIES: u64 = 40_960;

/// How many are to be logged in a second.
const RATE: f64 = 2_000.0;

/// How many records are recorded in a second while anchors are waited for.
const RECORDS: u32 = 150;

/// How many anchors are waited for at once.
const READERS: usize = 4;

/// When 99 in 100 records are to be seen in the log, in milliseconds.
const VISIBLE_MS: f64 = 500.0;

/// For how long the log is waited for.
const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let time = stage.plan.time();
    let world = stage.world()?;
    let rate = rate(world)?;
    let seen = visible(world, time)?;
    Ok(vec![
        Line::new(format!("log, {ENTRIES} entries that wait"), PerSecond(rate))
            .goal(Goal::AtLeast(PerSecond(RATE))),
        Line::new(
            format!("log, from a recorded decision to its anchor, p99 at {RECORDS}/s"),
            Millis(seen.p99_ms()),
        )
        .goal(Goal::AtMost(Millis(VISIBLE_MS))),
    ])
}

/// How many entries the log takes in a second when many wait.
fn rate(world: &mut World) -> Result<f64> {
    let before = caught_up(world)?;
    let since = Instant::now();
    world.database.sql(&format!(
        "INSERT INTO log_pending (kind, digest) SELECT 'receipt', \
         encode(sha256(convert_to(clock_timestamp() || ' ' || n, 'UTF8')), 'hex') \
         FROM generate_series(1, {ENTRIES}) n"
    ))?;
    while size(world)? < before + ENTRIES {
        ensure!(since.elapsed() < PATIENCE, "the log does not come through");
        thread::sleep(Duration::from_millis(10));
    }
    Ok(ENTRIES as f64 / since.elapsed().as_secs_f64())
}

/// Waits until nothing waits, and returns how large the log then is.
fn caught_up(world: &mut World) -> Result<u64> {
    let since = Instant::now();
    while world.database.sql("SELECT count(*) FROM log_pending")? != "0" {
        ensure!(since.elapsed() < PATIENCE, "the log does not come through");
        thread::sleep(Duration::from_millis(50));
    }
    size(world)
}

/// The size in the checkpoint, its second line.
fn size(world: &World) -> Result<u64> {
    let mut request = Request::new("GET", "/v1/log/checkpoint", "", None);
    let mut connection = Connection::open(world.service.address)?;
    let answer = connection.ask(&mut request)?;
    answer.expect(200)?;
    let note = std::str::from_utf8(answer.body())?;
    Ok(note.lines().nth(1).context("a checkpoint without a size")?.parse()?)
}

/// How long it takes from the answer of a record until a read of it has the anchor, while others
/// record too.
fn visible(world: &World, time: Duration) -> Result<Seen> {
    let address = world.service.address;
    let requests = [world.tenant.record()];
    let others = Paced { address, requests: &requests, status: 201, rate: RECORDS, time };
    thread::scope(|scope| {
        let load = scope.spawn(|| others.run());
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(|| anchors(world, time))).collect();
        let mut seen = Seen::new();
        for reader in readers {
            seen.join(&reader.join().map_err(|_| anyhow!("a reader was lost"))??);
        }
        load.join().map_err(|_| anyhow!("the load was lost"))??;
        Ok(seen)
    })
}

fn anchors(world: &World, time: Duration) -> Result<Seen> {
    let mut connection = Connection::open(world.service.address)?;
    let (mut record, since) = (world.tenant.record(), Instant::now());
    let mut seen = Seen::new();
    while since.elapsed() < time {
        let answer = connection.ask(&mut record)?;
        answer.expect(201)?;
        let recorded = Instant::now();
        let answer: Value = serde_json::from_slice(answer.body())?;
        let id = answer.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        let mut read = world.tenant.get(&format!("/v1/decisions/{id}?wait_for=anchor"));
        let answer = connection.ask(&mut read)?;
        answer.expect(200)?;
        seen.note(recorded.elapsed());
        let answer: Value = serde_json::from_slice(answer.body())?;
        let anchor = answer.pointer("/result/transparency_anchor");
        ensure!(anchor.is_some(), "a decision is not in the log: {answer}");
    }
    Ok(seen)
}
