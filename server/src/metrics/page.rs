//! The page of metrics, for operators.

use std::time::Duration;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use governance::{Error, error::unauthorized, log};
use http::{HeaderMap, header};
use receipt::digest::Digest;
use subtle::ConstantTimeEq;
use tokio::time::timeout;

use crate::{
    config::Environment,
    edge::{
        access::bearer,
        error::{Failure, Reply},
        extract::Query,
    },
    state::Service,
};

/// Who may read the metrics.
#[derive(Clone, Debug)]
pub enum Readers {
    /// Anyone: somebody's desk.
    Anyone,
    /// Nobody: a production service that was given no token.
    Nobody,
    /// Whoever brings the token, of which this is the digest.
    Bearer(Digest),
}

impl Readers {
    /// As the process is set up (contract, section 7).
    pub(crate) fn of(token: Option<&str>, environment: Environment) -> Self {
        match (token, environment) {
            (Some(token), _) => Self::Bearer(Digest::of(token.as_bytes())),
            (None, Environment::Development) => Self::Anyone,
            (None, Environment::Production) => {
                tracing::warn!("GOVERN_METRICS_TOKEN is not set: nobody can read /metrics");
                Self::Nobody
            }
        }
    }

    /// Compares digests and not texts, so that neither content nor length of the token can be measured.
    fn admit(&self, headers: &HeaderMap) -> bool {
        match self {
            Self::Anyone => true,
            Self::Nobody => false,
            Self::Bearer(token) => {
                let given = Digest::of(bearer(headers).unwrap_or_default().as_bytes());
                token.as_bytes().ct_eq(given.as_bytes()).into()
            }
        }
    }
}

/// How long the page waits for the store.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the process counts and measures, as Prometheus' text.
pub async fn metrics(
    State(service): State<Service>,
    headers: HeaderMap,
    query: Query,
) -> Reply<Response> {
    if !service.edge.metrics_readers.admit(&headers) {
        return Err(unauthorized().into());
    }
    query.finish()?;
    // Without the store the other figures matter all the more: these stay what they were.
    if let Ok(Ok(backlog)) = timeout(PATIENCE, log::backlog(&service.governance)).await {
        service.metrics.backlog(backlog);
    }
    let text = service.metrics.text(&service.governance, service.edge.requests_at_store());
    let text = text.map_err(|error| Failure(Error::Bug(error.into())))?;
    Ok(([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response())
}
