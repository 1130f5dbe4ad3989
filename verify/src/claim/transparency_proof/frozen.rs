//! Frozen logs: a proof must end in the final checkpoint listed in the registry (receipts, section
//! 11).

use receipt::{
    Digest,
    merkle::verify_inclusion,
    transparency_log::{Checkpoint, ProofText},
};

use super::checkpoint;
use crate::{bundle::Bundle, claim_check::ClaimCheck, code::Code, keyring::Keyring};

/// A log entry under a checkpoint signed by its log.
pub(super) struct ProvenEntry {
    pub(super) leaf: Digest,
    pub(super) index: u64,
    pub(super) checkpoint: Checkpoint,
}

/// Returns the largest checkpoint that includes the entry: the one of its anchor, or the final one
/// of a frozen log. Returns `None` if the log is frozen and the entry is not proven under its final
/// checkpoint.
pub(super) fn check(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    keyring: &Keyring<'_>,
    name: &str,
    entry: ProvenEntry,
) -> Option<Checkpoint> {
    let Some(final_checkpoint) = keyring.final_checkpoint(&entry.checkpoint.origin) else {
        if bundle.files.get(name).is_some() {
            check.add_not_checked("final_checkpoint");
        }
        return Some(entry.checkpoint);
    };
    check.add_checked("final_checkpoint");
    let Ok(final_checkpoint) = final_checkpoint else {
        check.add_failure(Code::LogFrozen, "the final checkpoint in the registry cannot be read");
        return None;
    };
    let is_later = entry.checkpoint.size > final_checkpoint.size;
    if is_later {
        let detail = "the checkpoint is larger than the final one of the frozen log";
        check.add_failure(Code::CheckpointAfterFreeze, detail);
    }
    match bundle.files.get(name) {
        Some(bytes) => {
            let is_valid = proves_entry(bytes, &entry, &final_checkpoint);
            check.require(is_valid, Code::InclusionInvalid, "the final proof is not valid");
            (is_valid && !is_later).then_some(final_checkpoint)
        }
        None if entry.checkpoint == final_checkpoint => Some(final_checkpoint),
        None => {
            let detail = "the log is frozen and the bundle has no final proof; export it again";
            check.add_failure(Code::LogFrozen, detail);
            None
        }
    }
}

/// Returns whether the text proves the entry under the final checkpoint, at the index of its
/// anchor.
fn proves_entry(bytes: &[u8], entry: &ProvenEntry, final_checkpoint: &Checkpoint) -> bool {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| ProofText::read(text).ok());
    text.is_some_and(|proof| {
        let proven_checkpoint = checkpoint::read(proof.checkpoint).map(|signed| signed.checkpoint);
        let included = verify_inclusion(
            entry.leaf,
            proof.index,
            final_checkpoint.size,
            &proof.hashes,
            final_checkpoint.root,
        );
        proof.index == entry.index
            && proven_checkpoint.as_ref() == Some(final_checkpoint)
            && included.is_ok()
    })
}
