//! For each claim: the smallest tampering, the code that it must give, and no effect on other claims. `attacks.txt` lists
//! the changes of files. The attacker has the manifest key unless a test states otherwise.

mod anchor;
mod approval;
mod chain;
mod receipt;

use ::receipt::{
    Digest,
    bundle::{Files, path},
    statement::SnapshotPolicy,
};
use contract::{
    evaluation::Verdict::{Allow, Deny},
    json::Value,
};

use crate::{
    fixtures::{Plan, altered, edit, set, value},
    outcome::{check, codes, lines},
};

const RECEIPT: &str = "receipt/receipt.json";

#[test]
fn each_listed_attack_fails_exactly_its_claims() {
    let bundles = Plan::default().build();
    let mut sections = 0;
    for line in include_str!("../attacks.txt").lines() {
        if line.starts_with("==") {
            sections += 1;
        }
        let Some((expected, changes)) = line.split_once(": ").filter(|_| sections > 0) else {
            continue;
        };
        let change =
            |files: &mut Files| changes.split("; ").for_each(|change| apply(files, change));
        let files = if sections == 1 {
            altered(&bundles.decision, change)
        } else {
            let mut files = bundles.decision.clone();
            change(&mut files);
            files
        };
        let report = check(&files, &bundles.trust);
        assert_eq!(codes(&report).join(", "), expected, "{line}: {:#?}", report.claims);
    }
    assert_eq!(sections, 2);
}

/// Applies a change, in the form that `attacks.txt` describes.
fn apply(files: &mut Files, change: &str) {
    fn split(text: &str) -> (&str, &str) {
        text.split_once(' ').unwrap_or((text, ""))
    }
    let change = change.replace("DIGEST", &format!("\"{}\"", Digest::compute(b"")));
    let (verb, rest) = split(&change);
    let (name, rest) = split(rest);
    let only = |prefix: &str| files.names().find(|name| name.starts_with(prefix)).unwrap();
    let name = &*name.strip_suffix('*').map_or(name, only).to_owned();
    match (verb, split(rest)) {
        ("anchor", ("", _)) => edit_anchor(files, name, None),
        ("anchor", _) => edit_anchor(files, name, Some(value(rest))),
        ("set", (pointer, json)) => edit(files, name, pointer, Some(value(json))),
        ("cut", _) => edit(files, name, rest, None),
        ("write", _) => set(files, name, rest),
        ("add", _) => files.insert(name, rest).unwrap(),
        ("remove", _) => drop(files.remove(name).unwrap()),
        (other, _) => panic!("{other}"),
    }
}

/// Changes the anchor in all files that contain it.
fn edit_anchor(files: &mut Files, pointer: &str, new: Option<Value>) {
    edit(files, "transparency/anchor.json", pointer, new.clone());
    edit(files, RECEIPT, &format!("/transparency_anchor{pointer}"), new.clone());
    edit(files, RECEIPT, &format!("/result/transparency_anchor{pointer}"), new);
}

/// Applies a change to the bundle of a decision, closes it again and compares the code.
fn check_attack(change: fn(&mut Files), expected: &str) {
    let bundles = Plan::default().build();
    let report = check(&altered(&bundles.decision, change), &bundles.trust);
    assert_eq!(codes(&report), [expected], "{:#?}", report.claims);
}

/// Builds the bundle of each plan and compares the code of `claim`; without a code, the bundle verifies.
fn check_plans<const N: usize>(claim: &str, plans: [(&str, Plan); N]) {
    for (number, (code, plan)) in plans.into_iter().enumerate() {
        let bundles = plan.build();
        let report = check(&bundles.decision, &bundles.trust);
        let expected = if code.is_empty() { vec![] } else { vec![format!("{claim} {code}")] };
        assert_eq!(codes(&report), expected, "{number} {code}: {:#?}", report.claims);
    }
}

fn swap(files: &mut Files, a: &str, b: &str) {
    let (first, second) = (files.remove(a).unwrap(), files.remove(b).unwrap());
    files.insert(a, second).unwrap();
    files.insert(b, first).unwrap();
}

#[test]
fn files_in_another_form_fail_the_canonicalisation() {
    check_attack(
        |f| {
            let text = String::from_utf8(f.get(path::PROFILE).unwrap().to_vec()).unwrap();
            set(f, path::PROFILE, text + " ");
        },
        "canonicalisation NOT_CANONICAL",
    );
    let noncharacter = |f: &mut Files| set(f, path::PROFILE, "\"\u{ffff}\"");
    check_attack(noncharacter, "canonicalisation STRING_NONCHARACTER");
    check_attack(|f| set(f, path::PROFILE, "[".repeat(65)), "canonicalisation LIMIT_DEPTH");
}

#[test]
fn evidence_of_a_decision_without_evidence_fails() {
    let bundles = Plan { has_evidence: false, ..Plan::default() }.build();
    let added =
        altered(&bundles.decision, |files| files.insert("evidence/manifest.json", "{}").unwrap());
    assert_eq!(codes(&check(&added, &bundles.trust)), ["evidence EVIDENCE_DIGEST_MISMATCH"]);
}

#[test]
fn wrong_verdict_fails_the_evaluation() {
    let verdict = |verdict, amount| Plan { verdict: Some(verdict), amount, ..Plan::default() };
    check_plans(
        "evaluation",
        [
            ("VERDICT_MISMATCH", verdict(Allow, 900)),
            ("VERDICT_MISMATCH", verdict(Deny, 1)),
            ("", verdict(Deny, 900)),
        ],
    );
}

#[test]
fn malformed_policies_fail_the_policy_snapshot() {
    let with = |policies: fn(&mut Vec<SnapshotPolicy>)| {
        let bundles = Plan { policies, ..Plan::default() }.build();
        check(&bundles.decision, &bundles.trust)
    };
    assert_eq!(codes(&with(|p| p.push(p[0].clone()))), ["policy_snapshot SNAPSHOT_ORDER"]);
    let without_code = [
        "policy_snapshot SNAPSHOT_MALFORMED",
        "approval_lineage APPROVAL_RULES_MISMATCH",
        "evaluation EVALUATOR_VERSION_UNSUPPORTED",
    ];
    assert_eq!(codes(&with(|p| p[0].rules.push(value("{}")))), without_code);
    let none = lines(&with(Vec::clear));
    assert!(none.contains(&"approval_lineage: not_applicable NO_POLICIES".to_owned()), "{none:?}");
}
