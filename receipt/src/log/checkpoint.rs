//! C2SP checkpoints: what a log says of its tree.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::digest::Digest;

/// The state of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which log.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

/// A text that is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint of origin, size and root")]
pub struct NotACheckpoint;

impl Checkpoint {
    /// Reads the text of a note. Further lines are allowed, and ignored.
    ///
    /// # Errors
    /// It is no checkpoint.
    pub fn read(text: &str) -> Result<Self, NotACheckpoint> {
        let text = text.strip_suffix('\n').ok_or(NotACheckpoint)?;
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next())
        else {
            return Err(NotACheckpoint);
        };
        if origin.is_empty() || lines.any(str::is_empty) {
            return Err(NotACheckpoint);
        }
        let size = decimal(size).ok_or(NotACheckpoint)?;
        let root = STANDARD.decode(root).ok().and_then(|root| <[u8; 32]>::try_from(root).ok());
        let root = root.ok_or(NotACheckpoint)?.into();
        Ok(Self { origin: origin.to_owned(), size, root })
    }

    /// First 16 hex characters of the digest of the origin.
    pub fn tree_id(&self) -> String {
        tree_id(&self.origin)
    }
}

impl fmt::Display for Checkpoint {
    /// Writes the text that is signed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, size, root } = self;
        write!(f, "{origin}\n{size}\n{}\n", STANDARD.encode(root.as_bytes()))
    }
}

/// First 16 hex characters of the digest of `origin`.
pub fn tree_id(origin: &str) -> String {
    let mut id = Digest::of(origin.as_bytes()).to_string();
    id.truncate(16);
    id
}

/// A number in decimal digits without a leading zero.
pub(super) fn decimal(text: &str) -> Option<u64> {
    crate::fields::exact(text)
}
