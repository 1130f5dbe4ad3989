//! The size of values as JSON.

use std::io;

use serde::Serialize;

use crate::base::error::Result;

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
