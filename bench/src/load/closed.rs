//! A closed loop: each connection sends its next request when the last one is answered.

use std::{
    cell::RefCell,
    net::SocketAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinSet, LocalSet},
};

use super::{Answer, Request, Seen};

/// When a run ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// After this time; a quarter of it goes before, unmeasured.
    Elapsed(Duration),
    /// After this many answers.
    Answers(u64),
}

/// How many clients ask for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed<'a> {
    /// Whom.
    pub(crate) address: SocketAddr,
    /// What; connections take turns in the list.
    pub(crate) requests: &'a [Request],
    /// How many connections.
    pub(crate) connections: usize,
    /// The status of every answer; another one ends the run as an error.
    pub(crate) status: u16,
    /// For how long.
    pub(crate) until: Until,
}

/// What the connections of a run share.
#[derive(Debug)]
struct Shared {
    seen: Seen,
    /// Before it, nothing is noted.
    from: Instant,
    until: Until,
}

impl Shared {
    fn is_over(&self, now: Instant) -> bool {
        match self.until {
            Until::Elapsed(time) => now >= self.from + time,
            Until::Answers(count) => self.seen.answers >= count,
        }
    }

    fn note(&mut self, sent: Instant, now: Instant) {
        if sent >= self.from && !self.is_over(now) {
            self.seen.note(now - sent);
        } else {
            self.seen.earlier += 1;
        }
    }
}

impl Closed<'_> {
    /// Runs in this thread; one thread asks faster than a server on the same machine answers.
    pub(crate) fn run(&self) -> Result<Seen> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        LocalSet::new().block_on(&runtime, self.run_here())
    }

    async fn run_here(&self) -> Result<Seen> {
        let mut streams = Vec::new();
        for _ in 0..self.connections {
            let stream = TcpStream::connect(self.address).await.context("connecting")?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let warm_up = match self.until {
            Until::Elapsed(time) => time / 4,
            Until::Answers(_) => Duration::ZERO,
        };
        let from = Instant::now() + warm_up;
        let shared = Rc::new(RefCell::new(Shared { seen: Seen::new(), from, until: self.until }));
        let mut clients = JoinSet::new();
        for (stream, request) in streams.into_iter().zip(self.requests.iter().cycle()) {
            clients.spawn_local(client(stream, request.clone(), self.status, Rc::clone(&shared)));
        }
        while let Some(ended) = clients.join_next().await {
            ended.context("a client was lost")??;
        }
        let mut seen = shared.borrow().seen.clone();
        seen.elapsed = match self.until {
            Until::Elapsed(time) => time,
            Until::Answers(_) => from.elapsed(),
        };
        Ok(seen)
    }
}

/// Asks until the run is over.
async fn client(
    mut stream: TcpStream,
    mut request: Request,
    status: u16,
    shared: Rc<RefCell<Shared>>,
) -> Result<()> {
    let mut answer = Answer::default();
    let mut now = Instant::now();
    while !shared.borrow().is_over(now) {
        let sent = now;
        stream.write_all(request.next()).await?;
        answer.clear();
        loop {
            let count = stream.read(answer.room()).await?;
            if answer.came(count)? {
                break;
            }
        }
        answer.expect(status)?;
        now = Instant::now();
        shared.borrow_mut().note(sent, now);
    }
    Ok(())
}
