//! HTTP client of a Rekor instance (`GOVERN_REKOR_URL`).

use std::{path::Path, time::Duration};

use anyhow::Context;
use governance::proof::rekor::{
    Dialect, LogKey, RESPONSE_BYTES_MAX, Rekor, RekorResponse, RekorTransport, Request,
};
use http::{HeaderName, header};
use reqwest::Url;

use crate::{
    config::{RekorDialect, ServeConfig},
    outbound::{Outbound, OutboundResponse},
};

/// The time limit of a call. Rekor responds to a new entry when the entry is in its tree, which takes some
/// seconds.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(30);

const LOG_INDEX: HeaderName = HeaderName::from_static("x-log-index");

/// Returns the configured Rekor instance, or `None` without one.
///
/// # Errors
/// Returns an error if its key or the certificates of the machine cannot be read.
pub(crate) fn from_config(config: &ServeConfig) -> anyhow::Result<Option<Rekor>> {
    let Some(url) = &config.rekor_url else { return Ok(None) };
    let dialect = match config.rekor_dialect {
        RekorDialect::V1 => Dialect::V1,
        RekorDialect::V2 => Dialect::V2,
    };
    let log_key = config.rekor_key_file.as_deref().map(log_key).transpose()?;
    Ok(Some(Rekor {
        transport: Box::new(HttpRekorTransport::new(url, CALL_TIMEOUT)?),
        dialect,
        log_key,
    }))
}

fn log_key(file: &Path) -> anyhow::Result<LogKey> {
    let pem = std::fs::read_to_string(file)
        .with_context(|| format!("GOVERN_REKOR_KEY_FILE: cannot read {}", file.display()))?;
    LogKey::from_pem(&pem).context("GOVERN_REKOR_KEY_FILE")
}

/// A Rekor instance at a URL that the operator configures.
#[derive(Clone, Debug)]
pub struct HttpRekorTransport {
    outbound: Outbound,
    base: String,
}

impl HttpRekorTransport {
    /// Uses the instance at `url`. A call takes at most `timeout`.
    ///
    /// # Errors
    /// Returns an error if the certificates of the machine cannot be read.
    pub fn new(url: &Url, timeout: Duration) -> anyhow::Result<Self> {
        let outbound = Outbound::for_operator(timeout).context("GOVERN_REKOR_URL")?;
        Ok(Self { outbound, base: url.as_str().trim_end_matches('/').to_owned() })
    }
}

#[async_trait::async_trait]
impl RekorTransport for HttpRekorTransport {
    async fn send(&self, request: Request) -> Result<RekorResponse, String> {
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
        let response = self.outbound.call(RESPONSE_BYTES_MAX, call).await;
        response.map(rekor_response).map_err(|error| format!("Rekor {error}"))
    }
}

fn rekor_response(response: OutboundResponse) -> RekorResponse {
    let text = |name: &HeaderName| {
        response.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    RekorResponse {
        status: response.status.as_u16(),
        location: text(&header::LOCATION),
        log_index: text(&LOG_INDEX),
        body: response.body,
    }
}
