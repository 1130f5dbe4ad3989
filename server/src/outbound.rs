//! Calls to others, made in one way: directly, with no proxy between; to the address that the operator
//! named and no other, wherever an answer may point; with one bound for the whole call, and one for
//! what is read of the answer.

use std::time::Duration;

use anyhow::Context;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, RequestBuilder, Response, redirect::Policy};

/// A client that calls others.
#[derive(Clone, Debug)]
pub(crate) struct Outbound {
    client: Client,
    patience: Duration,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why there is no answer. Its words hold neither the address nor what was said.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Silence {
    #[error("cannot be reached")]
    Unreachable,
    #[error("broke off")]
    BrokenOff,
    #[error("answered with more than {0} bytes")]
    TooLong(usize),
    #[error("took longer than {0} s")]
    TooLate(f64),
}

impl Outbound {
    /// A client that gives a call up after `patience`, from the first byte sent to the last one read.
    ///
    /// # Errors
    /// When the machine's certificates cannot be read.
    pub(crate) fn new(patience: Duration) -> anyhow::Result<Self> {
        // Whoever chose a provider before has chosen for us too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().redirect(Policy::none()).no_proxy();
        Ok(Self { client: client.build().context("cannot prepare calls")?, patience })
    }

    /// Makes the call that `request` makes of the client, and reads at most `bytes_max` of the answer.
    pub(crate) async fn call(
        &self,
        bytes_max: usize,
        request: impl FnOnce(&Client) -> RequestBuilder,
    ) -> Result<Reply, Silence> {
        let reply = async {
            let response = request(&self.client).send().await.map_err(|error| of(&error))?;
            let (status, headers) = (response.status(), response.headers().clone());
            Ok(Reply { status, headers, body: body(response, bytes_max).await? })
        };
        let reply = tokio::time::timeout(self.patience, reply).await;
        reply.unwrap_or_else(|_| Err(Silence::TooLate(self.patience.as_secs_f64())))
    }
}

/// The body, read no further than it may be long.
async fn body(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, Silence> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| of(&error))? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(Silence::TooLong(bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn of(error: &reqwest::Error) -> Silence {
    if error.is_connect() { Silence::Unreachable } else { Silence::BrokenOff }
}
