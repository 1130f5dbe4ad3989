//! A blocking keep-alive connection with one request in flight at a time.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use super::{Request, Response};

const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// A blocking connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    response: Response,
}

impl Connection {
    /// Connects to a server.
    pub fn open(address: SocketAddr) -> Result<Self> {
        Self::open_with_timeout(address, READ_TIMEOUT)
    }

    /// Connects to a server that has this time for each part of a response.
    pub fn open_with_timeout(address: SocketAddr, timeout: Duration) -> Result<Self> {
        let stream = TcpStream::connect(address).context("connecting")?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(timeout))?;
        Ok(Self { stream, response: Response::default() })
    }

    /// Sends a request and returns its response.
    pub fn send(&mut self, request: &mut Request) -> Result<&Response> {
        self.send_timed(request).map(|(response, _)| response)
    }

    /// Sends a request. Returns its response and the time to its first byte.
    pub fn send_timed(&mut self, request: &mut Request) -> Result<(&Response, Duration)> {
        let sent = Instant::now();
        self.stream.write_all(request.next())?;
        self.response.clear();
        let mut first_byte = None;
        loop {
            let count = self.stream.read(self.response.read_buffer())?;
            let first_byte = *first_byte.get_or_insert_with(|| sent.elapsed());
            if self.response.advance(count)? {
                return Ok((&self.response, first_byte));
            }
        }
    }
}
