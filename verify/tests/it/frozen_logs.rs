//! Frozen logs: proofs must end in the final checkpoint listed in the registry.

use receipt::{
    Digest,
    bundle::Files,
    merkle::{self, Tree, leaf_hash},
    transparency_log::{Checkpoint, Note, ProofText},
    trust_registry::SignedRegistry,
};
use verify::{Overall, Trust, TrustDocument, trust::Pin};

use crate::{
    fixtures::{self, Log, Plan, TestBundles, altered, edit, key, set, value},
    outcome::{check, codes, lines},
};

/// The final state of a frozen log.
pub(crate) struct FrozenLog {
    tree: Tree,
    note: String,
}

impl FrozenLog {
    /// Creates the log of a plan with `more` additional entries.
    pub(crate) fn with(bundles: &TestBundles, more: u32) -> Self {
        let steps = (1..=3).map(|step| format!("transparency/{step:06}/entry.json"));
        let names = steps.chain(["transparency/seal/entry.json".to_owned()]);
        let own = names.map(|name| leaf_hash(bundles.chain.get(&name).unwrap()));
        let more = (0..more).map(|number| leaf_hash(&number.to_be_bytes()));
        Self::from_leaves(own.chain(more).collect())
    }

    /// Creates the log of a plan with the receipts only, without the seal.
    pub(crate) fn before_seal(bundles: &TestBundles) -> Self {
        let steps = (1..=3).map(|step| format!("transparency/{step:06}/entry.json"));
        let own = steps.map(|name| leaf_hash(bundles.chain.get(&name).unwrap()));
        Self::from_leaves(own.collect())
    }

    fn from_leaves(leaves: Vec<Digest>) -> Self {
        let tree: Tree = leaves.into_iter().collect();
        let size = tree.size();
        let root = merkle::root(&tree, size).unwrap();
        let origin = fixtures::ORIGIN.to_owned();
        let text = Checkpoint { origin, size, root }.to_string();
        Self { tree, note: fixtures::log_key(fixtures::ORIGIN, "log").sign(&text).unwrap() }
    }

    /// Returns the final proof of an entry.
    fn proof(&self, index: u64) -> String {
        let hashes = merkle::inclusion(&self.tree, index, self.tree.size()).unwrap();
        ProofText { index, hashes, checkpoint: &self.note }.to_string()
    }

    /// Returns the registry that lists this state as final.
    pub(crate) fn registry(&self) -> SignedRegistry {
        registry_with_final(&self.note)
    }

    fn trust(&self) -> Trust {
        fixtures::trust(&self.registry())
    }
}

/// Returns the second registry version, which lists a final checkpoint.
fn registry_with_final(last: &str) -> SignedRegistry {
    let first = fixtures::registry(|_| ());
    let mut next = first.registry.clone();
    (next.version, next.prev_digest) = (2, Some(first.digest()));
    next.logs[0].final_checkpoint = Some(last.to_owned());
    fixtures::signed(&next, "root")
}

const FINAL: &str = "transparency/final.tlog-proof";
/// The index of the decision's receipt.
const INDEX: u64 = 2;

/// Returns the bundle of the decision with a final proof.
fn with_final_proof(bundles: &TestBundles, proof: impl Into<Vec<u8>>) -> Files {
    altered(&bundles.decision, |files| files.insert(FINAL, proof).unwrap())
}

