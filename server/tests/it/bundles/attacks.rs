//! Bundles that were changed in transit, or built from changed rows, fail verification.

use receipt::bundle::{Files, path, write_archive};
use serde_json::json;
use verify::Overall;

use super::{
    check, claim_lines, files, full_request, record_bundle_path, replace, verify_bundle,
    with_trust_registry,
};
use crate::{
    client::text,
    service::{CHAIN, chain_request},
    trust::current_trust,
};

fn with(files: &Files, name: &str, bytes: Vec<u8>) -> Files {
    let mut files = files.clone();
    replace(&mut files, name, bytes);
    files
}

#[tokio::test]
async fn a_change_of_any_bound_file_fails_verification() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    let decision_bundle = record_bundle_path(&service.key, &full_request("k")).await;
    service.key.post("/v1/decisions/record", &chain_request("a", json!({}))).await.expect(201);
    for path in [decision_bundle, format!("/v1/chains/{CHAIN}/bundle")] {
        let bundle = files(&service.public, &path).await;
        let report = check(&bundle, &trust);
        for (name, bytes) in bundle.iter() {
            let mut changed = bytes.to_vec();
            let last = changed.len() - 2;
            changed[last] ^= 1;
            let mut shortened = bundle.clone();
            shortened.remove(name);
            for attack in [with(&bundle, name, changed), shortened] {
                let attacked = check(&attack, &trust);
                if name == path::TRUSTED_KEYS {
                    // Verifiers do not read this informational file.
                    assert_eq!(attacked.to_value(), report.to_value(), "{path}");
                } else if name.starts_with("manifest.") && attack.get(name).is_none() {
                    assert_eq!(attacked.overall, Overall::Incomplete, "{path} {name}");
                    assert!(
                        claim_lines(&attacked).iter().any(|line| line.starts_with("manifest: "))
                    );
                } else {
                    assert_eq!(attacked.overall, Overall::Failed, "{path} {name}");
                }
            }
        }
        let added = with(&bundle, "receipt/more.json", b"{}".to_vec());
        let added = claim_lines(&check(&added, &trust));
        assert!(added.contains(&"manifest: failed MEMBER_UNLISTED".into()), "{added:?}");
    }
}

#[tokio::test]
async fn files_of_another_decision_fail_verification() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    let [first, second] = [
        record_bundle_path(&service.key, &full_request("a")).await,
        record_bundle_path(&service.key, &full_request("b")).await,
    ];
    let [first, second] =
        [files(&service.public, &first).await, files(&service.public, &second).await];
    for name in ["receipt/receipt.json", "receipt/statement.json", "receipt/receipt.dsse.json"] {
        let swapped = with(&first, name, second.get(name).expect("the file exists").to_vec());
        assert_eq!(check(&swapped, &trust).overall, Overall::Failed, "{name}");
    }
    let mut bytes = write_archive(&first).expect("the archive is within the limits");
    bytes.truncate(bytes.len() - 512);
    let report = verify_bundle(&bytes, &trust);
    assert!(claim_lines(&report).contains(&"manifest: failed ARCHIVE_MALFORMED".into()));
}

/// Changes to the database, each with the resulting line for the bundle of the decision `KEY`.
const DATABASE_CHANGES: [(&str, &str); 6] = [
    (
        "update decisions set texts = change_text(texts, 4, '\"decision\":\"DENY\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'KEY'",
        "receipt: failed STATEMENT_VIEW_MISMATCH",
    ),
    (
        "update decisions set texts = change_text(texts, 1, '\"decision\":\"DENY\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'KEY'",
        "receipt: failed STATEMENT_VIEW_MISMATCH",
    ),
    (
        "update decisions set texts = change_text(texts, 2, '777777', '7') \
         where idempotency_key = 'KEY'",
        "evaluation: failed CONTEXT_DIGEST_MISMATCH",
    ),
    (
        "update decisions set texts = change_text(texts, 3, '777777', '7') \
         where idempotency_key = 'KEY'",
        "receipt: failed INTEGRITY_HASH_MISMATCH",
    ),
    (
        "update policy_approvals set statement = replace(statement, '\"maker_checker\":true', \
         '\"maker_checker\":false')",
        "approval_lineage: failed APPROVAL_DIGEST_MISMATCH",
    ),
    (
        "update policy_snapshots set body = replace(body, '10000', '999999')",
        "policy_snapshot: failed SNAPSHOT_DIGEST_MISMATCH",
    ),
];

#[tokio::test]
async fn rows_changed_in_the_database_are_exported_and_fail_verification() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    for (number, (attack, expected)) in DATABASE_CHANGES.into_iter().enumerate() {
        let key = format!("k{number}");
        let path = record_bundle_path(&service.key, &full_request(&key)).await;
        service.decompress_decisions().await;
        let attack = attack.replace("KEY", &key);
        let table = attack.split(' ').nth(1).expect("a table");
        service.change_rows(table, &attack).await;
        let report = check(&files(&service.public, &path).await, &trust);
        assert_eq!(report.overall, Overall::Failed, "{attack}");
        let lines = claim_lines(&report);
        assert!(lines.contains(&expected.to_owned()), "{attack}: {lines:?}");
    }
}

#[tokio::test]
async fn evidence_that_does_not_match_its_digest_is_withheld() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    service.decompress_decisions().await;
    let attack = "update decisions set texts = change_text(texts, 1, 'confidential', 'replaced')";
    service.change_rows("decisions", attack).await;
    let bundle = files(&service.public, &path).await;
    assert_eq!(bundle.get("evidence/data/0.json"), None);
    let lines = claim_lines(&check(&bundle, &trust));
    assert!(lines.contains(&"evidence: indeterminate EVIDENCE_WITHHELD".into()), "{lines:?}");
    let receipt = service.public.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert_eq!(text(&receipt["redaction"]), "none");
}
