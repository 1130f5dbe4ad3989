//! Access to the metrics.

use receipt::digest::Digest;
use subtle::ConstantTimeEq;

use crate::config::Environment;

/// The callers that may read the metrics.
#[derive(Clone, Debug)]
pub(crate) enum MetricsAccess {
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

    /// Returns whether a caller with this bearer token may read the metrics.
    ///
    /// Compares digests instead of texts, so that timing reveals neither the content nor the length of the
    /// token.
    pub(crate) fn allows(&self, token: Option<&str>) -> bool {
        match self {
            Self::AnyCaller => true,
            Self::NoCaller => false,
            Self::Bearer(expected) => {
                let presented = Digest::compute(token.unwrap_or_default().as_bytes());
                expected.as_bytes().ct_eq(presented.as_bytes()).into()
            }
        }
    }
}
