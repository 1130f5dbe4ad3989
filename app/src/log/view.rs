//! The transparency log: its checkpoint, its earlier trees, and the entries of a digest.

use contract::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::words;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPage {
    /// Whether a signing key is configured.
    pub is_enabled: bool,
    /// The code of the reason why the log is halted.
    pub halt_reason: Option<String>,
    /// The newest log.
    pub current: Option<Tree>,
    /// The logs before it, newest first.
    pub earlier: Vec<Tree>,
    pub rekor: Option<RekorRow>,
    /// The digest that the user entered.
    pub digest: String,
    /// The entries of that digest, or the error in it. Absent if no digest was entered.
    pub found: Option<Result<Vec<EntryRow>, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The name of the log.
    pub origin: String,
    /// The verifier key of its checkpoints.
    pub vkey: String,
    /// The number of entries.
    pub size: u64,
    pub root: String,
    pub began_at: Timestamp,
    pub frozen_at: Option<Timestamp>,
    /// The last checkpoint, a signed note.
    pub checkpoint: String,
    pub signed_at: Option<Timestamp>,
    /// The names of the witnesses that cosigned the last checkpoint.
    pub cosigners: Vec<String>,
}

/// The last checkpoint that a Rekor instance recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RekorRow {
    pub size: u64,
    pub recorded_at: Option<Timestamp>,
    pub log_index: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRow {
    /// The kind of the logged statement, as on the wire.
    pub kind: String,
    pub origin: String,
    pub index: u64,
    pub leaf_hash: String,
    /// The number of entries and the root of the checkpoint under which the entry was anchored.
    pub tree_size: u64,
    pub root: String,
    pub anchored_at: Timestamp,
    /// The inclusion proof in the text form of C2SP tlog-proof.
    pub proof: String,
    /// The proof under the final checkpoint of a frozen log.
    pub final_proof: Option<String>,
}

/// Normalizes a digest as a user enters it: with gaps, or in capital letters. Empty input is `None`.
///
/// # Errors
/// Returns an error message for the user.
pub fn entered_digest(text: &str) -> Option<Result<String, &'static str>> {
    let text: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
    let digest = text.strip_prefix("sha256:").unwrap_or(&text).to_owned();
    if digest.is_empty() {
        return None;
    }
    let is_valid = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(if is_valid { Ok(digest) } else { Err(words::BAD_DIGEST) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_may_have_gaps_capitals_and_a_prefix() {
        let digest = "ab".repeat(32);
        let with_gaps = "ABABABAB ".repeat(8);
        assert_eq!(entered_digest(&with_gaps), Some(Ok(digest.clone())));
        assert_eq!(entered_digest(&format!("sha256:{digest}")), Some(Ok(digest)));
        assert_eq!(entered_digest(" \n"), None);
        for text in ["ab", &"g".repeat(64), &"ä".repeat(32), &"a".repeat(65)] {
            assert_eq!(entered_digest(text), Some(Err(words::BAD_DIGEST)), "{text}");
        }
    }
}
