//! Open loop: sends requests at a fixed rate, whether or not earlier ones have been answered.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use harness::{Connection, Request};

use super::LoadResult;

/// The number of connections. When all of them wait for a response, due requests wait too, and that
/// time counts.
const CONNECTIONS: usize = 32;

#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenLoop<'a> {
    pub(crate) address: SocketAddr,
    /// The requests; connection n repeats request n, wrapping around the list.
    pub(crate) requests: &'a [Request],
    /// The expected status; any other status ends the run with an error.
    pub(crate) status: u16,
    /// Requests per second.
    pub(crate) rate: u32,
    pub(crate) time: Duration,
}

impl OpenLoop<'_> {
    /// Runs the load. Each latency counts from the time at which the request was due, so a pause of
    /// the server adds to the latency of every request that was due during it.
    pub(crate) fn run(&self) -> Result<LoadResult> {
        let mut clients = Vec::new();
        for request in self.requests.iter().cycle().take(CONNECTIONS) {
            clients.push((Connection::open(self.address)?, request.clone()));
        }
        let (next, start) = (AtomicU64::new(0), Instant::now());
        let mut result = LoadResult::new();
        thread::scope(|scope| {
            let spawn = |(connection, request)| {
                scope.spawn(|| self.run_client(connection, request, &next, start))
            };
            let running: Vec<_> = clients.into_iter().map(spawn).collect();
            for client in running {
                let partial = client.join().map_err(|_| anyhow!("a client was lost"))??;
                result.merge(&partial);
            }
            Ok::<_, anyhow::Error>(())
        })?;
        result.elapsed = start.elapsed();
        Ok(result)
    }

    /// Sends the next due request until the time is over.
    fn run_client(
        &self,
        mut connection: Connection,
        mut request: Request,
        next: &AtomicU64,
        start: Instant,
    ) -> Result<LoadResult> {
        let mut result = LoadResult::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let due = Duration::from_secs_f64(number as f64 / f64::from(self.rate));
            if due >= self.time {
                return Ok(result);
            }
            thread::sleep((start + due).saturating_duration_since(Instant::now()));
            connection.send(&mut request)?.expect(self.status)?;
            result.record((start + due).elapsed());
        }
    }
}
