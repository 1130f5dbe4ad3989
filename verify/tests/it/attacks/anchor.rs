//! Attacks on anchors, checkpoints and witnesses.

use contract::json::Value;
use receipt::{Digest, bundle::Files};
use verify::Overall;

use super::{RECEIPT, decision, plan, swap};
use crate::{
    fixtures::{Log, Plan, altered, edit, value},
    outcome::{check, codes, lines},
};

/// Changes the anchor in all files that contain it.
fn anchor(files: &mut Files, pointer: &str, new: Option<Value>) {
    edit(files, "transparency/anchor.json", pointer, new.clone());
    edit(files, RECEIPT, &format!("/transparency_anchor{pointer}"), new.clone());
    edit(files, RECEIPT, &format!("/result/transparency_anchor{pointer}"), new);
}

#[test]
fn tampered_anchor_fails_the_transparency_proof() {
    decision(&[
        (
            "another in the receipt",
            |f| edit(f, RECEIPT, "/transparency_anchor/log_index", Some(0.into())),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "another in the result",
            |f| edit(f, RECEIPT, "/result/transparency_anchor/log_index", Some(0.into())),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "none in the receipt",
            |f| edit(f, RECEIPT, "/transparency_anchor", Some(Value::Null)),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "none in the bundle",
            |f| drop(f.remove("transparency/anchor.json")),
            &["transparency_proof FILE_MISSING"],
        ),
        (
            "no entry",
            |f| drop(f.remove("transparency/entry.json")),
            &["transparency_proof FILE_MISSING"],
        ),
        (
            "other entry",
            |f| edit(f, "transparency/entry.json", "/kind", Some("chain_seal".into())),
            &["transparency_proof LEAF_MISMATCH"],
        ),
        (
            "other tree",
            |f| anchor(f, "/entry_uuid", Some(format!("{:016}{}", 0, &uuid(f)[16..]).into())),
            &["transparency_proof ENTRY_UUID_MISMATCH"],
        ),
        (
            "other leaf",
            |f| {
                anchor(
                    f,
                    "/entry_uuid",
                    Some(format!("{}{}", &uuid(f)[..16], Digest::compute(b"")).into()),
                );
            },
            &["transparency_proof LEAF_MISMATCH"],
        ),
        (
            "other root",
            |f| anchor(f, "/inclusion_proof/root_hash", Some(Digest::compute(b"").into())),
            &["transparency_proof ROOT_MISMATCH"],
        ),
        (
            "other size",
            |f| anchor(f, "/inclusion_proof/tree_size", Some(3.into())),
            &["transparency_proof ROOT_MISMATCH"],
        ),
        (
            "other hash",
            |f| anchor(f, "/inclusion_proof/hashes/0", Some(Digest::compute(b"").into())),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "a hash less",
            |f| anchor(f, "/inclusion_proof/hashes/1", None),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "other index inside",
            |f| anchor(f, "/inclusion_proof/log_index", Some(1.into())),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "other index outside",
            |f| anchor(f, "/log_index", Some(1.into())),
            &["transparency_proof ANCHOR_MALFORMED"],
        ),
        (
            "no checkpoint",
            |f| anchor(f, "/inclusion_proof/checkpoint", None),
            &["transparency_proof CHECKPOINT_MISSING"],
        ),
        (
            "no note",
            |f| anchor(f, "/inclusion_proof/checkpoint", Some("x".into())),
            &["transparency_proof ANCHOR_MALFORMED"],
        ),
        (
            "other provider",
            |f| anchor(f, "/provider", Some("rekor".into())),
            &["transparency_proof PROVIDER_UNSUPPORTED"],
        ),
        (
            "a proof as a text",
            |f| f.insert("transparency/proof.tlog-proof", "x").unwrap(),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
    ]);
    let log = |log: Log| Plan { log, ..Plan::default() };
    plan(&[
        (
            "foreign signer",
            log(Log { signer: "foreign", ..Log::default() }),
            &["transparency_proof CHECKPOINT_SIGNATURE_INVALID"],
        ),
        (
            "foreign log",
            log(Log { origin: "other.example/1", ..Log::default() }),
            &["transparency_proof LOG_UNTRUSTED"],
        ),
        (
            "no witness",
            log(Log { cosigned: None, ..Log::default() }),
            &["transparency_proof QUORUM_NOT_MET"],
        ),
        (
            "not anchored",
            log(Log { is_running: false, ..Log::default() }),
            &["transparency_proof ANCHOR_PENDING"],
        ),
    ]);
}

fn uuid(files: &Files) -> String {
    let anchor = files.get("transparency/anchor.json").unwrap();
    let anchor = value(std::str::from_utf8(anchor).unwrap());
    anchor.get("entry_uuid").unwrap().as_str().unwrap().to_owned()
}

#[test]
fn swapped_anchors_fail_and_external_anchors_are_not_checked() {
    let bundles = Plan::default().make();
    let swapped = altered(&bundles.chain, |files| {
        swap(files, "transparency/000001/anchor.json", "transparency/000002/anchor.json");
        let anchor = |files: &Files, step: u32| {
            let name = format!("transparency/{step:06}/anchor.json");
            value(std::str::from_utf8(files.get(&name).unwrap()).unwrap())
        };
        for step in [1, 2] {
            let (name, anchor) = (format!("receipt/{step:06}/receipt.json"), anchor(files, step));
            edit(files, &name, "/transparency_anchor", Some(anchor.clone()));
            edit(files, &name, "/result/transparency_anchor", Some(anchor));
        }
    });
    assert_eq!(codes(&check(&swapped, &bundles.trust)), ["transparency_proof LEAF_MISMATCH"]);
    let foreign = altered(&bundles.chain, |files| {
        insert_external_anchor(files);
    });
    let report = check(&foreign, &bundles.trust);
    assert_eq!(report.overall, Overall::Verified);
    assert_eq!(
        lines(&report),
        ["transparency_proof: verified EXTERNAL_ANCHOR_NOT_CHECKED WITNESSED"]
    );
}

fn insert_external_anchor(files: &mut Files) {
    files.insert("transparency/000001/external/other.bin", "anything").unwrap();
}
