//! Bundles that were changed in transit, or built from changed rows, fail verification.

use verify::Overall;

use super::{check, claim_lines, files, full_request, record_bundle_path, with_trust_registry};
use crate::prelude::*;

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
