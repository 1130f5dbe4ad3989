//! Receipts of schema version 1, and later receipts presented as version 1.

use contract::json::Value;
use receipt::{
    bundle::{self, Files, Subject, path},
    statement::receipt_v1,
};
use verify::{Overall, Report};

use crate::{
    fixtures::{self, Plan, altered, edit, value},
    oracle,
    outcome::{check, codes, lines},
    vectors::{Known as _, json},
};

/// Returns a bundle with the oracle's receipt of version 1, changed by `change`.
fn bundle_v1(change: impl FnOnce(&mut Value)) -> Files {
    let known = json("service_profile_oracle.json");
    let known = known.at("receipt_v1");
    let hash = known.text("integrity_hash");
    let mut view = value(&format!(
        r#"{{"decision_id":"d1000000-0000-4000-8000-000000000001","tenant_id":"5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e01",
            "result":{{"decision":"ALLOW","integrity_hash":"{hash}"}},"signature":"{}","signature_kid":"{}",
            "signature_algorithm":"ed25519","transparency_anchor":null,"redaction":"none"}}"#,
        known.text("signature"),
        known.text("kid"),
    ));
    change(&mut view);
    let mut files = Files::default();
    files.insert("receipt/receipt.json", bundle::file(&view)).unwrap();
    files.insert(path::PROFILE, bundle::profile().text).unwrap();
    let registry = json("service_profile_oracle.json");
    let registry = registry.at("trust_registry").at("v1").at("envelope").to_canonical();
    files.insert(path::REGISTRY, registry).unwrap();
    let subject = Subject::Decision {
        decision_id: "d1000000-0000-4000-8000-000000000001".parse().unwrap(),
        tenant_id: "5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e01".parse().unwrap(),
        receipt_digest: receipt_v1(hash.parse().unwrap()).digest,
    };
    bundle::close(&mut files, &subject, None).unwrap();
    files
}

fn set_member(view: &mut Value, name: &str, member: Option<Value>) {
    let Value::Object(members) = view else { panic!("no receipt") };
    match member {
        Some(member) => members.insert(name, member),
        None => members.remove(name),
    };
}

fn receipt_line(report: &Report) -> String {
    let line = lines(report).into_iter().find(|line| line.starts_with("receipt:"));
    line.unwrap_or_default()
}

#[test]
fn signature_of_version_1_binds_only_the_hash() {
    let report = check(&bundle_v1(|_| ()), &oracle::trust());
    assert_eq!(report.overall, Overall::Incomplete);
    assert_eq!(
        lines(&report),
        [
            "receipt: indeterminate KEY_RETIRED_UNANCHORED RECEIPT_V1_NOT_BOUND_TO_ID",
            "policy_snapshot: indeterminate NOT_BOUND_BY_V1",
            "chain_proofs: indeterminate NOT_BOUND_BY_V1",
            "transparency_proof: indeterminate ANCHOR_PENDING",
            "evidence: indeterminate NOT_BOUND_BY_V1",
            "approval_lineage: indeterminate NOT_BOUND_BY_V1",
            "manifest: indeterminate UNSIGNED",
            "evaluation: indeterminate NOT_BOUND_BY_V1",
        ]
    );
    let explicit = bundle_v1(|view| set_member(view, "receipt_schema_version", Some(1.into())));
    assert_eq!(receipt_line(&check(&explicit, &oracle::trust())), lines(&report)[0]);
}

/// Members of a receipt of version 1 with a value, or `-` without the member, and the result.
const MEMBERS: &str = r#"
signature_algorithm "ED25519" -> indeterminate KEY_RETIRED_UNANCHORED RECEIPT_V1_NOT_BOUND_TO_ID
signature_algorithm "RS256" -> indeterminate ALGORITHM_UNSUPPORTED
signature - -> indeterminate UNSIGNED
signature "AAAA" -> failed SIGNATURE_INVALID RECEIPT_V1_NOT_BOUND_TO_ID
signature_kid "free text" -> indeterminate KEY_UNKNOWN RECEIPT_V1_NOT_BOUND_TO_ID
result {"integrity_hash":"x"} -> failed INTEGRITY_HASH_MISMATCH
receipt_schema_version 3 -> indeterminate RECEIPT_VERSION_UNSUPPORTED"#;

#[test]
fn receipt_of_version_1_is_checked() {
    for line in MEMBERS.lines().skip(1) {
        let (change, result) = line.split_once(" -> ").unwrap();
        let (name, member) = change.split_once(' ').unwrap();
        let member = (member != "-").then(|| value(member));
        let files = bundle_v1(|view| set_member(view, name, member));
        let expected = format!("receipt: {result}");
        assert_eq!(receipt_line(&check(&files, &oracle::trust())), expected, "{change}");
    }
}

#[test]
fn legacy_kid_is_resolved_through_the_registry() {
    let hash = receipt::Digest::compute(b"an old decision");
    let seed = *receipt::Digest::compute(b"service").as_bytes();
    let signature = fixtures::raw_signature(seed, hash.to_string().as_bytes());
    let bundle_with_kid = |kid: &str| {
        let mut files = Files::default();
        let view = value(&format!(
            r#"{{"tenant_id":"00000000-0000-0000-0000-00000000007e","decision_id":"00000000-0000-0000-0000-0000000000d1","result":{{"integrity_hash":"{hash}"}},"signature":"{signature}","signature_kid":"{kid}","signature_algorithm":"Ed25519"}}"#
        ));
        files.insert("receipt/receipt.json", bundle::file(&view)).unwrap();
        files
    };
    let with_legacy_kid =
        fixtures::registry(|registry| registry.keys[1].legacy_kids = vec!["main key".into()]);
    let report = check(&bundle_with_kid("main key"), &fixtures::trust(&with_legacy_kid));
    assert_eq!(receipt_line(&report), "receipt: verified RECEIPT_V1_NOT_BOUND_TO_ID");
    let report = check(&bundle_with_kid("main key"), &fixtures::trust(&fixtures::registry(|_| ())));
    assert_eq!(report.claims[0].code, Some(verify::Code::KeyUnknown));
}

#[test]
fn downgrade_to_version_1_is_detected() {
    let bundles = Plan::default().build();
    let older = altered(&bundles.decision, |files| {
        edit(files, "receipt/receipt.json", "/receipt_schema_version", Some(1.into()));
    });
    let report = check(&older, &bundles.trust);
    assert!(codes(&report).contains(&"receipt STATEMENT_VIEW_MISMATCH".to_owned()), "{report:#?}");
    let further = altered(&older, |files| {
        edit(files, "receipt/receipt.json", "/statement", None);
        edit(files, "receipt/receipt.json", "/receipt_schema_version", None);
        for name in ["statement.json", "receipt.dsse.json", "integrity.json"] {
            files.remove(&format!("receipt/{name}")).unwrap();
        }
    });
    let report = check(&further, &bundles.trust);
    assert!(codes(&report).contains(&"receipt SIGNATURE_INVALID".to_owned()), "{report:#?}");
    assert_eq!(report.overall, Overall::Failed);
}
