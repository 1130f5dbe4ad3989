//! The external service that can replace the built-in lint of clauses.

use std::fmt::Debug;

/// The name of the external lint provider in records.
pub const EXTERNAL_PROVIDER: &str = "jev";

pub const RESPONSE_BYTES_MAX: usize = 1 << 20;

/// Produces findings about clauses for reviewers. The server implements the transport.
#[async_trait::async_trait]
pub trait LintProvider: Debug + Send + Sync {
    /// Sends a request and returns the response within 10 seconds, both JSON (`docs/CODIFICATION.md`).
    ///
    /// # Errors
    /// A short reason that contains neither an address nor a secret.
    async fn send(&self, request: String) -> Result<Vec<u8>, String>;
}
