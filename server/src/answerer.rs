//! The answerer outside, asked over HTTP (`GOVERN_LINT_URL`).

use std::time::Duration;

use anyhow::Context;
use governance::policy::codification::answerer::{ANSWER_BYTES_MAX, Answerer};
use http::header;
use reqwest::{Client, Response, Url, redirect::Policy};

/// How long an answer may take from the first byte sent to the last one read (contract, section 4).
pub const PATIENCE: Duration = Duration::from_secs(10);

/// An answerer at an address that the operator names. It is called directly, with no proxy between.
#[derive(Clone, Debug)]
pub struct HttpAnswerer {
    client: Client,
    url: Url,
    patience: Duration,
}

impl HttpAnswerer {
    /// The answerer at `url`, which is given up after `patience`.
    ///
    /// # Errors
    /// When the machine's certificates cannot be read.
    pub fn new(url: Url, patience: Duration) -> anyhow::Result<Self> {
        // Whoever chose a provider before has chosen for us too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().redirect(Policy::none()).no_proxy();
        let client = client.build().context("GOVERN_LINT_URL: cannot prepare calls")?;
        Ok(Self { client, url, patience })
    }

    async fn call(&self, question: String) -> Result<Vec<u8>, String> {
        let request = self.client.post(self.url.clone()).body(question);
        let request = request
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json");
        let answer = request.send().await.map_err(|error| broken(&error))?;
        let status = answer.status();
        if status.is_redirection() {
            return Err("the answerer sends elsewhere, which is not followed".to_owned());
        }
        if !status.is_success() {
            return Err(format!("the answerer answered with status {}", status.as_u16()));
        }
        body(answer).await
    }
}

#[async_trait::async_trait]
impl Answerer for HttpAnswerer {
    async fn ask(&self, question: String) -> Result<Vec<u8>, String> {
        let answer = tokio::time::timeout(self.patience, self.call(question)).await;
        answer.unwrap_or_else(|_| {
            let seconds = self.patience.as_secs_f64();
            Err(format!("the answerer took longer than {seconds} s"))
        })
    }
}

/// The body, read no further than an answer may be long.
async fn body(mut answer: Response) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(format!("the answer is longer than {ANSWER_BYTES_MAX} bytes"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// What is said of a call that broke: neither the address nor what it holds.
fn broken(error: &reqwest::Error) -> String {
    if error.is_connect() {
        "the answerer cannot be reached".to_owned()
    } else {
        "the answerer broke off".to_owned()
    }
}
