//! Check of one anchor: the leaf is recomputed from bundle content and must be included under the
//! checkpoint.

use contract::json::Value;
use receipt::{
    Digest,
    merkle::{leaf_hash, verify_inclusion},
    transparency_log::{Anchor, EMBEDDED, EntryKind, ProofText, entry},
};

use super::{AnchorResult, checkpoint, frozen};
use crate::{bundle::Bundle, claim_check::ClaimCheck, code::Code, keyring::Keyring};

/// The file names of an anchor and its proofs.
pub(super) struct Names {
    pub(super) anchor: String,
    pub(super) entry: String,
    /// The same proof in text form.
    pub(super) text: String,
    /// The proof under the final checkpoint of a frozen log.
    pub(super) final_proof: String,
}

/// A claim check that also records whether this anchor has a failure. The witness time of an anchor
/// with a failure is not used.
struct AnchorChecker<'c> {
    check: &'c mut ClaimCheck,
    has_failure: bool,
}

impl AnchorChecker<'_> {
    fn require(&mut self, condition: bool, code: Code, detail: &str) {
        self.has_failure |= !condition;
        self.check.require(condition, code, detail);
    }
}

pub(super) fn check(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    keyring: &Keyring<'_>,
    names: &Names,
    value: &Value,
    (kind, digest): (EntryKind, Digest),
) -> Option<AnchorResult> {
    let provider = value.get("provider").and_then(Value::as_str);
    if provider.is_some_and(|provider| provider != EMBEDDED) {
        check.add_failure(Code::ProviderUnsupported, "the anchor is from another provider");
        return None;
    }
    let anchor = match Anchor::read(value) {
        Ok(anchor) => anchor,
        Err(error) => {
            check.add_failure(Code::AnchorMalformed, error.to_string());
            return None;
        }
    };
    check.mark_present();
    let mut checker = AnchorChecker { check, has_failure: false };
    let leaf = expected_leaf(&mut checker, bundle, names, &anchor, (kind, digest));
    check_text_form(&mut checker, bundle, names, &anchor);
    let proof = &anchor.inclusion_proof;
    let same_index = anchor.log_index == proof.log_index;
    checker.require(same_index, Code::AnchorMalformed, "the anchor has two different indexes");
    let Some(note) = proof.checkpoint.as_deref() else {
        checker.check.add_failure(Code::CheckpointMissing, "the proof has no checkpoint");
        return None;
    };
    let Some(signed) = checkpoint::read(note) else {
        checker.check.add_failure(Code::AnchorMalformed, "the checkpoint cannot be read");
        return None;
    };
    let signed_checkpoint = &signed.checkpoint;
    let (tree_id, _) = anchor.entry();
    let same_tree = tree_id == signed_checkpoint.tree_id();
    checker.require(same_tree, Code::EntryUuidMismatch, "`entry_uuid` names another tree");
    let same_root =
        proof.root_hash == signed_checkpoint.root && proof.tree_size == signed_checkpoint.size;
    checker.require(same_root, Code::RootMismatch, "root or size differ from the checkpoint");
    let included = verify_inclusion(
        leaf,
        proof.log_index,
        signed_checkpoint.size,
        &proof.hashes,
        signed_checkpoint.root,
    )
    .is_ok();
    checker.require(included, Code::InclusionInvalid, "the inclusion proof is not valid");
    checker.check.add_checked("inclusion");
    let is_valid = !checker.has_failure;
    let evidence = checkpoint::verify(check, keyring, &signed)?;
    let entry =
        frozen::ProvenEntry { leaf, index: anchor.log_index, checkpoint: signed.checkpoint };
    let proven = frozen::check(check, bundle, keyring, &names.final_proof, entry)?;
    is_valid.then_some(AnchorResult { checkpoint: proven, witnessed_at: evidence.witnessed_at })
}

/// Returns the leaf hash that must be in the log, and compares it with the entry file and the
/// anchor.
fn expected_leaf(
    checker: &mut AnchorChecker<'_>,
    bundle: &Bundle,
    names: &Names,
    anchor: &Anchor,
    (kind, digest): (EntryKind, Digest),
) -> Digest {
    checker.check.add_checked("leaf");
    let leaf = entry(kind, digest);
    match bundle.files.get(&names.entry) {
        None => checker.check.add_failure(Code::FileMissing, format!("{} is missing", names.entry)),
        Some(bytes) => {
            let matches = bytes == leaf.text.as_bytes();
            checker.require(matches, Code::LeafMismatch, "the entry is for another object");
        }
    }
    let hash = leaf_hash(leaf.text.as_bytes());
    let (_, anchored_leaf) = anchor.entry();
    checker.require(
        anchored_leaf == hash.to_string(),
        Code::LeafMismatch,
        "the anchor is for another entry",
    );
    hash
}

/// Checks that the text form of the proof is equal.
fn check_text_form(
    checker: &mut AnchorChecker<'_>,
    bundle: &Bundle,
    names: &Names,
    anchor: &Anchor,
) {
    let Some(bytes) = bundle.files.get(&names.text) else {
        return checker.check.add_not_checked("proof_text");
    };
    checker.check.add_checked("proof_text");
    let text = std::str::from_utf8(bytes).ok();
    let proof = &anchor.inclusion_proof;
    let matches = text.and_then(|text| ProofText::read(text).ok()).is_some_and(|text| {
        text.index == proof.log_index
            && text.hashes == proof.hashes
            && Some(text.checkpoint) == proof.checkpoint.as_deref()
    });
    checker.require(matches, Code::AnchorMismatch, "the text form of the proof differs");
}
