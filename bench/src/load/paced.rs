//! An open loop: requests come at a fixed rate, whether the earlier ones are answered or not.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};

use super::{Connection, Request, Seen};

/// How many connections share the work. When all of them wait for an answer, the requests that are
/// due wait too, and that time counts.
const CONNECTIONS: usize = 32;

/// How often somebody asks for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paced<'a> {
    /// Whom.
    pub(crate) address: SocketAddr,
    /// What; connections take turns in the list.
    pub(crate) requests: &'a [Request],
    /// The status of every answer; another one ends the run as an error.
    pub(crate) status: u16,
    /// Requests in a second.
    pub(crate) rate: u32,
    /// For how long.
    pub(crate) time: Duration,
}

impl Paced<'_> {
    /// Each latency counts from the moment at which its request was due, so that a server which
    /// stands still is seen by all that should have been sent meanwhile.
    pub(crate) fn run(&self) -> Result<Seen> {
        let mut clients = Vec::new();
        for request in self.requests.iter().cycle().take(CONNECTIONS) {
            clients.push((Connection::open(self.address)?, request.clone()));
        }
        let (next, from) = (AtomicU64::new(0), Instant::now());
        let mut seen = Seen::new();
        thread::scope(|scope| {
            let spawn =
                |(connection, request)| scope.spawn(|| self.ask(connection, request, &next, from));
            let running: Vec<_> = clients.into_iter().map(spawn).collect();
            for client in running {
                let part = client.join().map_err(|_| anyhow!("a client was lost"))??;
                seen.join(&part);
            }
            Ok::<_, anyhow::Error>(())
        })?;
        seen.elapsed = from.elapsed();
        Ok(seen)
    }

    /// Takes what is due next until the time is over.
    fn ask(
        &self,
        mut connection: Connection,
        mut request: Request,
        next: &AtomicU64,
        from: Instant,
    ) -> Result<Seen> {
        let mut seen = Seen::new();
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let due = Duration::from_secs_f64(turn as f64 / f64::from(self.rate));
            if due >= self.time {
                return Ok(seen);
            }
            thread::sleep((from + due).saturating_duration_since(Instant::now()));
            connection.ask(&mut request)?.expect(self.status)?;
            seen.note((from + due).elapsed());
        }
    }
}
