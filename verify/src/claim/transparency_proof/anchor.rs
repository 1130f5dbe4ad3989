//! One anchor: the leaf is made again from what is in hand, and must be under the checkpoint.

use contract::json::Value;
use receipt::{
    Digest,
    fields::Malformed,
    log::{Anchor, EMBEDDED, EntryKind, ProofText, entry},
    merkle::{leaf_hash, verify_inclusion},
};

use super::{Proven, checkpoint, frozen};
use crate::{bundle::Bundle, check::Check, code::Code, ring::Ring};

/// The members that an anchor stands in.
pub(super) struct Names {
    pub(super) anchor: String,
    pub(super) entry: String,
    /// The same proof as a text.
    pub(super) text: String,
    /// The proof that ends in the final checkpoint of a frozen log.
    pub(super) last: String,
}

/// What the checks found so far, so that a time is believed only where nothing is wrong.
struct Faults<'c>(&'c mut Check, bool);

impl Faults<'_> {
    fn require(&mut self, good: bool, code: Code, detail: &str) {
        self.1 |= !good;
        self.0.require(good, code, detail);
    }
}

pub(super) fn check(
    check: &mut Check,
    bundle: &Bundle,
    ring: &Ring<'_>,
    names: &Names,
    value: &Value,
    (kind, digest): (EntryKind, Digest),
) -> Option<Proven> {
    let provider = value.get("provider").and_then(Value::as_str);
    if provider.is_some_and(|provider| provider != EMBEDDED) {
        check.found(Code::ProviderUnsupported, "the anchor is of another provider");
        return None;
    }
    let anchor = match Anchor::read(value) {
        Ok(anchor) => anchor,
        Err(fault @ (Malformed::Schema | Malformed::Member(_))) => {
            check.found(Code::AnchorMalformed, fault.to_string());
            return None;
        }
    };
    check.holds();
    let mut faults = Faults(check, false);
    let leaf = leaf(&mut faults, bundle, names, &anchor, (kind, digest));
    same_text(&mut faults, bundle, names, &anchor);
    let proof = &anchor.inclusion_proof;
    let same_index = anchor.log_index == proof.log_index;
    faults.require(same_index, Code::AnchorMalformed, "the anchor has two indexes");
    let Some(note) = proof.checkpoint.as_deref() else {
        faults.0.found(Code::CheckpointMissing, "without a checkpoint a proof proves nothing");
        return None;
    };
    let Some(signed) = checkpoint::read(note) else {
        faults.0.found(Code::AnchorMalformed, "the checkpoint cannot be read");
        return None;
    };
    let state = &signed.checkpoint;
    let (tree_id, _) = anchor.entry();
    let same_tree = tree_id == state.tree_id();
    faults.require(same_tree, Code::EntryUuidMismatch, "`entry_uuid` names another tree");
    let same_root = proof.root_hash == state.root && proof.tree_size == state.size;
    faults.require(same_root, Code::RootMismatch, "root or size are not the checkpoint's");
    let included =
        verify_inclusion(leaf, proof.log_index, state.size, &proof.hashes, state.root).is_ok();
    faults.require(included, Code::InclusionInvalid, "the entry is not shown to be in the log");
    faults.0.checked("inclusion");
    let is_good = !faults.1;
    let seen = checkpoint::verify(check, ring, &signed)?;
    let place = frozen::Place { leaf, index: anchor.log_index, state: signed.checkpoint };
    let state = frozen::check(check, bundle, ring, &names.last, place)?;
    is_good.then_some(Proven { checkpoint: state, witnessed: seen.at })
}

/// The hash of the entry that must be in the log. The one in the anchor must be the same.
fn leaf(
    faults: &mut Faults<'_>,
    bundle: &Bundle,
    names: &Names,
    anchor: &Anchor,
    (kind, digest): (EntryKind, Digest),
) -> Digest {
    faults.0.checked("leaf");
    let leaf = entry(kind, digest);
    match bundle.files.get(&names.entry) {
        None => faults.0.found(Code::FileMissing, format!("{} is missing", names.entry)),
        Some(bytes) => {
            let same = bytes == leaf.text.as_bytes();
            faults.require(same, Code::LeafMismatch, "the entry is of something else");
        }
    }
    let hash = leaf_hash(leaf.text.as_bytes());
    let (_, shown) = anchor.entry();
    faults.require(shown == hash.to_string(), Code::LeafMismatch, "the anchor is of another entry");
    hash
}

/// The proof as a text says the same.
fn same_text(faults: &mut Faults<'_>, bundle: &Bundle, names: &Names, anchor: &Anchor) {
    let Some(bytes) = bundle.files.get(&names.text) else {
        return faults.0.not_checked("proof_text");
    };
    faults.0.checked("proof_text");
    let text = std::str::from_utf8(bytes).ok();
    let proof = &anchor.inclusion_proof;
    let same = text.and_then(|text| ProofText::read(text).ok()).is_some_and(|text| {
        text.index == proof.log_index
            && text.hashes == proof.hashes
            && Some(text.checkpoint) == proof.checkpoint.as_deref()
    });
    faults.require(same, Code::AnchorMismatch, "the proof as a text says something else");
}