#[test]
fn anchor_before_the_freeze_needs_the_final_proof() {
    let bundles = Plan::default().build();
    let frozen = FrozenLog::with(&bundles, 5);
    let trust = frozen.trust();
    let report = check(&bundles.decision, &trust);
    assert_eq!(codes(&report), ["transparency_proof LOG_FROZEN"]);
    assert_eq!(report.overall, Overall::Incomplete);

    let with_proof = with_final_proof(&bundles, frozen.proof(INDEX));
    let report = check(&with_proof, &trust);
    assert_eq!((codes(&report), report.overall), (vec![], Overall::Verified));
    assert_eq!(report.checkpoint.map(|checkpoint| checkpoint.size), Some(9));
    // Without a freeze in the trusted registry, the final proof has no effect.
    assert_eq!(check(&with_proof, &bundles.trust).overall, Overall::Verified);
    let pinned = Trust::new(TrustDocument {
        pins: vec![
            Pin::new(key("service").kid()),
            Pin::for_purpose(key("approver").kid(), "policy_approval").unwrap(),
        ],
        logs: vec![Log::vkey()],
        ..TrustDocument::default()
    });
    assert_eq!(check(&bundles.decision, &pinned.unwrap()).overall, Overall::Verified);
}

#[test]
fn anchor_under_the_final_checkpoint_needs_no_final_proof() {
    let bundles = Plan::default().build();
    let frozen = FrozenLog::with(&bundles, 0);
    for files in [&bundles.decision, &bundles.chain] {
        assert_eq!(check(files, &frozen.trust()).overall, Overall::Verified);
    }
    // The registry may list the checkpoint text without signatures.
    let text = Note::read(&frozen.note).unwrap().text;
    let trust = fixtures::trust(&registry_with_final(text));
    assert_eq!(check(&bundles.decision, &trust).overall, Overall::Verified);
}

#[test]
fn checkpoint_larger_than_the_final_one_fails() {
    let bundles = Plan::default().build();
    let frozen = FrozenLog::before_seal(&bundles);
    let expected = ["transparency_proof CHECKPOINT_AFTER_FREEZE"];
    assert_eq!(codes(&check(&bundles.decision, &frozen.trust())), expected);
    let with_proof = with_final_proof(&bundles, frozen.proof(INDEX));
    assert_eq!(codes(&check(&with_proof, &frozen.trust())), expected, "with a final proof too");
}

#[test]
fn invalid_final_proof_fails() {
    let bundles = Plan::default().build();
    let frozen = FrozenLog::with(&bundles, 5);
    let other = FrozenLog::with(&bundles, 6);
    let proof = frozen.proof(INDEX);
    let checkpoint = proof.split_once("\n\n").unwrap().1;
    let parsed = ProofText::read(&proof).unwrap();
    let with = |index, hashes| ProofText { index, hashes, checkpoint }.to_string();
    for (name, bad) in [
        ("of another entry", frozen.proof(1)),
        ("another index", with(3, parsed.hashes.clone())),
        ("missing hash", with(INDEX, parsed.hashes[1..].to_vec())),
        ("under another checkpoint", other.proof(INDEX)),
        ("under another text", proof.replace("log.example", "bog.example")),
        ("no proof", "x".to_owned()),
        ("nothing", String::new()),
    ] {
        let report = check(&with_final_proof(&bundles, bad), &frozen.trust());
        assert_eq!(codes(&report), ["transparency_proof INCLUSION_INVALID"], "{name}");
    }
    let same_size =
        FrozenLog::from_leaves((0..4_u32).map(|n| leaf_hash(&n.to_be_bytes())).collect());
    let report = check(&bundles.decision, &same_size.trust());
    assert_eq!(codes(&report), ["transparency_proof LOG_FROZEN"], "same size, another root");
}

#[test]
fn malformed_final_checkpoint_leaves_the_log_frozen() {
    let bundles = Plan::default().build();
    let other = FrozenLog::with(&bundles, 0).note.replace(fixtures::ORIGIN, "other.example/1");
    for last in ["", "x", &other] {
        let trust = fixtures::trust(&registry_with_final(last));
        assert_eq!(codes(&check(&bundles.decision, &trust)), ["transparency_proof LOG_FROZEN"]);
    }
}

