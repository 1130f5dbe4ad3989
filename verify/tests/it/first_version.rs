//! Receipts of schema version 1, and receipts that were made to look like them.

use contract::json::Value;
use receipt::{
    bundle::{self, Files, Subject, path},
    statement::receipt_v1,
};
use verify::{Overall, Report};

use crate::{
    maker::{self, Plan, altered, edit, value},
    oracle,
    outcome::{check, codes, lines},
    vectors::{Known as _, json},
};

/// A bundle around the oracle's receipt of version 1, changed by `change`.
fn first(change: impl FnOnce(&mut Value)) -> Files {
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

fn with(view: &mut Value, name: &str, member: Option<Value>) {
    let Value::Object(members) = view else { panic!("no receipt") };
    match member {
        Some(member) => members.insert(name, member),
        None => members.remove(name),
    };
}

fn receipt_of(report: &Report) -> String {
    let line = lines(report).into_iter().find(|line| line.starts_with("receipt:"));
    line.unwrap_or_default()
}

#[test]
fn its_signature_binds_the_hash_and_no_more() {
    let report = check(&first(|_| ()), &oracle::trust());
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
    let explicit = first(|view| with(view, "receipt_schema_version", Some(1.into())));
    assert_eq!(receipt_of(&check(&explicit, &oracle::trust())), lines(&report)[0]);
}

#[test]
fn it_is_checked_all_the_same() {
    for (name, member, line) in [
        (
            "signature_algorithm",
            Some("ED25519".into()),
            "receipt: indeterminate KEY_RETIRED_UNANCHORED RECEIPT_V1_NOT_BOUND_TO_ID",
        ),
        (
            "signature_algorithm",
            Some("RS256".into()),
            "receipt: indeterminate ALGORITHM_UNSUPPORTED",
        ),
        ("signature", None, "receipt: indeterminate UNSIGNED"),
        (
            "signature",
            Some("AAAA".into()),
            "receipt: failed SIGNATURE_INVALID RECEIPT_V1_NOT_BOUND_TO_ID",
        ),
        (
            "signature_kid",
            Some("free text".into()),
            "receipt: indeterminate KEY_UNKNOWN RECEIPT_V1_NOT_BOUND_TO_ID",
        ),
        (
            "result",
            Some(value(r#"{"integrity_hash":"x"}"#)),
            "receipt: failed INTEGRITY_HASH_MISMATCH",
        ),
        (
            "receipt_schema_version",
            Some(3.into()),
            "receipt: indeterminate RECEIPT_VERSION_UNSUPPORTED",
        ),
    ] {
        let files = first(|view| with(view, name, member));
        assert_eq!(receipt_of(&check(&files, &oracle::trust())), line, "{name}");
    }
}

#[test]
fn a_free_text_names_a_key_through_the_registry() {
    let hash = receipt::Digest::of(b"an old decision");
    let seed = *receipt::Digest::of(b"service").as_bytes();
    let signature = maker::raw_signature(seed, hash.to_string().as_bytes());
    let old = |kid: &str| {
        let mut files = Files::default();
        let view = value(&format!(
            r#"{{"tenant_id":"00000000-0000-0000-0000-00000000007e","decision_id":"00000000-0000-0000-0000-0000000000d1","result":{{"integrity_hash":"{hash}"}},"signature":"{signature}","signature_kid":"{kid}","signature_algorithm":"Ed25519"}}"#
        ));
        files.insert("receipt/receipt.json", bundle::file(&view)).unwrap();
        files
    };
    let named = maker::registry(|registry| registry.keys[1].legacy_kids = vec!["main key".into()]);
    let report = check(&old("main key"), &maker::trust(&named));
    assert_eq!(receipt_of(&report), "receipt: verified RECEIPT_V1_NOT_BOUND_TO_ID");
    let report = check(&old("main key"), &maker::trust(&maker::registry(|_| ())));
    assert_eq!(report.claims[0].code, Some(verify::Code::KeyUnknown));
}

#[test]
fn a_downgrade_is_found() {
    let made = Plan::default().make();
    let older = altered(&made.decision, |files| {
        edit(files, "receipt/receipt.json", "/receipt_schema_version", Some(1.into()));
    });
    let report = check(&older, &made.trust);
    assert!(codes(&report).contains(&"receipt STATEMENT_VIEW_MISMATCH".to_owned()), "{report:#?}");
    let further = altered(&older, |files| {
        edit(files, "receipt/receipt.json", "/statement", None);
        edit(files, "receipt/receipt.json", "/receipt_schema_version", None);
        for name in ["statement.json", "receipt.dsse.json", "integrity.json"] {
            files.remove(&format!("receipt/{name}")).unwrap();
        }
    });
    let report = check(&further, &made.trust);
    assert!(codes(&report).contains(&"receipt SIGNATURE_INVALID".to_owned()), "{report:#?}");
    assert_eq!(report.overall, Overall::Failed);
}
