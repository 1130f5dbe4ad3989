//! Chain verification reports rows that were changed in the database with triggers disabled.

use super::{assert_verified, record, verify, with_active_policy};
use crate::prelude::*;

/// The tables of a chain and the triggers that reject changes of their rows.
const TABLES: [(&str, &str); 4] = [
    ("chain_links", "prevent_row_changes"),
    ("chain_seals", "prevent_row_changes"),
    ("chains", "prevent_sealed_chain_changes"),
    ("decisions", "prevent_row_changes"),
];

/// Runs `statements` with the triggers of the tables disabled, then enables the triggers.
pub(super) async fn with_triggers_disabled(service: &TestService, statements: &str) {
    let for_each_table = |format_one: fn(&str, &str) -> String| -> String {
        TABLES.iter().map(|(table, trigger)| format_one(table, trigger)).collect()
    };
    let disable =
        for_each_table(|table, trigger| format!("alter table {table} disable trigger {trigger}; "));
    let enable = for_each_table(|table, trigger| {
        format!("alter table {table} enable always trigger {trigger}; ")
    });
    // Separate transactions: a pending constraint check prevents `enable trigger`.
    for step in [disable, format!("{statements};"), enable] {
        service.sql(&format!("do $$ begin {step} end $$")).await;
    }
}

/// Restores the tables from their copies.
async fn restore(service: &TestService) {
    let copy_back = |(table, _): &(&str, &str)| {
        format!("delete from {table}; insert into {table} select * from copy_of_{table};")
    };
    // Seals reference their chains.
    let copies: String = [TABLES[1], TABLES[0], TABLES[3]].iter().map(copy_back).collect();
    let head = "update chains c set links = k.links, head = k.head, is_sealed = k.is_sealed \
                from copy_of_chains k where k.id = c.id";
    with_triggers_disabled(service, &format!("{copies} {head}")).await;
}

/// An attack: its statements, the expected marks of the links and the expected problems.
type Attack = (&'static str, &'static str, &'static str);

/// Changes of the second link.
const LINK_CHANGES: [Attack; 8] = [
    (
        "link = replace(link, '\"step\":2', '\"step\":9')",
        "++ -- -+ ++",
        "LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    (
        "link = replace(link, '\"step\":2', '\"step\":9'), step = 9, \
         hash = encode(sha256(convert_to(replace(link, '\"step\":2', '\"step\":9'), 'UTF8')), 'hex')",
        "++ -- -+ ++",
        "LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    (
        "link = 'no link'",
        "++ -- -+ ++",
        "LINK_GAP LINK_MISMATCH LINK_SIGNATURE_INVALID SEAL_MISMATCH",
    ),
    ("hash = prev", "++ -+ ++ ++", "LINK_MISMATCH"),
    ("step = 9", "++ -+ ++ ++", "LINK_MISMATCH"),
    (
        "signature = (select signature from chain_links where position = 1)",
        "++ +- ++ ++",
        "LINK_SIGNATURE_INVALID",
    ),
    ("signature = null, kid = null", "++ +- ++ ++", "LINK_SIGNATURE_INVALID"),
    ("kid = 'mine'", "++ +- ++ ++", "KEY_UNKNOWN"),
];

const ATTACKS: [Attack; 9] = [
    ("delete from chain_links where position = 2", "++ -+ ++", "LINK_GAP SEAL_MISMATCH"),
    ("delete from chain_links where position = 1", "-+ ++ ++", "LINK_GAP SEAL_MISMATCH"),
    ("delete from chain_links where position = 4", "++ ++ ++", "LINK_GAP SEAL_MISMATCH"),
    (
        "delete from chain_links where position = 4; update chains set links = 3, \
         head = (select hash from chain_links where position = 3)",
        "++ ++ ++",
        "SEAL_MISMATCH",
    ),
    (
        "update chain_links set position = 9 where position = 2; \
         update chain_links set position = 2 where position = 3; \
         update chain_links set position = 3 where position = 9",
        "++ -+ -+ -+",
        "LINK_GAP LINK_MISMATCH SEAL_MISMATCH",
    ),
    (
        "update decisions set texts = change_text(texts, 4, '\"decision\":\"REVIEW\"', \
         '\"decision\":\"ALLOW\"') where idempotency_key = 'b'",
        "++ -+ ++ ++",
        "LINK_MISMATCH",
    ),
    ("delete from decisions where idempotency_key = 'b'", "++ -+ ++ ++", "RECEIPT_MISSING"),
    (
        "update chain_seals set seal = replace(seal, '\"step_count\":4', '\"step_count\":3')",
        "++ ++ ++ ++",
        "SEAL_MISMATCH SEAL_SIGNATURE_INVALID",
    ),
    ("delete from chain_seals", "++ ++ ++ ++", "SEAL_MISMATCH"),
];

/// The validity of link and signature of each item: `++` when both are valid.
fn marks(report: &Value) -> String {
    let mark = |is_valid: &Value| if is_valid == &json!(true) { '+' } else { '-' };
    let items = items(report).iter();
    let items = items
        .map(|item| format!("{}{}", mark(&item["link_valid"]), mark(&item["signature_valid"])));
    items.collect::<Vec<_>>().join(" ")
}

fn problems(report: &Value) -> String {
    let problems = report["problems"].as_array().expect("a list").iter();
    problems.map(|problem| problem.as_str().expect("a code")).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn every_change_of_a_chain_is_reported_with_its_problem_codes() {
    let service = with_active_policy().await;
    for key in ["a", "b", "c", "d"] {
        record(&service.key, key, json!({})).await;
    }
    service.seal_chain().await;
    service.decompress_decisions().await;
    for (table, _) in TABLES {
        service.sql(&format!("create table copy_of_{table} as select * from {table}")).await;
    }
    let of_link = |change| format!("update chain_links set {change} where position = 2");
    let changes = LINK_CHANGES.map(|(change, marks, problems)| (of_link(change), marks, problems));
    let others = ATTACKS.map(|(attack, marks, problems)| (attack.to_owned(), marks, problems));
    for (attack, expected_marks, expected_problems) in changes.into_iter().chain(others) {
        with_triggers_disabled(&service, &attack).await;
        let report = verify(&service).await;
        assert_eq!(
            (&*marks(&report), &*problems(&report)),
            (expected_marks, expected_problems),
            "{attack}"
        );
        assert_eq!(report["valid"], json!(false), "{attack}");
        restore(&service).await;
        assert_verified(&service, 4).await;
    }
}

#[tokio::test]
async fn a_truncated_chain_cannot_be_sealed_and_its_missing_parent_is_reported() {
    let service = with_active_policy().await;
    let first = record(&service.key, "a", json!({})).await;
    record(&service.key, "b", json!({"parent_decision_id": first["id"]})).await;
    with_triggers_disabled(&service, "delete from chain_links where position = 1").await;
    let report = verify(&service).await;
    assert_eq!(problems(&report), "LINK_GAP PARENT_NOT_IN_CHAIN");
    let refusal = service.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await;
    assert_eq!(refusal.to_string(), "409 CONFLICT");
}
