//! One connection that waits for its answers.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use super::{Answer, Request};

/// For how long an answer is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection that is kept alive, with one request under way at a time.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    answer: Answer,
}

impl Connection {
    /// Connects.
    pub(crate) fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).context("connecting")?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, answer: Answer::default() })
    }

    /// Sends a request and returns its answer.
    pub(crate) fn ask(&mut self, request: &mut Request) -> Result<&Answer> {
        self.ask_timed(request).map(|(answer, _)| answer)
    }

    /// Sends a request and returns its answer, and after what time its first byte came.
    pub(crate) fn ask_timed(&mut self, request: &mut Request) -> Result<(&Answer, Duration)> {
        let sent = Instant::now();
        self.stream.write_all(request.next())?;
        self.answer.clear();
        let mut first = None;
        loop {
            let count = self.stream.read(self.answer.room())?;
            let first = *first.get_or_insert_with(|| sent.elapsed());
            if self.answer.came(count)? {
                return Ok((&self.answer, first));
            }
        }
    }
}
