//! What the process writes about itself: lines for people in development, JSON in production.

use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::config::Environment;

/// What is logged when nobody says otherwise: warnings, and a line for each request.
pub const FILTER: &str = "warn,server=info,governance=info";

/// Whether `text` says what to log.
///
/// # Errors
/// A sentence that says why not.
pub fn filter(text: &str) -> Result<String, String> {
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("must say what to log, such as `{FILTER}`: {error}")),
    }
}

/// A log of what passes `filter`, written to `writer`; with colours when a person looks at it.
pub fn subscriber<W>(
    environment: Environment,
    filter: &str,
    is_terminal: bool,
    writer: W,
) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(filter)).with_writer(writer);
    match environment {
        Environment::Development => Box::new(log.with_ansi(is_terminal).finish()),
        Environment::Production => {
            Box::new(log.json().flatten_event(true).with_span_list(false).finish())
        }
    }
}
