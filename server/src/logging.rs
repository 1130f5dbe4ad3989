//! Application logging: text lines in development, JSON in production.

use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::config::Environment;

/// The default filter: warnings, and one line per request.
pub const FILTER: &str = "warn,server=info,governance=info";

/// Checks that `text` is a valid log filter, and returns it.
///
/// # Errors
/// Returns a message with an example if it is not.
pub fn filter(text: &str) -> Result<String, String> {
    EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| format!("must be a log filter, such as `{FILTER}`: {error}"))
}

/// Returns a subscriber that writes events that match `filter` to `writer`, with colors on a terminal.
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
