//! Constant load for a long time: memory and descriptors of the service stay flat.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use harness::process;
use tokio::time::sleep;

use super::Recording;
use crate::{
    Plan,
    load::{CLIENTS, Load},
    report::Row,
    world::World,
};

/// The pause of each client, so that the audit takes less time than the soak.
const PAUSE: Duration = Duration::from_millis(150);

const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);

/// The growth of memory that is no leak: caches that fill, and noise.
const GROWTH_MAX_KIB: u64 = 32 << 10;

const DESCRIPTORS_GROWTH_MAX: usize = 8;

/// The memory and the descriptors of the service at some time.
#[derive(Clone, Copy, Debug)]
struct Sample {
    allocated_kib: u64,
    descriptors: usize,
}

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let time = Duration::from_mins(plan.choose(1, 20));
    let mut recording = Recording::prepare(world, "soak").await?;
    let load = Load::start(&recording.run, &[world.service.address], CLIENTS, PAUSE)?;
    let (pid, since) = (world.service.pid()?, Instant::now());
    let mut samples = Vec::new();
    while since.elapsed() < time {
        sleep(SAMPLE_INTERVAL).await;
        samples.push(Sample {
            allocated_kib: process::allocated_kib(pid)?,
            descriptors: process::descriptors(pid)?,
        });
    }
    let ledger = load.finish().await?;
    recording.forbid_failures(&ledger);
    // The first third is a warm-up.
    let third = samples.len() / 3;
    let (_, steady) = samples.split_at(third);
    let (first, last) = steady.split_at(third);
    let (first, last) = (median(first)?, median(last)?);
    let is_flat = last.allocated_kib <= first.allocated_kib + GROWTH_MAX_KIB
        && last.descriptors <= first.descriptors + DESCRIPTORS_GROWTH_MAX;
    let done = format!(
        "{} min: memory {} to {} MiB, descriptors {} to {}",
        time.as_secs() / 60,
        first.allocated_kib >> 10,
        last.allocated_kib >> 10,
        first.descriptors,
        last.descriptors,
    );
    if !is_flat {
        recording.findings.push("memory or descriptors grow".to_owned());
    }
    recording.audit(world, &ledger, done).await
}

/// Returns the median memory and the median number of descriptors.
fn median(samples: &[Sample]) -> Result<Sample> {
    let mut memory: Vec<u64> = samples.iter().map(|sample| sample.allocated_kib).collect();
    let mut descriptors: Vec<usize> = samples.iter().map(|sample| sample.descriptors).collect();
    memory.sort_unstable();
    descriptors.sort_unstable();
    let middle = samples.len() / 2;
    Ok(Sample {
        allocated_kib: *memory.get(middle).context("no sample")?,
        descriptors: *descriptors.get(middle).context("no sample")?,
    })
}
