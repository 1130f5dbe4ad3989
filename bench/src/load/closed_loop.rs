//! A closed loop: each connection sends its next request after it received the response to its last
//! one.

use std::{
    cell::RefCell,
    net::SocketAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use harness::{Request, Response};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinSet, LocalSet},
};

use super::LoadResult;

/// The end of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StopAfter {
    /// Ends after this time. Before it, a warm-up of a quarter of this time is not measured.
    Elapsed(Duration),
    /// Ends after this many responses.
    Responses(u64),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedLoop<'a> {
    pub(crate) address: SocketAddr,
    /// The requests; connection n repeats request n, wrapping around the list.
    pub(crate) requests: &'a [Request],
    pub(crate) connections: usize,
    /// The expected status; any other status ends the run with an error.
    pub(crate) status: u16,
    pub(crate) stop_after: StopAfter,
}

/// The state that the connections of a run share.
#[derive(Debug)]
struct Shared {
    result: LoadResult,
    /// The start of the measurement; earlier requests are not measured.
    start: Instant,
    stop_after: StopAfter,
}

impl Shared {
    fn is_over(&self, now: Instant) -> bool {
        match self.stop_after {
            StopAfter::Elapsed(time) => now >= self.start + time,
            StopAfter::Responses(count) => self.result.responses >= count,
        }
    }

    fn record(&mut self, sent: Instant, now: Instant) {
        if sent >= self.start && !self.is_over(now) {
            self.result.record(now - sent);
        } else {
            self.result.unmeasured += 1;
        }
    }
}

impl ClosedLoop<'_> {
    /// Runs in this thread. One thread sends faster than a server on the same machine responds.
    pub(crate) fn run(&self) -> Result<LoadResult> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        LocalSet::new().block_on(&runtime, self.run_local())
    }

    async fn run_local(&self) -> Result<LoadResult> {
        let mut streams = Vec::new();
        for _ in 0..self.connections {
            let stream = TcpStream::connect(self.address).await.context("connecting")?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let warm_up = match self.stop_after {
            StopAfter::Elapsed(time) => time / 4,
            StopAfter::Responses(_) => Duration::ZERO,
        };
        let start = Instant::now() + warm_up;
        let shared = Rc::new(RefCell::new(Shared {
            result: LoadResult::new(),
            start,
            stop_after: self.stop_after,
        }));
        let mut clients = JoinSet::new();
        for (stream, request) in streams.into_iter().zip(self.requests.iter().cycle()) {
            clients.spawn_local(client(stream, request.clone(), self.status, Rc::clone(&shared)));
        }
        while let Some(joined) = clients.join_next().await {
            joined.context("a client was lost")??;
        }
        let mut result = shared.borrow().result.clone();
        result.elapsed = match self.stop_after {
            StopAfter::Elapsed(time) => time,
            StopAfter::Responses(_) => start.elapsed(),
        };
        Ok(result)
    }
}

/// Sends requests until the run is over.
async fn client(
    mut stream: TcpStream,
    mut request: Request,
    status: u16,
    shared: Rc<RefCell<Shared>>,
) -> Result<()> {
    let mut response = Response::default();
    let mut now = Instant::now();
    while !shared.borrow().is_over(now) {
        let sent = now;
        stream.write_all(request.next()).await?;
        response.clear();
        loop {
            let count = stream.read(response.read_buffer()).await?;
            if response.advance(count)? {
                break;
            }
        }
        response.expect(status)?;
        now = Instant::now();
        shared.borrow_mut().record(sent, now);
    }
    Ok(())
}
