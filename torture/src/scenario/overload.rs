//! Five times as many requests as the service can answer.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use harness::Client;
use tokio::{task::JoinSet, time::sleep};

use super::Recording;
use crate::{
    Plan,
    ledger::Ledger,
    load::{Run, note},
    report::Row,
    world::World,
};

/// The connections with which the capacity is measured.
const CONNECTIONS: usize = 64;

/// The connections of the overload. They exceed the number of requests that the service handles at the
/// same time, which is 1,024.
const OVERLOAD_CONNECTIONS: usize = 2_000;

const FACTOR: f64 = 5.0;

/// The minimum number of acknowledged records per second under overload, in percent of the capacity.
/// In the short form, any number above zero is enough: it is part of CI, where other work slows single seconds.
const GOODPUT_MIN_PERCENT: f64 = 80.0;

pub(super) async fn run(plan: &Plan, world: &World) -> Result<Row> {
    let time = Duration::from_secs(plan.choose(3, 20));
    let mut recording = Recording::prepare(world, "overload").await?;
    let address = world.service.address;
    let run = recording.run.clone();
    let burst = |name, connections, rate| Burst {
        run: run.clone(),
        address,
        name,
        connections,
        rate,
        time,
    };
    let (mut ledger, before) = burst("before", CONNECTIONS, None).send().await?;
    let rate = before * FACTOR;
    let (overload, goodput) = burst("overload", OVERLOAD_CONNECTIONS, Some(rate)).send().await?;
    recording.wait_until_ready(world, Instant::now())?;
    let (after_ledger, after) = burst("after", CONNECTIONS, None).send().await?;
    ledger.merge(after_ledger);
    recording.forbid_failures(&ledger);
    // Other work on the machine changes the capacity during the run.
    let share = 100.0 * goodput / before.min(after);
    if goodput == 0.0 || share < plan.choose(0.0, GOODPUT_MIN_PERCENT) {
        recording.findings.push(format!("the goodput is {share:.0} % of the capacity"));
    }
    let sent = overload.sent.len() as f64 / time.as_secs_f64();
    ledger.merge(overload);
    let done = format!(
        "capacity {before:.0}/s before and {after:.0}/s after, sent {sent:.0}/s, goodput {goodput:.0}/s"
    );
    recording.audit(world, &ledger, done).await
}

/// Requests sent on many connections for some time.
#[derive(Clone, Debug)]
struct Burst {
    run: Run,
    address: SocketAddr,
    name: &'static str,
    connections: usize,
    /// The requests that are due per second. Without it, each connection sends one after another.
    rate: Option<f64>,
    time: Duration,
}

impl Burst {
    /// Sends the requests. Returns what was acknowledged, and the number per second within the time.
    async fn send(self) -> Result<(Ledger, f64)> {
        let (next, start) = (Arc::new(AtomicUsize::new(0)), Instant::now());
        let mut clients = JoinSet::new();
        for _ in 0..self.connections {
            clients.spawn(self.clone().send_due(Arc::clone(&next), start));
        }
        let (mut ledger, mut in_time) = (Ledger::default(), 0);
        while let Some(client) = clients.join_next().await {
            let (noted, acknowledged) = client?;
            ledger.merge(noted);
            in_time += acknowledged;
        }
        Ok((ledger, in_time as f64 / self.time.as_secs_f64()))
    }

    /// Sends the next due request until the time is over. Returns the number acknowledged in time.
    async fn send_due(self, next: Arc<AtomicUsize>, start: Instant) -> (Ledger, usize) {
        let (mut ledger, mut in_time) = (Ledger::default(), 0);
        let mut client = Client::new(self.address);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let due = self
                .rate
                .map_or(start.elapsed(), |rate| Duration::from_secs_f64(number as f64 / rate));
            if due.max(start.elapsed()) >= self.time {
                return (ledger, in_time);
            }
            sleep(due.saturating_sub(start.elapsed())).await;
            let key = format!("{}-{}-{number}", self.run.name, self.name);
            let sent = self.run.sent(&key, number, None);
            let request = self.run.request(&sent);
            ledger.sent.insert(key.clone(), sent);
            let response = client.send(&request).await;
            let is_acknowledged = note(&mut ledger, &key, response);
            in_time += usize::from(is_acknowledged && start.elapsed() < self.time);
        }
    }
}
