//! Claim 4: each receipt, and the seal, is in a state of a trusted log.

mod anchor;
mod checkpoint;
mod frozen;

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    json::{Limits, Value},
    time::Timestamp,
};
use receipt::{
    Digest,
    bundle::{path, path::Place},
    dsse::Envelope,
    log::{Checkpoint, EntryKind},
};

use super::Claim;
use crate::{
    bundle::Bundle,
    case::Case,
    check::Check,
    code::{Code, Note},
    ring::Ring,
};

/// What the log has shown, for the other claims.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    receipts: BTreeMap<Place, Timestamp>,
    /// The receipts for which this claim is verified.
    logged: BTreeSet<Place>,
    pub(crate) seal: Option<Timestamp>,
    /// The greatest checkpoint under which something was found.
    pub(crate) checkpoint: Option<Checkpoint>,
}

impl Seen {
    /// When witnesses had seen the receipt.
    pub(crate) fn witnessed(&self, place: Place) -> Option<Timestamp> {
        self.receipts.get(&place).copied()
    }

    /// Whether the claim is verified for this receipt alone.
    pub(crate) fn is_logged(&self, place: Place) -> bool {
        self.logged.contains(&place)
    }

    fn greatest(&mut self, checkpoint: Checkpoint) {
        if self.checkpoint.as_ref().is_none_or(|greatest| checkpoint.size > greatest.size) {
            self.checkpoint = Some(checkpoint);
        }
    }
}

/// What a proof came to: the checkpoint, and the time that witnesses give.
pub(crate) struct Proven {
    checkpoint: Checkpoint,
    witnessed: Option<Timestamp>,
}

pub(crate) fn check(bundle: &Bundle, ring: &Ring<'_>) -> (Check, Seen) {
    let mut check = Check::new(Claim::TransparencyProof);
    let mut seen = Seen::default();
    for case in &bundle.cases {
        let mut own = Check::new(Claim::TransparencyProof);
        if let Some(proven) = receipt(&mut own, bundle, ring, case) {
            seen.receipts.extend(proven.witnessed.map(|at| (case.place, at)));
            seen.greatest(proven.checkpoint);
        }
        if own.is_verified() {
            seen.logged.insert(case.place);
        }
        check.absorb(own);
    }
    if let Some(proven) = seal(&mut check, bundle, ring) {
        seen.seal = proven.witnessed;
        seen.greatest(proven.checkpoint);
    }
    let external = |name: &str| name.starts_with("transparency/") && name.contains("/external/");
    if bundle.files.names().any(external) {
        check.note(Note::ExternalAnchorNotChecked);
        check.not_checked("external_anchors");
    }
    (check, seen)
}

fn receipt(check: &mut Check, bundle: &Bundle, ring: &Ring<'_>, case: &Case) -> Option<Proven> {
    let digest = match case.receipt_digest() {
        Ok(digest) => digest,
        Err(code) => {
            check.found(code, "there is nothing that the log could hold");
            return None;
        }
    };
    let names = anchor::Names {
        anchor: case.place.anchor(),
        entry: case.place.entry(),
        text: case.place.proof_text(),
        last: case.place.final_proof(),
    };
    if let Err(code) = case.view {
        check.found(code, "the receipt cannot be read");
        return None;
    }
    let view = case.view.as_ref().ok();
    let outer = view.and_then(|view| view.get("transparency_anchor"));
    let shown = outer.filter(|anchor| **anchor != Value::Null);
    let file = bundle.files.get(&names.anchor).is_some();
    let inner = view.and_then(|view| view.get("result")?.get("transparency_anchor"));
    let inner = inner.filter(|anchor| **anchor != Value::Null);
    if shown.is_none() && inner.is_none() && !file {
        check.found(Code::AnchorPending, "the receipt is not in the log yet");
        return None;
    }
    let value = match bundle.json(&names.anchor) {
        Ok(value) => value,
        Err(code) => {
            check.found(code, format!("{} cannot be read", names.anchor));
            return None;
        }
    };
    let same = shown == Some(&value) && inner.is_none_or(|inner| *inner == value);
    check.require(same, Code::AnchorMismatch, "receipt and bundle show different anchors");
    anchor::check(check, bundle, ring, &names, &value, (EntryKind::Receipt, digest))
}

fn seal(check: &mut Check, bundle: &Bundle, ring: &Ring<'_>) -> Option<Proven> {
    let digest = seal_digest(bundle)?;
    let names = anchor::Names {
        anchor: path::SEAL_ANCHOR.to_owned(),
        entry: path::SEAL_ENTRY.to_owned(),
        text: path::SEAL_PROOF_TEXT.to_owned(),
        last: path::SEAL_FINAL_PROOF.to_owned(),
    };
    if bundle.files.get(&names.anchor).is_none() {
        check.note(Note::SealAnchorPending);
        return None;
    }
    match bundle.json(&names.anchor) {
        Ok(value) => {
            anchor::check(check, bundle, ring, &names, &value, (EntryKind::ChainSeal, digest))
        }
        Err(code) => {
            check.found(code, format!("{} cannot be read", names.anchor));
            None
        }
    }
}

/// The digest of the seal, if the chain has one.
fn seal_digest(bundle: &Bundle) -> Option<Digest> {
    if let Some(bytes) = bundle.files.get(path::SEAL) {
        return Some(Digest::of(bytes));
    }
    let bytes = bundle.files.get(path::SEAL_ENVELOPE)?;
    let envelope = Value::parse(bytes, &Limits::BUNDLE_MEMBER).ok()?;
    Some(Envelope::read(&envelope).ok()?.payload.digest)
}
