//! Attacks on bundles of complete chains.

use receipt::bundle::{Files, path};
use verify::Overall;

use super::swap;
use crate::{
    fixtures::{Plan, altered, edit},
    outcome::{check, codes, lines},
};

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
