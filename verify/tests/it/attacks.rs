//! For each claim: the smallest tampering, the code that it must give, and no effect on other
//! claims. The attacker has the manifest key unless a test states otherwise.

mod anchor;
mod approval;
mod chain;
mod chain_of_receipts;
mod content;
mod policies;
mod receipt;

use ::receipt::bundle::Files;

use crate::{
    fixtures::{Plan, altered},
    outcome::{check, codes},
};

type Change = fn(&mut Files);

/// Applies each change to the bundle of a decision, closes it again and compares the codes.
fn check_attacks(attacks: &[(&str, Change, &[&str])]) {
    let bundles = Plan::default().build();
    for (name, change, expected) in attacks {
        let report = check(&altered(&bundles.decision, change), &bundles.trust);
        assert_eq!(codes(&report), *expected, "{name}: {:#?}", report.claims);
    }
}

/// Builds the bundle of each plan and compares the codes.
fn check_plans(attacks: &[(&str, Plan, &[&str])]) {
    for (name, plan, expected) in attacks {
        let bundles = plan.build();
        let report = check(&bundles.decision, &bundles.trust);
        assert_eq!(codes(&report), *expected, "{name}: {:#?}", report.claims);
    }
}

const RECEIPT: &str = "receipt/receipt.json";

fn swap(files: &mut Files, a: &str, b: &str) {
    let (first, second) = (files.remove(a).unwrap(), files.remove(b).unwrap());
    files.insert(a, second).unwrap();
    files.insert(b, first).unwrap();
}
