//! Frozen logs: a proof must end in the final checkpoint that the registry lists (receipts, section 11).

use receipt::{
    Digest,
    log::{Checkpoint, ProofText},
    merkle::verify_inclusion,
};

use super::checkpoint;
use crate::{bundle::Bundle, check::Check, code::Code, ring::Ring};

/// An entry under a checkpoint that its log signed.
pub(super) struct Place {
    pub(super) leaf: Digest,
    pub(super) index: u64,
    pub(super) state: Checkpoint,
}

/// Returns the greatest checkpoint under which the entry is shown: the one of its anchor, or the final
/// one of a frozen log. `None` when the freeze of the log leaves the entry unproven.
pub(super) fn check(
    check: &mut Check,
    bundle: &Bundle,
    ring: &Ring<'_>,
    name: &str,
    place: Place,
) -> Option<Checkpoint> {
    let Some(last) = ring.final_checkpoint(&place.state.origin) else {
        if bundle.files.get(name).is_some() {
            check.not_checked("final_checkpoint");
        }
        return Some(place.state);
    };
    check.checked("final_checkpoint");
    let Ok(last) = last else {
        check.found(Code::LogFrozen, "the final checkpoint in the registry cannot be read");
        return None;
    };
    let is_later = place.state.size > last.size;
    if is_later {
        let detail = "the checkpoint is larger than the final one of the frozen log";
        check.found(Code::CheckpointAfterFreeze, detail);
    }
    match bundle.files.get(name) {
        Some(bytes) => {
            let holds = holds(bytes, &place, &last);
            check.require(holds, Code::InclusionInvalid, "the final proof does not hold");
            (holds && !is_later).then_some(last)
        }
        None if place.state == last => Some(last),
        None => {
            let detail = "the log is frozen and the bundle has no final proof; export it again";
            check.found(Code::LogFrozen, detail);
            None
        }
    }
}

/// Whether the text proves that the entry is in the final state, at the place that its anchor names.
fn holds(bytes: &[u8], place: &Place, last: &Checkpoint) -> bool {
    let text = std::str::from_utf8(bytes).ok().and_then(|text| ProofText::read(text).ok());
    text.is_some_and(|proof| {
        let ends_in = checkpoint::read(proof.checkpoint).map(|signed| signed.checkpoint);
        let included =
            verify_inclusion(place.leaf, proof.index, last.size, &proof.hashes, last.root);
        proof.index == place.index && ends_in.as_ref() == Some(last) && included.is_ok()
    })
}
