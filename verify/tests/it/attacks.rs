//! For each claim the smallest tampering, with the code that it must give, and no other claim that it
//! touches. Whoever tampers here has the key of the manifest, unless a test says otherwise.

mod anchor;
mod approval;
mod chain;
mod chain_of_receipts;
mod content;
mod policies;
mod receipt;

use ::receipt::bundle::Files;

use crate::{
    maker::{Plan, altered},
    outcome::{check, codes},
};

type Change = fn(&mut Files);

/// Applies each change to the bundle of a decision, closes it again, and compares the codes.
fn decision(attacks: &[(&str, Change, &[&str])]) {
    let made = Plan::default().make();
    for (name, change, expected) in attacks {
        let report = check(&altered(&made.decision, change), &made.trust);
        assert_eq!(codes(&report), *expected, "{name}: {:#?}", report.claims);
    }
}

fn plan(attacks: &[(&str, Plan, &[&str])]) {
    for (name, plan, expected) in attacks {
        let made = plan.make();
        let report = check(&made.decision, &made.trust);
        assert_eq!(codes(&report), *expected, "{name}: {:#?}", report.claims);
    }
}

const RECEIPT: &str = "receipt/receipt.json";

fn swap(files: &mut Files, a: &str, b: &str) {
    let (first, second) = (files.remove(a).unwrap(), files.remove(b).unwrap());
    files.insert(a, second).unwrap();
    files.insert(b, first).unwrap();
}
