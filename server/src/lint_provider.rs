//! The lint provider over HTTP (`GOVERN_LINT_URL`).

use std::time::Duration;

use anyhow::Context;
use governance::authoring::policy::codification::lint_provider::{
    LintProvider, RESPONSE_BYTES_MAX,
};
use http::header;
use reqwest::Url;

use crate::outbound::{CallError, Outbound};

/// The time limit of a call, from the first byte sent to the last byte read (contract, section 4).
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// A lint provider at a URL that the operator configures.
#[derive(Clone, Debug)]
pub struct HttpLintProvider {
    outbound: Outbound,
    url: Url,
}

impl HttpLintProvider {
    /// Creates the lint provider at `url`. A call takes at most `timeout`.
    ///
    /// # Errors
    /// Returns an error if the certificates of the machine cannot be read.
    pub fn new(url: Url, timeout: Duration) -> anyhow::Result<Self> {
        Ok(Self { outbound: Outbound::for_operator(timeout).context("GOVERN_LINT_URL")?, url })
    }
}

#[async_trait::async_trait]
impl LintProvider for HttpLintProvider {
    async fn send(&self, lint_request: String) -> Result<Vec<u8>, String> {
        let post = |client: &reqwest::Client| {
            client
                .post(self.url.clone())
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::ACCEPT, "application/json")
                .body(lint_request)
        };
        let response = self.outbound.call(RESPONSE_BYTES_MAX, post).await;
        let response = response.map_err(|error| unavailable(&error))?;
        if response.status.is_redirection() {
            return Err("the lint provider sent a redirect, which is not followed".to_owned());
        }
        if !response.status.is_success() {
            return Err(format!(
                "the lint provider responded with status {}",
                response.status.as_u16()
            ));
        }
        Ok(response.body)
    }
}

fn unavailable(error: &CallError) -> String {
    match error {
        CallError::TooLong(bytes) => format!("the response is longer than {bytes} bytes"),
        error => format!("the lint provider {error}"),
    }
}
