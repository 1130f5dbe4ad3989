//! A bundle that was changed on its way, or in the store before it was made, does not verify.

use receipt::bundle::{Files, path, write_archive};
use serde_json::json;
use verify::Overall;

use super::{check, checked, files, full, lines, ready, recorded};
use crate::{
    client::text,
    service::{CHAIN, chained},
    trust::trusted,
};

fn with(files: &Files, name: &str, bytes: Vec<u8>) -> Files {
    let mut files = files.clone();
    files.remove(name);
    files.insert(name, bytes).expect("it fits");
    files
}

#[tokio::test]
async fn a_change_of_any_member_fails() {
    let world = ready().await;
    let trust = trusted(&world).await;
    let made = recorded(&world.key, &full("k")).await;
    world.key.post("/v1/decisions/record", &chained("a", json!({}))).await.expect(201);
    for path in [made, format!("/v1/chains/{CHAIN}/bundle")] {
        let bundle = files(&world.public, &path).await;
        let report = check(&bundle, &trust);
        for (name, bytes) in bundle.iter() {
            let mut changed = bytes.to_vec();
            let last = changed.len() - 2;
            changed[last] ^= 1;
            let mut cut = bundle.clone();
            cut.remove(name);
            for attack in [with(&bundle, name, changed), cut] {
                let attacked = check(&attack, &trust);
                if name == path::TRUSTED_KEYS {
                    // It decides nothing, but a member that is gone is missed.
                    let same = attack.get(name).is_some();
                    assert!(!same || attacked.to_value() == report.to_value(), "{name}");
                } else if name.starts_with("manifest.") && attack.get(name).is_none() {
                    assert_eq!(attacked.overall, Overall::Incomplete, "{path} {name}");
                    assert!(lines(&attacked).iter().any(|line| line.starts_with("manifest: ")));
                } else {
                    assert_eq!(attacked.overall, Overall::Failed, "{path} {name}");
                }
            }
        }
        let added = with(&bundle, "receipt/more.json", b"{}".to_vec());
        let added = lines(&check(&added, &trust));
        assert!(added.contains(&"manifest: failed MEMBER_UNLISTED".into()), "{added:?}");
    }
}

#[tokio::test]
async fn members_of_another_decision_do_not_pass_for_those_of_this_one() {
    let world = ready().await;
    let trust = trusted(&world).await;
    let [one, two] =
        [recorded(&world.key, &full("a")).await, recorded(&world.key, &full("b")).await];
    let [one, two] = [files(&world.public, &one).await, files(&world.public, &two).await];
    for name in ["receipt/receipt.json", "receipt/statement.json", "receipt/receipt.dsse.json"] {
        let swapped = with(&one, name, two.get(name).expect("it is there").to_vec());
        assert_eq!(check(&swapped, &trust).overall, Overall::Failed, "{name}");
    }
    let mut bytes = write_archive(&one).expect("it is not too large");
    bytes.truncate(bytes.len() - 512);
    let report = checked(&bytes, &trust);
    assert!(lines(&report).contains(&"manifest: failed ARCHIVE_MALFORMED".into()));
}

/// What is done to the store, and what the bundle of the decision `KEY` then comes to.
const IN_STORE: [(&str, &str); 6] = [
    (
        "update decisions set statement = replace(statement, '\"decision\":\"DENY\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'KEY'",
        "receipt: failed STATEMENT_VIEW_MISMATCH",
    ),
    (
        "update decisions set record = replace(record, '\"decision\":\"DENY\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'KEY'",
        "receipt: failed STATEMENT_VIEW_MISMATCH",
    ),
    (
        "update decisions set context = replace(context, '777777', '7') where idempotency_key = 'KEY'",
        "evaluation: failed CONTEXT_DIGEST_MISMATCH",
    ),
    (
        "update decisions set integrity = replace(integrity, '777777', '7') \
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
async fn what_was_changed_in_the_store_is_exported_and_fails() {
    let world = ready().await;
    let trust = trusted(&world).await;
    for (number, (attack, found)) in IN_STORE.into_iter().enumerate() {
        let key = format!("k{number}");
        let path = recorded(&world.key, &full(&key)).await;
        let attack = attack.replace("KEY", &key);
        let table = attack.split(' ').nth(1).expect("a table");
        let attack = format!(
            "do $$ begin alter table {table} disable trigger prevent_row_changes; {attack}; \
             alter table {table} enable always trigger prevent_row_changes; end $$"
        );
        world.sql(&attack).await;
        let report = check(&files(&world.public, &path).await, &trust);
        assert_eq!(report.overall, Overall::Failed, "{attack}");
        let lines = lines(&report);
        assert!(lines.contains(&found.to_owned()), "{attack}: {lines:?}");
    }
}

#[tokio::test]
async fn evidence_that_is_not_what_was_hashed_is_withheld() {
    let world = ready().await;
    let trust = trusted(&world).await;
    let path = recorded(&world.key, &full("k")).await;
    let attack = "do $$ begin alter table decisions disable trigger prevent_row_changes; \
         update decisions set record = replace(record, 'of the house', 'of another'); \
         alter table decisions enable always trigger prevent_row_changes; end $$";
    world.sql(attack).await;
    let bundle = files(&world.public, &path).await;
    assert_eq!(bundle.get("evidence/data/0.json"), None);
    let lines = lines(&check(&bundle, &trust));
    assert!(lines.contains(&"evidence: indeterminate EVIDENCE_WITHHELD".into()), "{lines:?}");
    let receipt = world.public.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert_eq!(text(&receipt["redaction"]), "none");
}
