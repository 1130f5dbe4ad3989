//! Attacks on links, parents and seals in the bundle of a decision.

use contract::json::Value;
use receipt::{
    Digest,
    bundle::{Files, path},
    chain::{self, ChainProof, SignedLink},
};
use verify::Overall;

use super::{RECEIPT, check_attacks, check_plans};
use crate::{
    fixtures::{Plan, TestBundles, altered, decision_id, edit, set, value},
    outcome::{check, codes},
};

#[test]
fn tampered_chain_fails_the_chain_proofs() {
    check_attacks(&[
        ("first link", |f| edit(f, path::LINKS, "/links/0", None), &["chain_proofs LINK_GAP"]),
        ("middle link", |f| edit(f, path::LINKS, "/links/1", None), &["chain_proofs LINK_GAP"]),
        ("own link", |f| edit(f, path::LINKS, "/links/2", None), &["chain_proofs LINK_GAP"]),
        ("no links", |f| drop(f.remove(path::LINKS)), &["chain_proofs FILE_MISSING"]),
        (
            "other digest",
            |f| {
                edit(
                    f,
                    path::LINKS,
                    "/links/0/link/receipt_digest",
                    Some(Digest::compute(b"").into()),
                );
            },
            &["chain_proofs LINK_MISMATCH"],
        ),
        (
            "other chain",
            |f| {
                edit(
                    f,
                    path::LINKS,
                    "/links/2/link/chain_id",
                    Some("00000000-0000-0000-0000-000000000001".into()),
                );
            },
            &["chain_proofs LINK_MISMATCH"],
        ),
        (
            "signature of the seal",
            |f| {
                let other = format!("{}A==", "A".repeat(85));
                edit(f, path::SEAL_ENVELOPE, "/signatures/0/sig", Some(other.into()));
            },
            &["chain_proofs SEAL_SIGNATURE_INVALID"],
        ),
        (
            "unreadable seal envelope",
            |f| set(f, path::SEAL_ENVELOPE, "{}"),
            &["chain_proofs FILE_UNREADABLE"],
        ),
        (
            "schema",
            |f| edit(f, path::LINKS, "/schema", Some("x".into())),
            &["chain_proofs SCHEMA_MISMATCH"],
        ),
        (
            "stripped signature",
            |f| edit(f, path::LINKS, "/links/0/signature", None),
            &["chain_proofs LINK_SIGNATURE_INVALID"],
        ),
        (
            "stripped signature and kid",
            |f| {
                edit(f, path::LINKS, "/links/0/signature", None);
                edit(f, path::LINKS, "/links/0/kid", None);
            },
            &["chain_proofs UNSIGNED"],
        ),
        (
            "signature of another link",
            |f| {
                let links = value(std::str::from_utf8(f.get(path::LINKS).unwrap()).unwrap());
                let other =
                    links.get("links").unwrap().as_array().unwrap()[1].get("signature").cloned();
                edit(f, path::LINKS, "/links/0/signature", other);
            },
            &["chain_proofs LINK_SIGNATURE_INVALID"],
        ),
        (
            "shown link",
            |f| edit(f, RECEIPT, "/chain/chain_integrity_hash", Some(Digest::compute(b"").into())),
            &["chain_proofs LINK_MISMATCH"],
        ),
        (
            "seal unsigned",
            |f| edit(f, path::SEAL_ENVELOPE, "/signatures", Some(Value::Array(vec![]))),
            &["chain_proofs UNSIGNED"],
        ),
        ("two seals", |f| f.insert(path::SEAL, "{}").unwrap(), &["chain_proofs SEAL_MISMATCH"]),
    ]);
    check_plans(&[
        (
            "fork",
            Plan { link: |link| link.position = 1, ..Plan::default() },
            &["chain_proofs CHAIN_FORK"],
        ),
        (
            "duplicate step",
            Plan { steps: vec![1, 1], ..Plan::default() }.without_chain(),
            &["chain_proofs CHAIN_FORK"],
        ),
        (
            "link without predecessor",
            Plan { link: |link| link.prev = None, ..Plan::default() },
            &["chain_proofs CHAIN_FORK"],
        ),
        (
            "gap",
            Plan { link: |link| link.position += u32::from(link.position > 1), ..Plan::default() },
            &["chain_proofs LINK_GAP"],
        ),
        (
            "link with another predecessor",
            Plan {
                link: |link| link.prev = link.prev.map(|prev| Digest::compute(prev.as_bytes())),
                ..Plan::default()
            },
            &["chain_proofs LINK_MISMATCH"],
        ),
        (
            "seal with a higher link count",
            Plan { seal: |seal| seal.step_count += 1, ..Plan::default() },
            &["chain_proofs SEAL_MISMATCH"],
        ),
        (
            "seal with another head",
            Plan { seal: |seal| seal.head = Digest::compute(b""), ..Plan::default() },
            &["chain_proofs SEAL_MISMATCH"],
        ),
        (
            "seal with another root",
            Plan { seal: |seal| seal.merkle_root = Digest::compute(b""), ..Plan::default() },
            &["chain_proofs SEAL_MISMATCH"],
        ),
        (
            "foreign parent",
            Plan { parent: |_| Some(decision_id(9)), ..Plan::default() },
            &["chain_proofs PARENT_NOT_IN_CHAIN"],
        ),
        (
            "own parent",
            Plan { parent: |number| Some(decision_id(number)), ..Plan::default() },
            &["chain_proofs PARENT_NOT_IN_CHAIN"],
        ),
    ]);
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
