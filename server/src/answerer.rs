//! The answerer outside, asked over HTTP (`GOVERN_LINT_URL`).

use std::time::Duration;

use anyhow::Context;
use governance::policy::codification::answerer::{ANSWER_BYTES_MAX, Answerer};
use http::header;
use reqwest::Url;

use crate::outbound::{Outbound, Silence};

/// How long an answer may take from the first byte sent to the last one read (contract, section 4).
pub const PATIENCE: Duration = Duration::from_secs(10);

/// An answerer at an address that the operator names.
#[derive(Clone, Debug)]
pub struct HttpAnswerer {
    outbound: Outbound,
    url: Url,
}

impl HttpAnswerer {
    /// The answerer at `url`, which is given up after `patience`.
    ///
    /// # Errors
    /// When the machine's certificates cannot be read.
    pub fn new(url: Url, patience: Duration) -> anyhow::Result<Self> {
        Ok(Self { outbound: Outbound::to_operators(patience).context("GOVERN_LINT_URL")?, url })
    }
}

#[async_trait::async_trait]
impl Answerer for HttpAnswerer {
    async fn ask(&self, question: String) -> Result<Vec<u8>, String> {
        let post = |client: &reqwest::Client| {
            let request = client.post(self.url.clone()).body(question);
            request
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::ACCEPT, "application/json")
        };
        let reply = self.outbound.call(ANSWER_BYTES_MAX, post).await;
        let reply = reply.map_err(|why| silent(&why))?;
        if reply.status.is_redirection() {
            return Err("the answerer sends elsewhere, which is not followed".to_owned());
        }
        if !reply.status.is_success() {
            return Err(format!("the answerer answered with status {}", reply.status.as_u16()));
        }
        Ok(reply.body)
    }
}

fn silent(why: &Silence) -> String {
    match why {
        Silence::TooLong(bytes) => format!("the answer is longer than {bytes} bytes"),
        why => format!("the answerer {why}"),
    }
}
