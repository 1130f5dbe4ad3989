//! Attacks on anchors, checkpoints and witnesses.

use receipt::{Digest, bundle::Files};
use verify::Overall;

use super::{check_attack, check_plans, edit_anchor, swap};
use crate::{
    fixtures::{Log, Plan, altered, edit, value},
    outcome::{check, codes, lines},
};

#[test]
fn anchor_of_another_tree_leaf_or_log_fails_the_transparency_proof() {
    check_attack(
        |f| edit_uuid(f, |uuid| format!("{:016}{}", 0, &uuid[16..])),
        "transparency_proof ENTRY_UUID_MISMATCH",
    );
    check_attack(
        |f| edit_uuid(f, |uuid| format!("{}{}", &uuid[..16], Digest::compute(b""))),
        "transparency_proof LEAF_MISMATCH",
    );
    let log = |log: Log| Plan { log, ..Plan::default() };
    check_plans(
        "transparency_proof",
        [
            ("CHECKPOINT_SIGNATURE_INVALID", log(Log { signer: "foreign", ..Log::default() })),
            ("LOG_UNTRUSTED", log(Log { origin: "other.example/1", ..Log::default() })),
            ("QUORUM_NOT_MET", log(Log { cosigned_at: None, ..Log::default() })),
            ("ANCHOR_PENDING", log(Log { is_running: false, ..Log::default() })),
        ],
    );
}

fn edit_uuid(files: &mut Files, change: fn(&str) -> String) {
    let anchor =
        value(std::str::from_utf8(files.get("transparency/anchor.json").unwrap()).unwrap());
    let uuid = change(anchor.get("entry_uuid").unwrap().as_str().unwrap());
    edit_anchor(files, "/entry_uuid", Some(uuid.into()));
}

#[test]
fn swapped_anchors_fail_and_external_anchors_are_not_checked() {
    let bundles = Plan::default().build();
    let swapped = altered(&bundles.chain, |files| {
        swap(files, "transparency/000001/anchor.json", "transparency/000002/anchor.json");
        for step in ["000001", "000002"] {
            let anchor = files.get(&format!("transparency/{step}/anchor.json")).unwrap();
            let anchor = value(std::str::from_utf8(anchor).unwrap());
            let name = format!("receipt/{step}/receipt.json");
            edit(files, &name, "/transparency_anchor", Some(anchor.clone()));
            edit(files, &name, "/result/transparency_anchor", Some(anchor));
        }
    });
    assert_eq!(codes(&check(&swapped, &bundles.trust)), ["transparency_proof LEAF_MISMATCH"]);
    let foreign = altered(&bundles.chain, |files| {
        files.insert("transparency/000001/external/other.bin", "anything").unwrap();
    });
    let report = check(&foreign, &bundles.trust);
    assert_eq!(report.overall, Overall::Verified);
    let note = "transparency_proof: verified EXTERNAL_ANCHOR_NOT_CHECKED WITNESSED";
    assert_eq!(lines(&report), [note]);
}
