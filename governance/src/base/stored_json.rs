//! Stored JSON, and its size.

use std::io;

use contract::json::{Limits, Value};
use serde::Serialize;

use crate::base::error::{Error, Result};

/// Parses stored JSON. `what` names it in the internal error of text that cannot be parsed.
pub(crate) fn parse_stored(what: &str, text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE)
        .map_err(|error| Error::bug(format!("{what}: {error:?}")))
}

/// Returns the size of a value as JSON, in bytes.
///
/// # Errors
/// Internal error if the value has no JSON form.
pub(crate) fn json_size(value: &impl Serialize) -> Result<usize> {
    let mut size = ByteCount(0);
    serde_json::to_writer(&mut size, value)?;
    Ok(size.0)
}

/// A writer that counts bytes and discards them.
struct ByteCount(usize);

impl io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
