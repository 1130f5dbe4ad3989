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
pub(super) struct Place {
    pub(super) leaf: Digest,
    pub(super) index: u64,
    pub(super) state: Checkpoint,
}

/// Returns the largest checkpoint that includes the entry: the one of its anchor, or the final one
/// of a frozen log. Returns `None` if the log is frozen and the entry is not proven under its final
/// checkpoint.
pub(super) fn check(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    keyring: &Keyring<'_>,
    name: &str,
    entry: Place,
) -> Option<Checkpoint> {
    let Some(last) = keyring.final_checkpoint(&entry.state.origin) else {
        if bundle.files.get(name).is_some() {
            check.add_not_checked("final_checkpoint");
        }
        return Some(entry.state);
    };
    check.add_checked("final_checkpoint");
    let Ok(last) = last else {
        check.add_failure(Code::LogFrozen, "the final checkpoint in the registry cannot be read");
        return None;
    };
    let is_later = entry.state.size > last.size;
    if is_later {
        let detail = "the checkpoint is larger than the final one of the frozen log";
        check.add_failure(Code::CheckpointAfterFreeze, detail);
    }
    match bundle.files.get(name) {
        Some(bytes) => {
            let is_valid = proves_entry(bytes, &entry, &last);
            check.require(is_valid, Code::InclusionInvalid, "the final proof does not hold");
            (is_valid && !is_later).then_some(last)
        }
        None if entry.state == last => Some(last),
        None => {
            let detail = "the log is frozen and the bundle has no final proof; export it again";
            check.add_failure(Code::LogFrozen, detail);
            None
        }
    }
}

/// Returns whether the text proves the entry under the final checkpoint, at the index of its
/// anchor.
fn proves_entry(bytes: &[u8], entry: &Place, last: &Checkpoint) -> bool {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| ProofText::read(text).ok());
    text.is_some_and(|proof| {
        let final_state = checkpoint::read(proof.checkpoint).map(|signed| signed.checkpoint);
        let included =
            verify_inclusion(entry.leaf, proof.index, last.size, &proof.hashes, last.root);
        proof.index == entry.index && final_state.as_ref() == Some(last) && included.is_ok()
    })
}
