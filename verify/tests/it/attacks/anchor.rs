//! Attacks on anchors, checkpoints and witnesses.

use contract::json::Value;
use receipt::{Digest, bundle::Files};
use verify::Overall;

use super::{RECEIPT, check_attacks, check_plans, swap};
use crate::{
    fixtures::{Log, Plan, altered, edit, value},
    outcome::{check, codes, lines},
};

/// Changes the anchor in all files that contain it.
fn edit_anchor(files: &mut Files, pointer: &str, new: Option<Value>) {
    edit(files, "transparency/anchor.json", pointer, new.clone());
    edit(files, RECEIPT, &format!("/transparency_anchor{pointer}"), new.clone());
    edit(files, RECEIPT, &format!("/result/transparency_anchor{pointer}"), new);
}

#[test]
fn tampered_anchor_fails_the_transparency_proof() {
    check_attacks(&[
        (
            "another index in the receipt",
            |f| edit(f, RECEIPT, "/transparency_anchor/log_index", Some(0.into())),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "another index in the result",
            |f| edit(f, RECEIPT, "/result/transparency_anchor/log_index", Some(0.into())),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "no anchor in the receipt",
            |f| edit(f, RECEIPT, "/transparency_anchor", Some(Value::Null)),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
        (
            "no anchor in the bundle",
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
            |f| {
                edit_anchor(
                    f,
                    "/entry_uuid",
                    Some(format!("{:016}{}", 0, &entry_uuid(f)[16..]).into()),
                );
            },
            &["transparency_proof ENTRY_UUID_MISMATCH"],
        ),
        (
            "other leaf",
            |f| {
                edit_anchor(
                    f,
                    "/entry_uuid",
                    Some(format!("{}{}", &entry_uuid(f)[..16], Digest::compute(b"")).into()),
                );
            },
            &["transparency_proof LEAF_MISMATCH"],
        ),
        (
            "other root",
            |f| edit_anchor(f, "/inclusion_proof/root_hash", Some(Digest::compute(b"").into())),
            &["transparency_proof ROOT_MISMATCH"],
        ),
        (
            "other size",
            |f| edit_anchor(f, "/inclusion_proof/tree_size", Some(3.into())),
            &["transparency_proof ROOT_MISMATCH"],
        ),
        (
            "other hash",
            |f| edit_anchor(f, "/inclusion_proof/hashes/0", Some(Digest::compute(b"").into())),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "missing hash",
            |f| edit_anchor(f, "/inclusion_proof/hashes/1", None),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "other index in the proof",
            |f| edit_anchor(f, "/inclusion_proof/log_index", Some(1.into())),
            &["transparency_proof INCLUSION_INVALID"],
        ),
        (
            "other index in the anchor",
            |f| edit_anchor(f, "/log_index", Some(1.into())),
            &["transparency_proof ANCHOR_MALFORMED"],
        ),
        (
            "no checkpoint",
            |f| edit_anchor(f, "/inclusion_proof/checkpoint", None),
            &["transparency_proof CHECKPOINT_MISSING"],
        ),
        (
            "no note",
            |f| edit_anchor(f, "/inclusion_proof/checkpoint", Some("x".into())),
            &["transparency_proof ANCHOR_MALFORMED"],
        ),
        (
            "other provider",
            |f| edit_anchor(f, "/provider", Some("rekor".into())),
            &["transparency_proof PROVIDER_UNSUPPORTED"],
        ),
        (
            "text form of the proof",
            |f| f.insert("transparency/proof.tlog-proof", "x").unwrap(),
            &["transparency_proof ANCHOR_MISMATCH"],
        ),
    ]);
    let log = |log: Log| Plan { log, ..Plan::default() };
    check_plans(&[
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
            log(Log { cosigned_at: None, ..Log::default() }),
            &["transparency_proof QUORUM_NOT_MET"],
        ),
        (
            "not anchored",
            log(Log { is_running: false, ..Log::default() }),
            &["transparency_proof ANCHOR_PENDING"],
        ),
    ]);
}

fn entry_uuid(files: &Files) -> String {
    let anchor = files.get("transparency/anchor.json").unwrap();
    let anchor = value(std::str::from_utf8(anchor).unwrap());
    anchor.get("entry_uuid").unwrap().as_str().unwrap().to_owned()
}

#[test]
fn swapped_anchors_fail_and_external_anchors_are_not_checked() {
    let bundles = Plan::default().build();
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
