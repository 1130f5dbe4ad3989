//! Attacks on the content and the signature of a receipt.

use receipt::{Digest, bundle::Files};
use verify::{Options, Overall, verify};

use super::{RECEIPT, check_attacks};
use crate::{
    fixtures::{Plan, altered, edit, value},
    outcome::{check, codes, lines},
};

#[test]
fn tampered_receipt_fails_the_receipt_claim() {
    const VIEW: &[&str] = &["receipt STATEMENT_VIEW_MISMATCH"];
    check_attacks(&[
        ("verdict", |f| edit(f, RECEIPT, "/result/decision", Some("ALLOW".into())), VIEW),
        ("statement", |f| edit(f, RECEIPT, "/statement/decision", Some("ALLOW".into())), VIEW),
        ("tenant", |f| edit(f, RECEIPT, "/tenant_id", Some("x".into())), VIEW),
        ("hidden violation", |f| edit(f, RECEIPT, "/result/violations/0", None), VIEW),
        ("value", |f| edit(f, RECEIPT, "/result/violations/0/actual_value", Some(1.into())), VIEW),
        ("action", |f| edit(f, RECEIPT, "/result/action/type", Some("keep".into())), VIEW),
        ("no action", |f| edit(f, RECEIPT, "/result/action", None), VIEW),
        (
            "context",
            |f| edit(f, RECEIPT, "/context_digest", Some(Digest::compute(b"").into())),
            VIEW,
        ),
        ("shadow", |f| edit(f, RECEIPT, "/result/is_shadow", Some(true.into())), VIEW),
        ("kid", |f| edit(f, RECEIPT, "/signature_kid", Some("x".into())), VIEW),
        ("payload type", |f| edit(f, RECEIPT, "/payload_type", Some("x".into())), VIEW),
        ("signature of the result", |f| edit(f, RECEIPT, "/result/signature", None), VIEW),
        ("stripped signature", |f| edit(f, RECEIPT, "/signature", None), VIEW),
        (
            "preimage",
            |f| edit(f, "receipt/integrity.json", "/decision", Some("ALLOW".into())),
            &["receipt INTEGRITY_HASH_MISMATCH"],
        ),
        ("no preimage", |f| drop(f.remove("receipt/integrity.json")), &["receipt FILE_MISSING"]),
        ("no statement", |f| drop(f.remove("receipt/statement.json")), &["receipt FILE_MISSING"]),
        (
            "no statement in any file",
            |f| {
                drop(f.remove("receipt/statement.json"));
                edit(f, RECEIPT, "/statement", None);
            },
            &[
                "receipt NO_STATEMENT",
                "policy_snapshot NO_STATEMENT",
                "chain_proofs NO_STATEMENT",
                "transparency_proof NO_STATEMENT",
                "evidence NO_STATEMENT",
                "approval_lineage NO_STATEMENT",
                "manifest NOT_EVALUATED",
                "evaluation NO_STATEMENT",
            ],
        ),
        ("no envelope", |f| drop(f.remove("receipt/receipt.dsse.json")), &["receipt FILE_MISSING"]),
        ("second signature", second_signature, &["receipt SIGNATURE_INVALID"]),
        (
            "other statement",
            |f| {
                edit(
                    f,
                    "receipt/statement.json",
                    "/timestamp",
                    Some("2026-05-01T13:00:00.000Z".into()),
                );
            },
            &[
                "receipt STATEMENT_VIEW_MISMATCH",
                "chain_proofs LINK_MISMATCH",
                "transparency_proof LEAF_MISMATCH",
                "manifest SUBJECT_MISMATCH",
            ],
        ),
    ]);
}

fn second_signature(files: &mut Files) {
    let envelope = "receipt/receipt.dsse.json";
    let text = String::from_utf8(files.get(envelope).unwrap().to_vec()).unwrap();
    let signatures = value(&text).get("signatures").unwrap().as_array().unwrap().to_vec();
    let signatures = [signatures.clone(), signatures].concat();
    edit(files, envelope, "/signatures", Some(signatures.into()));
}

#[test]
fn receipt_of_another_tenant_is_refused() {
    let bundles = Plan::default().build();
    let archive = receipt::bundle::write_archive(&bundles.decision).unwrap();
    let for_tenant =
        |tenant: &str| Options { tenant: Some(tenant.parse().unwrap()), ..Options::default() };
    let own = verify(&archive, &bundles.trust, &for_tenant("00000000-0000-0000-0000-00000000007e"));
    assert_eq!(own.overall, Overall::Verified);
    let other =
        verify(&archive, &bundles.trust, &for_tenant("00000000-0000-0000-0000-00000000007f"));
    assert_eq!(codes(&other), ["receipt TENANT_MISMATCH"]);
}

