//! Bundles of whole chains.

use receipt::bundle::path;
use verify::Overall;

use super::swap;
use crate::{
    maker::{Plan, altered, edit},
    outcome::{check, codes, lines},
};

#[test]
fn on_a_chain_of_receipts() {
    let made = Plan::default().make();
    let cut = altered(&made.chain, |files| {
        let names: Vec<String> =
            files.names().filter(|name| name.contains("/000002/")).map(str::to_owned).collect();
        for name in names {
            files.remove(&name);
        }
    });
    assert_eq!(codes(&check(&cut, &made.trust)), ["chain_proofs RECEIPT_MISSING"]);

    // A truncated chain: the last step is gone, with its link; the seal remembers.
    let truncated = altered(&made.chain, |files| {
        let names: Vec<String> =
            files.names().filter(|name| name.contains("/000003/")).map(str::to_owned).collect();
        for name in names {
            files.remove(&name);
        }
        edit(files, path::LINKS, "/links/2", None);
    });
    let report = check(&truncated, &made.trust);
    assert_eq!(codes(&report), ["chain_proofs SEAL_MISMATCH", "manifest SUBJECT_MISMATCH"]);

    let swapped = altered(&made.chain, |files| {
        for name in ["receipt", "statement", "integrity"] {
            swap(
                files,
                &format!("receipt/000001/{name}.json"),
                &format!("receipt/000002/{name}.json"),
            );
        }
        swap(files, "receipt/000001/receipt.dsse.json", "receipt/000002/receipt.dsse.json");
    });
    let report = check(&swapped, &made.trust);
    assert!(codes(&report).contains(&"chain_proofs LINK_MISMATCH".to_owned()), "{report:#?}");
}

#[test]
fn chains_that_callers_left_untidy() {
    for (steps, is_sealed, notes) in [
        (vec![1, 3, 2], true, "chain_proofs: verified STEP_ORDER"),
        (vec![1, 5], true, "chain_proofs: verified STEP_GAP"),
        (vec![4, 2], true, "chain_proofs: verified STEP_GAP STEP_ORDER"),
        (vec![1, 2], false, "chain_proofs: verified CHAIN_OPEN"),
    ] {
        let made = Plan { steps, is_sealed, ..Plan::default() }.make();
        for files in [&made.decision, &made.chain] {
            let report = check(files, &made.trust);
            assert_eq!(report.overall, Overall::Verified);
            assert_eq!(lines(&report)[0], notes);
        }
    }
}
