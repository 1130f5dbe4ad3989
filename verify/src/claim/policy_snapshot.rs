//! Claim 2: the policies shown are those that were signed, and the result speaks of no others.

use std::collections::{BTreeMap, BTreeSet};

use contract::json::Value;
use receipt::{
    Digest,
    statement::{SnapshotPolicy, evaluated_rules, read_snapshot},
};

use super::Claim;
use crate::{
    case::{Bound, Case},
    check::Check,
    code::Code,
    judge::World,
};

/// Policy and code of each active rule.
type Rules = BTreeSet<(String, String)>;

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::PolicySnapshot);
    // Receipts of a chain share snapshots; each is looked at once.
    let mut known: BTreeMap<String, Option<Rules>> = BTreeMap::new();
    for case in &world.bundle.cases {
        let bound = match case.bound() {
            Ok(bound) => bound,
            Err(code) => {
                check.found(code, "the snapshot is bound by no statement");
                continue;
            }
        };
        let digest = bound.statement.policy_snapshot_digest;
        let name = case.place.snapshot(digest);
        let rules = known.entry(name).or_insert_with_key(|name| {
            let rules = case.place.evaluated_rules(digest);
            snapshot(&mut check, world, name, &rules, digest)
        });
        hash(&mut check, world, case, &bound);
        if let Some(rules) = rules {
            result(&mut check, case, rules);
        }
    }
    check
}

fn snapshot(
    check: &mut Check,
    world: &World<'_>,
    name: &str,
    rules_name: &str,
    digest: Digest,
) -> Option<Rules> {
    let value = match world.bundle.json(name) {
        Ok(value) => value,
        Err(code) => {
            check.found(code, format!("{name} cannot be read"));
            return None;
        }
    };
    check.holds();
    check.checked("snapshot_digest");
    let own = world.bundle.files.get(name).map(Digest::of);
    check.require(own == Some(digest), Code::SnapshotDigestMismatch, "the snapshot was changed");
    let policies = match read_snapshot(&value) {
        Ok(policies) => policies,
        Err(fault) => {
            check.malformed(fault, Code::SnapshotMalformed);
            return None;
        }
    };
    let rises = |pair: &[SnapshotPolicy]| match pair {
        [before, after] => before.snapshot_order(after).is_lt(),
        _ => false,
    };
    let in_order = policies.windows(2).all(rises);
    check.require(in_order, Code::SnapshotOrder, "policies are out of order");
    listed(check, world, rules_name, &policies);
    let rules = active(&policies);
    check.require(rules.is_some(), Code::SnapshotMalformed, "a rule has no code");
    rules
}

/// The evaluated rules are those that follow from the snapshot.
fn listed(check: &mut Check, world: &World<'_>, name: &str, policies: &[SnapshotPolicy]) {
    match world.bundle.files.get(name) {
        None => check.found(Code::FileMissing, format!("{name} is missing")),
        Some(bytes) => {
            check.checked("evaluated_rules");
            let same = evaluated_rules(policies).text.as_bytes() == bytes;
            check.require(
                same,
                Code::RuleNotInSnapshot,
                "other rules than the snapshot's active ones",
            );
        }
    }
}

/// The evaluated rules have the hash that was signed.
fn hash(check: &mut Check, world: &World<'_>, case: &Case, bound: &Bound<'_>) {
    let name = case.place.evaluated_rules(bound.statement.policy_snapshot_digest);
    let Some(bytes) = world.bundle.files.get(&name) else { return };
    let same = case.integrity_digest(bound, "evaluated_rules_hash") == Some(Digest::of(bytes));
    check.require(same, Code::RulesHashMismatch, "the evaluated rules have another hash");
}

fn active(policies: &[SnapshotPolicy]) -> Option<Rules> {
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

/// Every violation and every rule that did not apply is a rule of the snapshot.
fn result(check: &mut Check, case: &Case, rules: &Rules) {
    let Ok(view) = &case.view else { return };
    let list = |name: &str| view.get("result")?.get(name)?.as_array();
    let named = ["violations", "na_rules"].into_iter().filter_map(list).flatten();
    for item in named {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let rule = (text("policy_id").to_owned(), text("rule_code").to_owned());
        if !rules.contains(&rule) {
            let detail = format!("rule `{}` is not in the snapshot", rule.1);
            check.found(Code::RuleNotInSnapshot, detail);
        }
    }
}
