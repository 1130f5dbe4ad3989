//! Claim 2: the policies are the signed ones, and the result names no other rules.

use std::collections::{BTreeMap, BTreeSet};

use contract::{json::Value, verification::Claim};
use receipt::{
    Digest,
    statement::{SnapshotPolicy, evaluated_rules, read_snapshot},
};

use crate::{
    bundle::receipt::{BoundStatement, BundledReceipt},
    claim_check::ClaimCheck,
    code::Code,
    context::VerificationContext,
};

/// Policy ID and rule code of each active rule.
type Rules = BTreeSet<(String, String)>;

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::PolicySnapshot);
    // Receipts of a chain share snapshots; each snapshot is checked once.
    let mut checked: BTreeMap<String, Option<Rules>> = BTreeMap::new();
    for receipt in &cx.bundle.receipts {
        let bound =
            check.ok_or_failure(receipt.bound(), "the snapshot is not bound to a statement");
        let Some(bound) = bound else { continue };
        let digest = bound.statement.policy_snapshot_digest;
        let name = receipt.scope.snapshot(digest);
        let rules = checked.entry(name).or_insert_with_key(|name| {
            let rules = receipt.scope.evaluated_rules(digest);
            check_snapshot(&mut check, cx, name, &rules, digest)
        });
        check_hash(&mut check, cx, receipt, &bound);
        if let Some(rules) = rules {
            check_result(&mut check, receipt, rules);
        }
    }
    check
}

fn check_snapshot(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    name: &str,
    rules_name: &str,
    digest: Digest,
) -> Option<Rules> {
    let value = check.ok_or_failure(cx.bundle.json(name), format!("{name} cannot be read"))?;
    check.mark_present();
    check.add_checked("snapshot_digest");
    let actual = cx.bundle.files.get(name).map(Digest::compute);
    check.require(actual == Some(digest), Code::SnapshotDigestMismatch, "the snapshot was changed");
    let policies = check.parsed_or_failure(read_snapshot(&value), Code::SnapshotMalformed)?;
    let in_order = policies.is_sorted_by(|previous, next| previous.snapshot_order(next).is_lt());
    check.require(in_order, Code::SnapshotOrder, "policies are out of order");
    check_evaluated_rules(check, cx, rules_name, &policies);
    let rules = active_rules(&policies);
    check.require(rules.is_some(), Code::SnapshotMalformed, "a rule has no code");
    rules
}

/// Checks that the evaluated rules match the snapshot.
fn check_evaluated_rules(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    name: &str,
    policies: &[SnapshotPolicy],
) {
    match cx.bundle.files.get(name) {
        None => check.add_failure(Code::FileMissing, format!("{name} is missing")),
        Some(bytes) => {
            check.add_checked("evaluated_rules");
            let matches = evaluated_rules(policies).text.as_bytes() == bytes;
            check.require(
                matches,
                Code::RuleNotInSnapshot,
                "the rules differ from the active rules of the snapshot",
            );
        }
    }
}

/// Checks that the evaluated rules have the signed hash.
fn check_hash(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
) {
    let name = receipt.scope.evaluated_rules(bound.statement.policy_snapshot_digest);
    let Some(bytes) = cx.bundle.files.get(&name) else { return };
    let matches =
        receipt.integrity_digest(bound, "evaluated_rules_hash") == Some(Digest::compute(bytes));
    check.require(matches, Code::RulesHashMismatch, "the evaluated rules have another hash");
}

fn active_rules(policies: &[SnapshotPolicy]) -> Option<Rules> {
    let mut rules = Rules::new();
    for policy in policies {
        for rule in &policy.rules {
            let code = rule.get("code")?.as_str()?;
            if rule.get("is_active") != Some(&Value::Bool(false)) {
                rules.insert((policy.policy_id.to_string(), code.to_owned()));
            }
        }
    }
    Some(rules)
}

/// Checks that every violation and not-applicable rule of the result is in the snapshot.
fn check_result(check: &mut ClaimCheck, receipt: &BundledReceipt, rules: &Rules) {
    let Ok(view) = &receipt.view else { return };
    let list = |name: &str| view.get("result")?.get(name)?.as_array();
    let items = ["violations", "na_rules"].into_iter().filter_map(list).flatten();
    for item in items {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let rule = (text("policy_id").to_owned(), text("rule_code").to_owned());
        if !rules.contains(&rule) {
            let detail = format!("rule `{}` is not in the snapshot", rule.1);
            check.add_failure(Code::RuleNotInSnapshot, detail);
        }
    }
}
