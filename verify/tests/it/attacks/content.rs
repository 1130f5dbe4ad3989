//! Attacks on canonical form, evidence and verdict.

use contract::evaluation::Verdict::{Allow, Deny};
use receipt::bundle::path;

use super::{check_attacks, check_plans};
use crate::{
    fixtures::{Plan, altered, edit, set},
    outcome::{check, codes},
};

#[test]
fn non_canonical_files_fail_the_canonicalisation() {
    const PROFILE: &str = path::PROFILE;
    check_attacks(&[
        (
            "white space",
            |f| {
                set(
                    f,
                    PROFILE,
                    format!("{} ", String::from_utf8_lossy(f.get(path::PROFILE).unwrap())),
                );
            },
            &["canonicalisation NOT_CANONICAL"],
        ),
        ("syntax", |f| set(f, PROFILE, "{"), &["canonicalisation JSON_SYNTAX"]),
        (
            "duplicate name",
            |f| set(f, PROFILE, r#"{"a":1,"a":1}"#),
            &["canonicalisation DUPLICATE_KEY"],
        ),
        (
            "big number",
            |f| set(f, PROFILE, "9007199254740992"),
            &["canonicalisation NUMBER_OUT_OF_RANGE"],
        ),
        (
            "noncharacter",
            |f| set(f, PROFILE, "\"\u{ffff}\""),
            &["canonicalisation STRING_NONCHARACTER"],
        ),
        ("depth", |f| set(f, PROFILE, "[".repeat(65)), &["canonicalisation LIMIT_DEPTH"]),
        (
            "other profile",
            |f| edit(f, PROFILE, "/hash", Some("SHA-512".into())),
            &["canonicalisation PROFILE_UNSUPPORTED"],
        ),
        (
            "other schema",
            |f| edit(f, PROFILE, "/schema", Some("x".into())),
            &["canonicalisation SCHEMA_MISMATCH"],
        ),
        ("missing file", |f| drop(f.remove(PROFILE)), &["canonicalisation FILE_MISSING"]),
    ]);
}

#[test]
fn tampered_evidence_fails_the_evidence_claim() {
    const MANIFEST: &str = "evidence/manifest.json";
    check_attacks(&[
        (
            "data",
            |f| set(f, "evidence/data/0.json", r#"{"total":1}"#),
            &["evidence EVIDENCE_ITEM_MISMATCH"],
        ),
        ("no data", |f| drop(f.remove("evidence/data/0.json")), &["evidence EVIDENCE_WITHHELD"]),
        (
            "more data",
            |f| f.insert("evidence/data/1.json", "{}").unwrap(),
            &["evidence EVIDENCE_ITEM_MISMATCH"],
        ),
        (
            "manifest",
            |f| edit(f, MANIFEST, "/items/0/kind", Some("receipt".into())),
            &["evidence EVIDENCE_DIGEST_MISMATCH"],
        ),
        ("no manifest", |f| drop(f.remove(MANIFEST)), &["evidence FILE_MISSING"]),
    ]);
    let bundles = Plan { has_evidence: false, ..Plan::default() }.build();
    let added = altered(&bundles.decision, |files| files.insert(MANIFEST, "{}").unwrap());
    assert_eq!(codes(&check(&added, &bundles.trust)), ["evidence EVIDENCE_DIGEST_MISMATCH"]);
}

#[test]
fn wrong_verdict_fails_the_evaluation() {
    check_attacks(&[
        (
            "context",
            |f| edit(f, "evaluation/context.json", "/context/fields/amount", Some(1.into())),
            &["evaluation CONTEXT_DIGEST_MISMATCH"],
        ),
        (
            "no context",
            |f| drop(f.remove("evaluation/context.json")),
            &["evaluation CONTEXT_WITHHELD"],
        ),
        (
            "evaluator",
            |f| edit(f, path::PROFILE, "/evaluator", Some("service-rules/2".into())),
            &["evaluation EVALUATOR_VERSION_UNSUPPORTED"],
        ),
    ]);
    check_plans(&[
        (
            "allowed",
            Plan { verdict: Some(Allow), ..Plan::default() },
            &["evaluation VERDICT_MISMATCH"],
        ),
        (
            "denied",
            Plan { verdict: Some(Deny), amount: 1, ..Plan::default() },
            &["evaluation VERDICT_MISMATCH"],
        ),
        ("unchanged verdict", Plan { verdict: Some(Deny), ..Plan::default() }, &[]),
    ]);
}
