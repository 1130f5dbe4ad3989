//! Logs that were frozen: proofs must end in the final checkpoint that the registry lists.

use receipt::{
    Digest,
    bundle::Files,
    log::{Checkpoint, Note, ProofText},
    merkle::{self, Tree, leaf_hash},
    registry::SignedRegistry,
};
use verify::{Overall, Trust, TrustDocument, trust::Pin};

use crate::{
    maker::{self, Log, Made, Plan, altered, edit, key, set, value},
    outcome::{check, codes, lines},
};

/// The state in which a log was frozen.
struct Frozen {
    tree: Tree,
    note: String,
}

impl Frozen {
    /// The log of a plan, with `more` entries behind those of the plan.
    fn with(made: &Made, more: u32) -> Self {
        let steps = (1..=3).map(|step| format!("transparency/{step:06}/entry.json"));
        let names = steps.chain(["transparency/seal/entry.json".to_owned()]);
        let own = names.map(|name| leaf_hash(made.chain.get(&name).unwrap()));
        let more = (0..more).map(|number| leaf_hash(&number.to_be_bytes()));
        Self::of(own.chain(more).collect())
    }

    fn of(leaves: Vec<Digest>) -> Self {
        let tree: Tree = leaves.into_iter().collect();
        let size = tree.size();
        let root = merkle::root(&tree, size).unwrap();
        let origin = maker::ORIGIN.to_owned();
        let text = Checkpoint { origin, size, root }.to_string();
        Self { tree, note: maker::log_key(maker::ORIGIN, "log").sign(&text).unwrap() }
    }

    /// The final proof of an entry.
    fn proof(&self, index: u64) -> String {
        let hashes = merkle::inclusion(&self.tree, index, self.tree.size()).unwrap();
        ProofText { index, hashes, checkpoint: &self.note }.to_string()
    }

    /// Trust in a registry that lists this state as final.
    fn trust(&self) -> Trust {
        maker::trust(&listing(&self.note))
    }
}

/// The version after the first, which lists a final checkpoint.
fn listing(last: &str) -> SignedRegistry {
    let first = maker::registry(|_| ());
    let mut next = first.registry.clone();
    (next.version, next.prev_digest) = (2, Some(first.digest()));
    next.logs[0].final_checkpoint = Some(last.to_owned());
    maker::signed(&next, "root")
}

const FINAL: &str = "transparency/final.tlog-proof";
/// The index of the decision's receipt.
const INDEX: u64 = 2;

/// The bundle of the decision with a final proof.
fn exported(made: &Made, proof: impl Into<Vec<u8>>) -> Files {
    altered(&made.decision, |files| files.insert(FINAL, proof).unwrap())
}

#[test]
fn an_anchor_from_before_the_freeze_needs_the_final_proof() {
    let made = Plan::default().make();
    let frozen = Frozen::with(&made, 5);
    let trust = frozen.trust();
    let report = check(&made.decision, &trust);
    assert_eq!(codes(&report), ["transparency_proof LOG_FROZEN"]);
    assert_eq!(report.overall, Overall::Incomplete);

    let whole = exported(&made, frozen.proof(INDEX));
    let report = check(&whole, &trust);
    assert_eq!((codes(&report), report.overall), (vec![], Overall::Verified));
    assert_eq!(report.checkpoint.map(|checkpoint| checkpoint.size), Some(9));
    // While the registry that is used lists no freeze, the proof decides nothing.
    assert_eq!(check(&whole, &made.trust).overall, Overall::Verified);
    let pinned = Trust::new(TrustDocument {
        pins: vec![
            Pin::new(key("service").kid()),
            Pin::for_purpose(key("approver").kid(), "policy_approval").unwrap(),
        ],
        logs: vec![Log::vkey()],
        ..TrustDocument::default()
    });
    assert_eq!(check(&made.decision, &pinned.unwrap()).overall, Overall::Verified);
}

#[test]
fn an_anchor_that_ends_in_the_final_checkpoint_needs_no_other_proof() {
    let made = Plan::default().make();
    let frozen = Frozen::with(&made, 0);
    for files in [&made.decision, &made.chain] {
        assert_eq!(check(files, &frozen.trust()).overall, Overall::Verified);
    }
    // The registry may list the text alone, without signatures.
    let text = Note::read(&frozen.note).unwrap().text;
    let trust = maker::trust(&listing(text));
    assert_eq!(check(&made.decision, &trust).overall, Overall::Verified);
}

#[test]
fn a_checkpoint_beyond_the_final_one_fails() {
    let made = Plan::default().make();
    let steps = (1..=3).map(|step| format!("transparency/{step:06}/entry.json"));
    let own = steps.map(|name| leaf_hash(made.chain.get(&name).unwrap())).collect();
    let frozen = Frozen::of(own);
    let expected = ["transparency_proof CHECKPOINT_AFTER_FREEZE"];
    assert_eq!(codes(&check(&made.decision, &frozen.trust())), expected);
    let proven = exported(&made, frozen.proof(INDEX));
    assert_eq!(codes(&check(&proven, &frozen.trust())), expected, "with a final proof too");
}

