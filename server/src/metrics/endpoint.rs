//! The metrics endpoint for operators.

use std::time::Duration;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use governance::{Error, base::error::unauthorized, proof::transparency_log};
use http::{HeaderMap, header};
use receipt::digest::Digest;
use subtle::ConstantTimeEq;
use tokio::time::timeout;

use crate::{
    config::Environment,
    edge::{
        access::bearer,
        error::{ApiError, ApiResult},
        extract::Query,
    },
    state::Service,
};

/// The callers that may read the metrics.
#[derive(Clone, Debug)]
pub enum MetricsAccess {
    /// Any caller, in development.
    AnyCaller,
    /// No caller, in production without a token.
    NoCaller,
    /// Callers with the token that has this digest.
    Bearer(Digest),
}

impl MetricsAccess {
    /// Returns the access from the settings (contract, section 7).
    pub(crate) fn new(token: Option<&str>, environment: Environment) -> Self {
        match (token, environment) {
            (Some(token), _) => Self::Bearer(Digest::compute(token.as_bytes())),
            (None, Environment::Development) => Self::AnyCaller,
            (None, Environment::Production) => {
                tracing::warn!("GOVERN_METRICS_TOKEN is not set; /metrics rejects all requests");
                Self::NoCaller
            }
        }
    }

    /// Compares digests instead of texts, so that timing reveals neither the content nor the length of the
    /// token.
    fn allows(&self, headers: &HeaderMap) -> bool {
        match self {
            Self::AnyCaller => true,
            Self::NoCaller => false,
            Self::Bearer(token) => {
                let presented = Digest::compute(bearer(headers).unwrap_or_default().as_bytes());
                token.as_bytes().ct_eq(presented.as_bytes()).into()
            }
        }
    }
}

/// The time limit of the database query.
const DATABASE_TIMEOUT: Duration = Duration::from_millis(500);

/// Returns the metrics of the process in the text format of Prometheus.
pub async fn metrics(
    State(service): State<Service>,
    headers: HeaderMap,
    query: Query,
) -> ApiResult<Response> {
    if !service.edge.metrics_access.allows(&headers) {
        return Err(unauthorized().into());
    }
    query.finish()?;
    // Without the database the other metrics matter even more. The metrics of the log keep their last values.
    if let Ok(Ok(backlog)) =
        timeout(DATABASE_TIMEOUT, transparency_log::backlog(&service.governance)).await
    {
        service.metrics.set_backlog(backlog);
    }
    let text = service.metrics.text(&service.governance, service.edge.concurrent_store_requests());
    let text = text.map_err(|error| ApiError(Error::Bug(error.into())))?;
    Ok(([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response())
}
