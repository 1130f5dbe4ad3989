//! Attacks on the content and the signature of a receipt.

use receipt::bundle::Files;
use verify::{Options, Overall, verify};

use super::{RECEIPT, check_attack};
use crate::{
    fixtures::{Plan, altered, edit, value},
    outcome::{check, codes, lines},
};

#[test]
fn second_signature_of_a_receipt_fails() {
    check_attack(second_signature, "receipt SIGNATURE_INVALID");
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