#[test]
fn a_final_proof_that_does_not_hold_fails() {
    let made = Plan::default().make();
    let frozen = Frozen::with(&made, 5);
    let other = Frozen::with(&made, 6);
    let proof = frozen.proof(INDEX);
    let checkpoint = proof.split_once("\n\n").unwrap().1;
    let read = ProofText::read(&proof).unwrap();
    let with = |index, hashes| ProofText { index, hashes, checkpoint }.to_string();
    for (name, bad) in [
        ("of another entry", frozen.proof(1)),
        ("another index", with(3, read.hashes.clone())),
        ("a hash less", with(INDEX, read.hashes[1..].to_vec())),
        ("under another checkpoint", other.proof(INDEX)),
        ("under another text", proof.replace("log.example", "bog.example")),
        ("no proof", "x".to_owned()),
        ("nothing", String::new()),
    ] {
        let report = check(&exported(&made, bad), &frozen.trust());
        assert_eq!(codes(&report), ["transparency_proof INCLUSION_INVALID"], "{name}");
    }
    let same_size = Frozen::of((0..4_u32).map(|n| leaf_hash(&n.to_be_bytes())).collect());
    let report = check(&made.decision, &same_size.trust());
    assert_eq!(codes(&report), ["transparency_proof LOG_FROZEN"], "same size, another root");
}

#[test]
fn a_final_checkpoint_that_cannot_be_read_proves_nothing() {
    let made = Plan::default().make();
    let other = Frozen::with(&made, 0).note.replace(maker::ORIGIN, "other.example/1");
    for last in ["", "x", &other] {
        let trust = maker::trust(&listing(last));
        assert_eq!(codes(&check(&made.decision, &trust)), ["transparency_proof LOG_FROZEN"]);
    }
}

#[test]
fn each_receipt_of_a_chain_and_its_seal_need_their_own_final_proof() {
    let made = Plan::default().make();
    let frozen = Frozen::with(&made, 5);
    let places = ["000001", "000002", "000003", "seal"];
    let whole = altered(&made.chain, |files| {
        for (index, place) in (0..).zip(places) {
            let name = format!("transparency/{place}/final.tlog-proof");
            files.insert(&name, frozen.proof(index)).unwrap();
        }
    });
    assert_eq!(check(&whole, &frozen.trust()).overall, Overall::Verified);
    for place in places {
        let name = format!("transparency/{place}/final.tlog-proof");
        let less = altered(&whole, |files| drop(files.remove(&name)));
        let found = codes(&check(&less, &frozen.trust()));
        assert_eq!(found, ["transparency_proof LOG_FROZEN"], "{place}");
        let wrong = altered(&whole, |files| set(files, &name, frozen.proof(6)));
        let found = codes(&check(&wrong, &frozen.trust()));
        assert_eq!(found, ["transparency_proof INCLUSION_INVALID"], "{place}");
    }
}

#[test]
fn a_key_of_a_frozen_log_shows_nothing_new() {
    // The thief has the retired key of the service and the key of the frozen log: one file of old held both.
    let forged = Plan { amount: 1, ..Plan::default() }.make();
    let honest = Plan::default().make();
    let frozen = Frozen::with(&honest, 5);
    let mut registry = listing(&frozen.note).registry;
    registry.keys[1].status = receipt::registry::KeyStatus::Retired;
    let trust = maker::trust(&maker::signed(&registry, "root"));
    let report = check(&forged.decision, &trust);
    let expected = ["receipt KEY_RETIRED_UNANCHORED", "transparency_proof LOG_FROZEN"];
    assert_eq!(codes(&report), expected);
    let pretended = altered(&forged.decision, |files| {
        files.insert(FINAL, frozen.proof(INDEX)).unwrap();
    });
    let expected = ["receipt KEY_RETIRED_UNANCHORED", "transparency_proof INCLUSION_INVALID"];
    assert_eq!(codes(&check(&pretended, &trust)), expected);
}

#[test]
fn a_decision_bundle_may_show_that_the_seal_is_in_the_log() {
    let made = Plan::default().make();
    let shown = altered(&made.decision, |files| {
        for name in ["transparency/seal/entry.json", "transparency/seal/anchor.json"] {
            files.insert(name, made.chain.get(name).unwrap()).unwrap();
        }
    });
    let report = check(&shown, &made.trust);
    assert_eq!(lines(&report), ["transparency_proof: verified WITNESSED"]);
    let anchor = "transparency/seal/anchor.json";
    let other = altered(&shown, |files| {
        edit(files, anchor, "/inclusion_proof/hashes/0", Some(Digest::of(b"").into()));
    });
    assert_eq!(codes(&check(&other, &made.trust)), ["transparency_proof INCLUSION_INVALID"]);
    // The proof of the seal as a text must be the same one.
    let text = |change: fn(&mut u64)| {
        let shown = value(std::str::from_utf8(made.chain.get(anchor).unwrap()).unwrap());
        let proof = receipt::log::Anchor::read(&shown).unwrap().inclusion_proof;
        let mut index = proof.log_index;
        change(&mut index);
        let checkpoint = proof.checkpoint.as_deref().unwrap();
        ProofText { index, hashes: proof.hashes.clone(), checkpoint }.to_string()
    };
    for (proof, expected) in [
        (text(|_| ()), vec![]),
        (text(|index| *index += 1), vec!["transparency_proof ANCHOR_MISMATCH"]),
    ] {
        let bundle = altered(&made.chain, |files| {
            files.insert("transparency/seal/proof.tlog-proof", proof).unwrap();
        });
        assert_eq!(codes(&check(&bundle, &made.trust)), expected);
    }
}
