//! The transparency log: append rate, and the time from a record to its anchor.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, ensure};
use harness::{Connection, Request};
use serde_json::Value;

use crate::{
    context::BenchContext,
    fixture::{BenchFixture, Requests},
    load::{LoadResult, OpenLoop},
    report::{
        Figure::{Millis, PerSecond},
        Goal, ReportRow,
    },
};

/// The number of pending entries of the rate measurement: ten full batches.
const ENTRIES: u64 = 40_960;

/// The target in entries per second.
const RATE: f64 = 2_000.0;

/// The number of records per second while anchors are awaited.
const RECORDS: u32 = 150;

/// The number of readers that await anchors at the same time.
const READERS: usize = 4;

/// The target for the 99th percentile of the time to the anchor, in milliseconds.
const ANCHORED_MS: f64 = 500.0;

/// The timeout for the log to append all pending entries.
const TIMEOUT: Duration = Duration::from_mins(2);

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let time = cx.plan.time();
    let fixture = cx.fixture()?;
    let rate = append_rate(fixture)?;
    let result = time_to_anchor(fixture, time)?;
    Ok(vec![
        ReportRow::new(format!("log, {ENTRIES} pending entries"), PerSecond(rate))
            .goal(Goal::AtLeast(PerSecond(RATE))),
        ReportRow::new(
            format!("log, from a recorded decision to its anchor, p99 at {RECORDS}/s"),
            Millis(result.p99_ms()),
        )
        .goal(Goal::AtMost(Millis(ANCHORED_MS))),
    ])
}

/// Returns the append rate of the log, in entries per second, when many are pending.
fn append_rate(fixture: &mut BenchFixture) -> Result<f64> {
    let before = wait_until_empty(fixture)?;
    let since = Instant::now();
    fixture.database.sql(&format!(
        "INSERT INTO log_pending (kind, digest) SELECT 'receipt', \
         sha256(convert_to(clock_timestamp() || ' ' || n, 'UTF8')) \
         FROM generate_series(1, {ENTRIES}) n"
    ))?;
    while log_size(fixture)? < before + ENTRIES {
        ensure!(since.elapsed() < TIMEOUT, "the log did not append all pending entries in time");
        thread::sleep(Duration::from_millis(10));
    }
    Ok(ENTRIES as f64 / since.elapsed().as_secs_f64())
}

/// Waits until no entry is pending and returns the size of the log.
fn wait_until_empty(fixture: &mut BenchFixture) -> Result<u64> {
    let since = Instant::now();
    while fixture.database.sql("SELECT count(*) FROM log_pending")? != "0" {
        ensure!(since.elapsed() < TIMEOUT, "the log did not append all pending entries in time");
        thread::sleep(Duration::from_millis(50));
    }
    log_size(fixture)
}

/// Returns the log size from the second line of the checkpoint.
fn log_size(fixture: &BenchFixture) -> Result<u64> {
    let mut request = Request::new("GET", "/v1/log/checkpoint", "", None);
    let mut connection = Connection::open(fixture.service.address)?;
    let response = connection.send(&mut request)?;
    response.expect(200)?;
    let note = std::str::from_utf8(response.body())?;
    Ok(note.lines().nth(1).context("a checkpoint without a size")?.parse()?)
}

/// Measures the time from the response of a record until a read returns its anchor, while other
/// clients record.
fn time_to_anchor(fixture: &BenchFixture, time: Duration) -> Result<LoadResult> {
    let address = fixture.service.address;
    let requests = [fixture.tenant.record()];
    let background = OpenLoop { address, requests: &requests, status: 201, rate: RECORDS, time };
    thread::scope(|scope| {
        let load = scope.spawn(|| background.run());
        let readers: Vec<_> =
            (0..READERS).map(|_| scope.spawn(|| await_anchors(fixture, time))).collect();
        let mut result = LoadResult::new();
        for reader in readers {
            result.merge(&reader.join().map_err(|_| anyhow!("a reader was lost"))??);
        }
        load.join().map_err(|_| anyhow!("the load was lost"))??;
        Ok(result)
    })
}

fn await_anchors(fixture: &BenchFixture, time: Duration) -> Result<LoadResult> {
    let mut connection = Connection::open(fixture.service.address)?;
    let (mut record, since) = (fixture.tenant.record(), Instant::now());
    let mut result = LoadResult::new();
    while since.elapsed() < time {
        let response = connection.send(&mut record)?;
        let recorded = Instant::now();
        let response: Value = response.json(201)?;
        let id = response.pointer("/decision/id").and_then(Value::as_str).context("no id")?;
        let mut read = fixture.tenant.get(&format!("/v1/decisions/{id}?wait_for=anchor"));
        let response = connection.send(&mut read)?;
        result.record(recorded.elapsed());
        let response: Value = response.json(200)?;
        let anchor = response.pointer("/result/transparency_anchor");
        ensure!(anchor.is_some(), "a decision is not anchored: {response}");
    }
    Ok(result)
}
