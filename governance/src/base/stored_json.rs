//! Parsing JSON that the service has stored.

use contract::json::{Limits, Value};

use crate::base::error::{Error, Result};

/// Parses stored JSON. `what` names it in the internal error of text that cannot be parsed.
pub(crate) fn parse(what: &str, text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE)
        .map_err(|error| Error::bug(format!("{what}: {error:?}")))
}
