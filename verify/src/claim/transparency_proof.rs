//! Claim 4: each receipt and the chain seal are included in a trusted log.

mod anchor;
mod checkpoint;
mod frozen;

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    json::{Limits, Value},
    time::Timestamp,
    verification::Claim,
};
use receipt::{
    Digest,
    bundle::{path, path::BundleScope},
    dsse::Envelope,
    transparency_log::{Checkpoint, EntryKind},
};

use crate::{
    bundle::{Bundle, receipt::BundledReceipt},
    claim_check::ClaimCheck,
    code::{Code, Note},
    keyring::Keyring,
};

/// Evidence from the log that other claims use.
#[derive(Debug, Default)]
pub(crate) struct LogEvidence {
    witness_times: BTreeMap<BundleScope, Timestamp>,
    /// The receipts whose own check is verified.
    logged_receipts: BTreeSet<BundleScope>,
    pub(crate) seal_witnessed_at: Option<Timestamp>,
    /// The largest checkpoint with a verified inclusion.
    pub(crate) checkpoint: Option<Checkpoint>,
}

impl LogEvidence {
    /// Returns the time at which witnesses cosigned a checkpoint that includes the receipt.
    pub(crate) fn witnessed_at(&self, scope: BundleScope) -> Option<Timestamp> {
        self.witness_times.get(&scope).copied()
    }

    /// Returns whether the claim is verified for this receipt.
    pub(crate) fn is_logged(&self, scope: BundleScope) -> bool {
        self.logged_receipts.contains(&scope)
    }

    fn update_checkpoint(&mut self, checkpoint: Checkpoint) {
        if self.checkpoint.as_ref().is_none_or(|largest| checkpoint.size > largest.size) {
            self.checkpoint = Some(checkpoint);
        }
    }
}

/// The result of a proof: the checkpoint and the time confirmed by witnesses.
pub(crate) struct AnchorResult {
    checkpoint: Checkpoint,
    witnessed_at: Option<Timestamp>,
}

pub(crate) fn check(bundle: &Bundle, keyring: &Keyring<'_>) -> (ClaimCheck, LogEvidence) {
    let mut check = ClaimCheck::new(Claim::TransparencyProof);
    let mut evidence = LogEvidence::default();
    for receipt in &bundle.receipts {
        let mut receipt_check = ClaimCheck::new(Claim::TransparencyProof);
        if let Some(result) = check_receipt(&mut receipt_check, bundle, keyring, receipt) {
            evidence.witness_times.extend(result.witnessed_at.map(|time| (receipt.scope, time)));
            evidence.update_checkpoint(result.checkpoint);
        }
        if receipt_check.is_verified() {
            evidence.logged_receipts.insert(receipt.scope);
        }
        check.merge(receipt_check);
    }
    if let Some(result) = check_seal(&mut check, bundle, keyring) {
        evidence.seal_witnessed_at = result.witnessed_at;
        evidence.update_checkpoint(result.checkpoint);
    }
    let is_external = |name: &str| name.starts_with("transparency/") && name.contains("/external/");
    if bundle.files.names().any(is_external) {
        check.add_note(Note::ExternalAnchorNotChecked);
        check.add_not_checked("external_anchors");
    }
    (check, evidence)
}

fn check_receipt(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    keyring: &Keyring<'_>,
    receipt: &BundledReceipt,
) -> Option<AnchorResult> {
    let digest = receipt.receipt_digest();
    let digest = check.ok_or_failure(digest, "the receipt digest cannot be computed")?;
    let names = anchor::Names {
        anchor: receipt.scope.anchor(),
        entry: receipt.scope.entry(),
        text: receipt.scope.proof_text(),
        final_proof: receipt.scope.final_proof(),
    };
    let view = receipt.view.as_ref().map_err(|code| *code);
    let view = check.ok_or_failure(view, "the receipt cannot be read")?;
    let is_set = |anchor: &&Value| **anchor != Value::Null;
    let outer = view.get("transparency_anchor").filter(is_set);
    let result = view.get("result");
    let inner = result.and_then(|result| result.get("transparency_anchor")).filter(is_set);
    let has_file = bundle.files.get(&names.anchor).is_some();
    if outer.is_none() && inner.is_none() && !has_file {
        check.add_failure(Code::AnchorPending, "the receipt is not in the log yet");
        return None;
    }
    let value = bundle.json(&names.anchor);
    let value = check.ok_or_failure(value, format!("{} cannot be read", names.anchor))?;
    let matches = outer == Some(&value) && inner.is_none_or(|inner| *inner == value);
    check.require(matches, Code::AnchorMismatch, "receipt and bundle contain different anchors");
    anchor::check(check, bundle, keyring, &names, &value, (EntryKind::Receipt, digest))
}

fn check_seal(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    keyring: &Keyring<'_>,
) -> Option<AnchorResult> {
    let digest = seal_digest(bundle)?;
    let names = anchor::Names {
        anchor: path::SEAL_ANCHOR.to_owned(),
        entry: path::SEAL_ENTRY.to_owned(),
        text: path::SEAL_PROOF_TEXT.to_owned(),
        final_proof: path::SEAL_FINAL_PROOF.to_owned(),
    };
    if bundle.files.get(&names.anchor).is_none() {
        check.add_note(Note::SealAnchorPending);
        return None;
    }
    let value = bundle.json(&names.anchor);
    let value = check.ok_or_failure(value, format!("{} cannot be read", names.anchor))?;
    anchor::check(check, bundle, keyring, &names, &value, (EntryKind::ChainSeal, digest))
}

fn seal_digest(bundle: &Bundle) -> Option<Digest> {
    if let Some(bytes) = bundle.files.get(path::SEAL) {
        return Some(Digest::compute(bytes));
    }
    let bytes = bundle.files.get(path::SEAL_ENVELOPE)?;
    let envelope = Value::parse(bytes, &Limits::BUNDLE_FILE).ok()?;
    Some(Envelope::read(&envelope).ok()?.payload.digest)
}