#[test]
fn each_receipt_and_the_seal_need_their_own_final_proof() {
    let bundles = Plan::default().build();
    let frozen = FrozenLog::with(&bundles, 5);
    let scopes = ["000001", "000002", "000003", "seal"];
    let complete = altered(&bundles.chain, |files| {
        for (index, scope) in (0..).zip(scopes) {
            let name = format!("transparency/{scope}/final.tlog-proof");
            files.insert(&name, frozen.proof(index)).unwrap();
        }
    });
    assert_eq!(check(&complete, &frozen.trust()).overall, Overall::Verified);
    for scope in scopes {
        let name = format!("transparency/{scope}/final.tlog-proof");
        let incomplete = altered(&complete, |files| drop(files.remove(&name)));
        let result = codes(&check(&incomplete, &frozen.trust()));
        assert_eq!(result, ["transparency_proof LOG_FROZEN"], "{scope}");
        let wrong = altered(&complete, |files| set(files, &name, frozen.proof(6)));
        let result = codes(&check(&wrong, &frozen.trust()));
        assert_eq!(result, ["transparency_proof INCLUSION_INVALID"], "{scope}");
    }
}

#[test]
fn key_of_a_frozen_log_cannot_anchor_new_entries() {
    // The attacker has the retired service key and the key of the frozen log, as earlier versions
    // stored both in one file.
    let forged = Plan { amount: 1, ..Plan::default() }.build();
    let original = Plan::default().build();
    let frozen = FrozenLog::with(&original, 5);
    let mut registry = frozen.registry().registry;
    registry.keys[1].status = receipt::trust_registry::KeyStatus::Retired;
    let trust = fixtures::trust(&fixtures::signed(&registry, "root"));
    let report = check(&forged.decision, &trust);
    let expected = ["receipt KEY_RETIRED_UNANCHORED", "transparency_proof LOG_FROZEN"];
    assert_eq!(codes(&report), expected);
    let with_proof = altered(&forged.decision, |files| {
        files.insert(FINAL, frozen.proof(INDEX)).unwrap();
    });
    let expected = ["receipt KEY_RETIRED_UNANCHORED", "transparency_proof INCLUSION_INVALID"];
    assert_eq!(codes(&check(&with_proof, &trust)), expected);
}

#[test]
fn decision_bundle_may_contain_the_anchor_of_the_seal() {
    let bundles = Plan::default().build();
    let with_seal_anchor = altered(&bundles.decision, |files| {
        for name in ["transparency/seal/entry.json", "transparency/seal/anchor.json"] {
            files.insert(name, bundles.chain.get(name).unwrap()).unwrap();
        }
    });
    let report = check(&with_seal_anchor, &bundles.trust);
    assert_eq!(lines(&report), ["transparency_proof: verified WITNESSED"]);
    let anchor = "transparency/seal/anchor.json";
    let other = altered(&with_seal_anchor, |files| {
        edit(files, anchor, "/inclusion_proof/hashes/0", Some(Digest::compute(b"").into()));
    });
    assert_eq!(codes(&check(&other, &bundles.trust)), ["transparency_proof INCLUSION_INVALID"]);
    // The text form of the seal proof must be equal to the anchor.
    let proof_text = |change: fn(&mut u64)| {
        let shown = value(std::str::from_utf8(bundles.chain.get(anchor).unwrap()).unwrap());
        let proof = receipt::transparency_log::Anchor::read(&shown).unwrap().inclusion_proof;
        let mut index = proof.log_index;
        change(&mut index);
        let checkpoint = proof.checkpoint.as_deref().unwrap();
        ProofText { index, hashes: proof.hashes.clone(), checkpoint }.to_string()
    };
    for (proof, expected) in [
        (proof_text(|_| ()), vec![]),
        (proof_text(|index| *index += 1), vec!["transparency_proof ANCHOR_MISMATCH"]),
    ] {
        let bundle = altered(&bundles.chain, |files| {
            files.insert("transparency/seal/proof.tlog-proof", proof).unwrap();
        });
        assert_eq!(codes(&check(&bundle, &bundles.trust)), expected);
    }
}
