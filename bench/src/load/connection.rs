//! Blocking keep-alive connection with one request in flight at a time.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use super::{Request, Response};

const READ_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    response: Response,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).context("connecting")?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        Ok(Self { stream, response: Response::default() })
    }

    pub(crate) fn send(&mut self, request: &mut Request) -> Result<&Response> {
        self.send_timed(request).map(|(response, _)| response)
    }

    /// Sends a request. Returns its response and the time to its first byte.
    pub(crate) fn send_timed(&mut self, request: &mut Request) -> Result<(&Response, Duration)> {
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
