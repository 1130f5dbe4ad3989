//! Attacks on links, parents and seals, and on bundles of complete chains.

use contract::id::DecisionId;
use receipt::{
    Digest,
    bundle::{Files, path},
    chain::{self, ChainProof, ChainSeal, Link, SignedLink},
};
use verify::Overall;

use super::{check_attack, check_plans, swap};
use crate::{
    fixtures::{Plan, TestBundles, altered, decision_id, edit, set, value},
    outcome::{check, codes, lines},
};

#[test]
fn tampered_chain_fails_the_chain_proofs() {
    check_attack(
        |f| {
            let links = value(std::str::from_utf8(f.get(path::LINKS).unwrap()).unwrap());
            let other = links.get("links").unwrap().as_array().unwrap()[1].get("signature");
            edit(f, path::LINKS, "/links/0/signature", other.cloned());
        },
        "chain_proofs LINK_SIGNATURE_INVALID",
    );
    let link = |link: fn(&mut Link)| Plan { link, ..Plan::default() };
    let seal = |seal: fn(&mut ChainSeal)| Plan { seal, ..Plan::default() };
    let parent = |parent: fn(u32) -> Option<DecisionId>| Plan { parent, ..Plan::default() };
    check_plans(
        "chain_proofs",
        [
            ("CHAIN_FORK", link(|link| link.position = 1)),
            ("CHAIN_FORK", Plan { steps: vec![1, 1], ..Plan::default() }.without_chain()),
            ("CHAIN_FORK", link(|link| link.prev = None)),
            ("LINK_GAP", link(|link| link.position += u32::from(link.position > 1))),
            (
                "LINK_MISMATCH",
                link(|link| link.prev = link.prev.map(|prev| Digest::compute(prev.as_bytes()))),
            ),
            ("SEAL_MISMATCH", seal(|seal| seal.step_count += 1)),
            ("SEAL_MISMATCH", seal(|seal| seal.head = Digest::compute(b""))),
            ("SEAL_MISMATCH", seal(|seal| seal.merkle_root = Digest::compute(b""))),
            ("PARENT_NOT_IN_CHAIN", parent(|_| Some(decision_id(9)))),
            ("PARENT_NOT_IN_CHAIN", parent(|number| Some(decision_id(number)))),
        ],
    );
}

impl Plan {
    /// Creates only the bundle of the decision, because two receipts cannot have the same step.
    fn without_chain(mut self) -> Self {
        self.has_chain_bundle = false;
        self
    }
}

/// Returns the bundle of the last decision of a chain, with a proof instead of the other links.
fn with_chain_proof(bundles: &TestBundles, index: u64) -> Files {
    altered(&bundles.decision, |files| {
        let text = String::from_utf8(files.get(path::LINKS).unwrap().to_vec()).unwrap();
        let file = value(&text);
        let links = chain::read_links(&file).unwrap();
        let tree = chain::tree(links.iter().map(|link| link.canonical.digest));
        let last = SignedLink {
            link: &links.last().unwrap().canonical,
            signature: links.last().unwrap().signature,
            kid: links.last().unwrap().kid,
        };
        set(files, path::LINKS, chain::links(&[last]).text);
        let proof = ChainProof::new(&tree, index).unwrap();
        files.insert(path::CHAIN_PROOF, proof.canonical().text).unwrap();
    })
}

#[test]
fn long_chain_may_be_represented_by_a_proof() {
    let long = |is_sealed| Plan { steps: (1..=1_001).collect(), is_sealed, ..Plan::default() };
    let bundles = long(true).without_chain().build();
    let report = check(&with_chain_proof(&bundles, 1_000), &bundles.trust);
    assert_eq!(report.overall, Overall::Verified, "{report:#?}");
    let report = check(&with_chain_proof(&bundles, 999), &bundles.trust);
    assert_eq!(codes(&report), ["chain_proofs SEAL_MISMATCH"], "proof of another link");
    let open = long(false).without_chain().build();
    let report = check(&with_chain_proof(&open, 1_000), &open.trust);
    assert_eq!(codes(&report), ["chain_proofs SEAL_MISMATCH"], "proof without a seal");
    let short = Plan::default().build();
    let report = check(&with_chain_proof(&short, 2), &short.trust);
    assert_eq!(codes(&report), ["chain_proofs LINK_GAP"], "proof for a short chain");
}

/// Removes the files whose name contains `part`.
fn remove_files(files: &mut Files, part: &str) {
    let names: Vec<String> =
        files.names().filter(|name| name.contains(part)).map(str::to_owned).collect();
    for name in names {
        files.remove(&name);
    }
}

#[test]
fn missing_or_swapped_receipts_of_a_chain_are_detected() {
    let bundles = Plan::default().build();
    let without_receipt = altered(&bundles.chain, |files| remove_files(files, "/000002/"));
    assert_eq!(codes(&check(&without_receipt, &bundles.trust)), ["chain_proofs RECEIPT_MISSING"]);

    // The last step and its link are missing; the seal still counts them.
    let truncated = altered(&bundles.chain, |files| {
        remove_files(files, "/000003/");
        edit(files, path::LINKS, "/links/2", None);
    });
    let report = check(&truncated, &bundles.trust);
    assert_eq!(codes(&report), ["chain_proofs SEAL_MISMATCH", "manifest SUBJECT_MISMATCH"]);

    let swapped = altered(&bundles.chain, |files| {
        for name in ["receipt", "statement", "integrity"] {
            swap(
                files,
                &format!("receipt/000001/{name}.json"),
                &format!("receipt/000002/{name}.json"),
            );
        }
        swap(files, "receipt/000001/receipt.dsse.json", "receipt/000002/receipt.dsse.json");
    });
    let report = check(&swapped, &bundles.trust);
    assert!(codes(&report).contains(&"chain_proofs LINK_MISMATCH".to_owned()), "{report:#?}");
}

#[test]
fn unordered_steps_and_unsealed_chains_are_noted() {
    for (steps, is_sealed, notes) in [
        (vec![1, 3, 2], true, "chain_proofs: verified STEP_ORDER"),
        (vec![1, 5], true, "chain_proofs: verified STEP_GAP"),
        (vec![4, 2], true, "chain_proofs: verified STEP_GAP STEP_ORDER"),
        (vec![1, 2], false, "chain_proofs: verified CHAIN_OPEN"),
    ] {
        let bundles = Plan { steps, is_sealed, ..Plan::default() }.build();
        for files in [&bundles.decision, &bundles.chain] {
            let report = check(files, &bundles.trust);
            assert_eq!(report.overall, Overall::Verified);
            assert_eq!(lines(&report)[0], notes);
        }
    }
}
