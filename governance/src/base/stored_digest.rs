//! Columns that contain the 32 bytes of a digest, or nothing where a log has no previous event.

use receipt::digest::Digest;

use crate::base::error::{Error, Result};

/// Returns the digest of a column.
pub(crate) fn read(column: &[u8]) -> Result<Digest> {
    let bytes = <[u8; 32]>::try_from(column);
    Ok(bytes.map_err(|_| Error::bug("a stored digest does not have 32 bytes"))?.into())
}

/// Returns the digest of a column; `None` if it is empty.
pub(crate) fn read_optional(column: &[u8]) -> Result<Option<Digest>> {
    if column.is_empty() { Ok(None) } else { read(column).map(Some) }
}

/// Returns the value of a column.
pub(crate) fn to_column(digest: impl Into<Option<Digest>>) -> Vec<u8> {
    digest.into().map_or_else(Vec::new, |digest| digest.as_bytes().to_vec())
}
