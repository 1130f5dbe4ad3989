//! The way to an instance of Rekor (`GOVERN_REKOR_URL`).

use std::{path::Path, time::Duration};

use anyhow::Context;
use governance::rekor::{ANSWER_BYTES_MAX, Answer, Courier, Dialect, LogKey, Rekor, Request};
use http::{HeaderName, header};
use reqwest::Url;

use crate::{
    config::{RekorDialect, ServeConfig},
    outbound::{Outbound, Reply},
};

/// How long one call may take. Rekor answers a new entry after it stands in its tree, which takes it
/// some seconds.
pub const PATIENCE: Duration = Duration::from_secs(30);

const LOG_INDEX: HeaderName = HeaderName::from_static("x-log-index");

/// The instance that the configuration names, if it names one.
///
/// # Errors
/// When its key cannot be read, or the machine's certificates.
pub(crate) fn configured(config: &ServeConfig) -> anyhow::Result<Option<Rekor>> {
    let Some(url) = &config.rekor_url else { return Ok(None) };
    let dialect = match config.rekor_dialect {
        RekorDialect::V1 => Dialect::V1,
        RekorDialect::V2 => Dialect::V2,
    };
    let log_key = config.rekor_key_file.as_deref().map(log_key).transpose()?;
    Ok(Some(Rekor { courier: Box::new(HttpCourier::new(url, PATIENCE)?), dialect, log_key }))
}

fn log_key(file: &Path) -> anyhow::Result<LogKey> {
    let pem = std::fs::read_to_string(file)
        .with_context(|| format!("GOVERN_REKOR_KEY_FILE: cannot read {}", file.display()))?;
    LogKey::from_pem(&pem).context("GOVERN_REKOR_KEY_FILE")
}

/// An instance at an address that the operator names.
#[derive(Clone, Debug)]
pub struct HttpCourier {
    outbound: Outbound,
    base: String,
}

impl HttpCourier {
    /// The instance at `url`; a call to it is given up after `patience`.
    ///
    /// # Errors
    /// When the machine's certificates cannot be read.
    pub fn new(url: &Url, patience: Duration) -> anyhow::Result<Self> {
        let outbound = Outbound::to_operators(patience).context("GOVERN_REKOR_URL")?;
        Ok(Self { outbound, base: url.as_str().trim_end_matches('/').to_owned() })
    }
}

#[async_trait::async_trait]
impl Courier for HttpCourier {
    async fn carry(&self, request: Request) -> Result<Answer, String> {
        let address = format!("{}{}", self.base, request.path);
        let call = |client: &reqwest::Client| {
            let call = match request.body {
                Some(body) => {
                    client.post(address).header(header::CONTENT_TYPE, "application/json").body(body)
                }
                None => client.get(address),
            };
            call.header(header::ACCEPT, "application/json, application/octet-stream, text/plain")
        };
        let reply = self.outbound.call(ANSWER_BYTES_MAX, call).await;
        reply.map(answer).map_err(|why| format!("Rekor {why}"))
    }
}

fn answer(reply: Reply) -> Answer {
    let text = |name: &HeaderName| {
        reply.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    Answer {
        status: reply.status.as_u16(),
        location: text(&header::LOCATION),
        log_index: text(&LOG_INDEX),
        body: reply.body,
    }
}
