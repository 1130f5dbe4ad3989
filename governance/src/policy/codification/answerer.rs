//! Somebody outside who reads clauses in place of the built-in lint.

use std::fmt::Debug;

/// The name under which an answerer outside stands in records.
pub const OUTSIDE: &str = "jev";

/// How many bytes an answer may have.
pub const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Reads clauses and says what a reviewer should know. How it is reached is the edge's affair.
#[async_trait::async_trait]
pub trait Answerer: Debug + Send + Sync {
    /// The answer to `question`, both JSON (`docs/CODIFICATION.md`), within 10 seconds.
    ///
    /// # Errors
    /// Why there is none, in a few words that hold no address and no secret.
    async fn ask(&self, question: String) -> Result<Vec<u8>, String>;
}
