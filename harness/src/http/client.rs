//! An asynchronous client that reports exactly when a request got no answer.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result, ensure};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::{Request, Response};

/// The time limit of an answer. The service answers within 30 seconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A client with at most one open connection, which is opened again when it is needed.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
}

impl Client {
    /// Returns a client that has not connected yet.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None }
    }

    /// Sends a request once and returns its response.
    ///
    /// # Errors
    /// Returns an error if there was no complete response. The service may have handled the request.
    pub async fn send(&mut self, request: &Request) -> Result<Response> {
        let response = timeout(ANSWER_TIMEOUT, self.exchange(request)).await;
        let response = response.context("no response in time").flatten();
        if response.as_ref().map_or(true, Response::closes) {
            self.stream = None;
        }
        response
    }

    async fn exchange(&mut self, request: &Request) -> Result<Response> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            empty => empty.insert(connect(self.address).await?),
        };
        stream.write_all(request.bytes()).await?;
        let mut response = Response::default();
        loop {
            let count = stream.read(response.read_buffer()).await?;
            if response.advance(count)? {
                // A proxy has answered, because it got no response of the service.
                ensure!(response.header("server").as_deref() != Some("haproxy"), "no response");
                return Ok(response.without_free_space());
            }
        }
    }
}

/// Opens a connection.
pub async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await??;
    stream.set_nodelay(true)?;
    Ok(stream)
}
