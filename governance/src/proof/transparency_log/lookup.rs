//! The public view of the log: its trees, and the entries of a digest with their inclusion proofs.

use receipt::transparency_log::{Anchor, EntryKind, ProofText};

use super::{HaltReason, TreeInfo, anchor, trees::trees};
use crate::base::prelude::*;

/// The state of the log, for anyone to read.
#[derive(Clone, Debug, PartialEq)]
pub struct LogState {
    /// All trees, oldest first. Only the last one may be open.
    pub trees: Vec<TreeInfo>,
    /// The reason the log accepts no entries.
    pub halt_reason: Option<HaltReason>,
    /// Whether a signing key is configured. Without one, the log gets no entries.
    pub is_enabled: bool,
}

/// Returns the state of the log.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn state(governance: &Governance) -> Result<LogState> {
    let trees = trees(governance).await?;
    // The tree is halted for all processes; a missing key halts the log in this process only.
    let is_halted = trees.last().is_some_and(|tree| tree.state == "halted");
    let halt_reason =
        if is_halted { Some(HaltReason::Rollback) } else { governance.log_halt_reason() };
    Ok(LogState { trees, halt_reason, is_enabled: governance.has_log() })
}

/// An entry of the log with its inclusion proof.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    pub kind: EntryKind,
    /// The name of the log.
    pub origin: String,
    pub anchor: Anchor,
    /// The proof in the text form of C2SP tlog-proof.
    pub proof: String,
    /// The proof under the final checkpoint of a frozen tree, in the same form.
    pub final_proof: Option<String>,
}

/// Returns the entries for `digest`, 64 hexadecimal characters. A digest is logged under one kind in practice,
/// but nothing prevents a second one.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn entries(governance: &Governance, digest: &str) -> Result<Vec<LogEntry>> {
    let Ok(digest) = digest.parse() else { return Ok(Vec::new()) };
    let db = governance.database();
    let mut entries = Vec::new();
    for kind in anchor::kinds(db, digest).await? {
        let Some(anchor) = anchor::find(db, kind, digest).await? else { continue };
        let inclusion = &anchor.inclusion_proof;
        let checkpoint = inclusion.checkpoint.as_deref().unwrap_or_default();
        let (index, hashes) = (anchor.log_index, inclusion.hashes.clone());
        entries.push(LogEntry {
            kind,
            origin: anchor::parse_checkpoint(checkpoint)?.origin,
            proof: ProofText { index, hashes, checkpoint }.to_string(),
            final_proof: anchor::final_proof(db, kind, digest).await?,
            anchor,
        });
    }
    Ok(entries)
}
