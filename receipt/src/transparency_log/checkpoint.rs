//! C2SP checkpoints: size and root hash of a log.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::digest::Digest;

/// The state of a transparency log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// The root hash over all entries.
    pub root: Digest,
}

/// A text that is not a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint of origin, size and root")]
pub struct ParseCheckpointError;

impl Checkpoint {
    /// Parses the text of a note. Further lines are allowed and ignored.
    ///
    /// # Errors
    /// Returns an error if the text is not a checkpoint.
    pub fn read(text: &str) -> Result<Self, ParseCheckpointError> {
        let text = text.strip_suffix('\n').ok_or(ParseCheckpointError)?;
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next())
        else {
            return Err(ParseCheckpointError);
        };
        if origin.is_empty() || lines.any(str::is_empty) {
            return Err(ParseCheckpointError);
        }
        let size = decimal(size).ok_or(ParseCheckpointError)?;
        let root = STANDARD.decode(root).ok().and_then(|root| <[u8; 32]>::try_from(root).ok());
        let root = root.ok_or(ParseCheckpointError)?.into();
        Ok(Self { origin: origin.to_owned(), size, root })
    }

    /// Returns the first 16 hex characters of the digest of the origin.
    pub fn tree_id(&self) -> String {
        tree_id(&self.origin)
    }
}

impl fmt::Display for Checkpoint {
    /// Writes the signed text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, size, root } = self;
        write!(f, "{origin}\n{size}\n{}\n", STANDARD.encode(root.as_bytes()))
    }
}

/// Returns the first 16 hex characters of the digest of `origin`.
pub fn tree_id(origin: &str) -> String {
    let mut id = Digest::compute(origin.as_bytes()).to_string();
    id.truncate(16);
    id
}

/// Parses a decimal number without a leading zero.
pub(super) fn decimal(text: &str) -> Option<u64> {
    crate::object_reader::parsed(text)
}