#[test]
fn redacted_view_may_omit_only_values_of_the_context() {
    let bundles = Plan::default().build();
    let redacted = |pointer: &str| {
        let bundle = altered(&bundles.decision, |files| {
            edit(files, RECEIPT, "/redaction", Some("values".into()));
            edit(files, RECEIPT, pointer, None);
        });
        codes(&check(&bundle, &bundles.trust))
    };
    let violation = "/result/violations/0";
    let mismatch = ["receipt STATEMENT_VIEW_MISMATCH"];
    for member in ["actual_value", "expected_value"] {
        let other = altered(&bundles.decision, |files| {
            edit(files, RECEIPT, "/redaction", Some("values".into()));
            edit(files, RECEIPT, &format!("{violation}/{member}"), Some("<= 1".into()));
        });
        assert_eq!(codes(&check(&other, &bundles.trust)), mismatch, "{member} differs");
        let unredacted = altered(&bundles.decision, |files| {
            edit(files, RECEIPT, &format!("{violation}/{member}"), None);
        });
        assert_eq!(codes(&check(&unredacted, &bundles.trust)), mismatch, "{member} is missing");
    }
    for (member, expected) in [
        ("/actual_value", &[][..]),
        ("/expected_value", &[]),
        ("/rule_code", &[mismatch[0], "policy_snapshot RULE_NOT_IN_SNAPSHOT"]),
        ("", &mismatch),
    ] {
        assert_eq!(redacted(&format!("{violation}{member}")), expected, "{member}");
    }
}

#[test]
fn accepting_withheld_data_does_not_accept_other_failures() {
    let bundles = Plan::default().build();
    let withheld =
        altered(&bundles.chain, |files| drop(files.remove("evidence/000001/data/0.json")));
    let also_missing =
        altered(&withheld, |files| drop(files.remove("evidence/000002/manifest.json")));
    let options = Options { allow_withheld: true, ..Options::default() };
    for (files, overall) in [(&withheld, Overall::Verified), (&also_missing, Overall::Incomplete)] {
        let archive = receipt::bundle::write_archive(files).unwrap();
        let report = verify(&archive, &bundles.trust, &options);
        assert_eq!(
            codes(&report),
            ["evidence EVIDENCE_WITHHELD"],
            "withheld data has priority in the report"
        );
        assert_eq!(report.overall, overall);
        let report = verify(&archive, &bundles.trust, &Options::default());
        assert_eq!(report.overall, Overall::Incomplete);
    }
    // The other receipts name an unknown evaluator.
    let unknown = altered(&bundles.chain, |files| {
        files.remove("evaluation/000001/context.json").unwrap();
        edit(files, "canonicalisation/profile.json", "/evaluator", Some("service-rules/2".into()));
    });
    let archive = receipt::bundle::write_archive(&unknown).unwrap();
    let report = verify(&archive, &bundles.trust, &options);
    assert_eq!(codes(&report), ["evaluation CONTEXT_WITHHELD"]);
    assert_eq!(report.overall, Overall::Incomplete);
}

#[test]
fn redacted_receipt_is_incomplete_unless_withheld_data_is_accepted() {
    let bundles = Plan::default().build();
    let redacted = altered(&bundles.decision, |files| {
        edit(files, RECEIPT, "/redaction", Some("values".into()));
        edit(files, RECEIPT, "/result/violations/0/actual_value", None);
        edit(files, RECEIPT, "/result/violations/0/reason", Some("VALUE_ABOVE_MAX".into()));
        for name in ["receipt/integrity.json", "evaluation/context.json", "evidence/data/0.json"] {
            files.remove(name).unwrap();
        }
    });
    let report = check(&redacted, &bundles.trust);
    assert_eq!(report.overall, Overall::Incomplete);
    assert_eq!(
        lines(&report),
        [
            "receipt: verified VALUES_REDACTED",
            "transparency_proof: verified SEAL_ANCHOR_PENDING WITNESSED",
            "evidence: indeterminate EVIDENCE_WITHHELD",
            "evaluation: indeterminate CONTEXT_WITHHELD",
        ]
    );
    let archive = receipt::bundle::write_archive(&redacted).unwrap();
    let options = Options { allow_withheld: true, ..Options::default() };
    assert_eq!(verify(&archive, &bundles.trust, &options).overall, Overall::Verified);
}
