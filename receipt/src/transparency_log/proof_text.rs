//! The inclusion proof of an anchor as text in the C2SP format `tlog-proof`.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{anchor::HASHES_MAX, checkpoint::decimal};
use crate::digest::Digest;

const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// The content of the bundle file `transparency/proof.tlog-proof`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofText<'a> {
    /// The index of the entry.
    pub index: u64,
    /// The inclusion proof; the hash closest to the leaf comes first.
    pub hashes: Vec<Digest>,
    /// The signed checkpoint.
    pub checkpoint: &'a str,
}

/// The error for a text that is not a tlog-proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a proof of the form `c2sp.org/tlog-proof@v1`")]
pub struct ParseProofTextError;

impl<'a> ProofText<'a> {
    /// Parses a tlog-proof.
    ///
    /// # Errors
    /// Returns an error if `text` is not a tlog-proof.
    pub fn read(text: &'a str) -> Result<Self, ParseProofTextError> {
        let (head, checkpoint) = text.split_once("\n\n").ok_or(ParseProofTextError)?;
        let mut lines = head.split('\n');
        if lines.next() != Some(HEADER) {
            return Err(ParseProofTextError);
        }
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(decimal);
        let hash = |line| {
            let bytes = STANDARD.decode(line).map_err(|_| ParseProofTextError)?;
            <[u8; 32]>::try_from(bytes).map(Digest::from).map_err(|_| ParseProofTextError)
        };
        let hashes =
            lines.take(HASHES_MAX.saturating_add(1)).map(hash).collect::<Result<Vec<_>, _>>()?;
        match index {
            Some(index) if hashes.len() <= HASHES_MAX => Ok(Self { index, hashes, checkpoint }),
            _ => Err(ParseProofTextError),
        }
    }
}

impl fmt::Display for ProofText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{HEADER}\nindex {}\n", self.index)?;
        for hash in &self.hashes {
            writeln!(f, "{}", STANDARD.encode(hash.as_bytes()))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}
