//! Attacks on the policies of a snapshot.

use super::{RECEIPT, check_attacks, check_plans};
use crate::{
    fixtures::{Plan, edit, value},
    outcome::{check, lines},
};

#[test]
fn tampered_policies_fail_the_policy_snapshot() {
    const SNAPSHOT: &str = "policy/snapshot.json";
    check_attacks(&[
        (
            "name",
            |f| edit(f, SNAPSHOT, "/policies/0/name", Some("x".into())),
            &["policy_snapshot SNAPSHOT_DIGEST_MISMATCH"],
        ),
        (
            "milder rule",
            |f| edit(f, SNAPSHOT, "/policies/0/rules/0/severity", Some("low".into())),
            &[
                "policy_snapshot SNAPSHOT_DIGEST_MISMATCH",
                "approval_lineage APPROVAL_RULES_MISMATCH",
                "evaluation RULES_HASH_MISMATCH",
            ],
        ),
        (
            "missing rule",
            |f| edit(f, "policy/evaluated_rules.json", "/1", None),
            &["policy_snapshot RULE_NOT_IN_SNAPSHOT"],
        ),
        (
            "no evaluated rules",
            |f| drop(f.remove("policy/evaluated_rules.json")),
            &["policy_snapshot FILE_MISSING"],
        ),
        (
            "unknown rule",
            |f| edit(f, RECEIPT, "/result/na_rules/0/rule_code", Some("R-9".into())),
            &["receipt STATEMENT_VIEW_MISMATCH", "policy_snapshot RULE_NOT_IN_SNAPSHOT"],
        ),
        (
            "inactive rule",
            |f| edit(f, RECEIPT, "/result/na_rules/0/rule_code", Some("R-3".into())),
            &["receipt STATEMENT_VIEW_MISMATCH", "policy_snapshot RULE_NOT_IN_SNAPSHOT"],
        ),
        (
            "no snapshot",
            |f| drop(f.remove(SNAPSHOT)),
            &[
                "policy_snapshot FILE_MISSING",
                "approval_lineage NO_SNAPSHOT",
                "evaluation NOT_EVALUATED",
            ],
        ),
        (
            "schema",
            |f| edit(f, SNAPSHOT, "/schema", Some("x".into())),
            &[
                "policy_snapshot SNAPSHOT_DIGEST_MISMATCH",
                "approval_lineage NO_SNAPSHOT",
                "evaluation NOT_EVALUATED",
            ],
        ),
    ]);
    check_plans(&[
        (
            "twice",
            Plan { policies: |p| p.push(p[0].clone()), ..Plan::default() },
            &["policy_snapshot SNAPSHOT_ORDER"],
        ),
        (
            "a rule without its code",
            Plan { policies: |p| p[0].rules.push(value("{}")), ..Plan::default() },
            &[
                "policy_snapshot SNAPSHOT_MALFORMED",
                "approval_lineage APPROVAL_RULES_MISMATCH",
                "evaluation EVALUATOR_VERSION_UNSUPPORTED",
            ],
        ),
    ]);
}

#[test]
fn decision_without_policies_needs_no_approval() {
    let bundles = Plan { policies: Vec::clear, ..Plan::default() }.build();
    let report = check(&bundles.decision, &bundles.trust);
    let lineage = "approval_lineage: not_applicable NO_POLICIES".to_owned();
    assert!(lines(&report).contains(&lineage), "{:#?}", report.claims);
}
