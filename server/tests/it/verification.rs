//! Verification of everything that a database stores (`govern db verify`).

use governance::{
    Governance,
    proof::transparency_log::{InMemoryGuard, RollbackGuard, SignedTreeHead},
    verification::{self, Check},
};
use receipt::digest::Digest;

use crate::{
    prelude::*,
    service::{LOG_ORIGIN, use_cases},
    transparency::service_with_log,
};

/// Starts a service with two tenants, four decisions and a sealed chain.
async fn service_with_records() -> TestService {
    let (service, sequencer) = service_with_log().await;
    service.other_tenant().await;
    service.record("k-1", 12_000).await;
    service.record("k-2", 20_000).await;
    for key in ["c-1", "c-2"] {
        let request = chain_request(key, json!({}));
        service.key.post("/v1/decisions/record", &request).await.expect(201);
    }
    service.seal_chain().await;
    append_pending(&service, &sequencer).await;
    // One receipt is still pending.
    service.record("k-3", 12_000).await;
    service
}

/// Runs the checks in a new process, which has cached nothing.
async fn checks(service: &TestService, guard: &dyn RollbackGuard) -> Vec<Check> {
    let process: Governance = use_cases(&service.database, service.clock.clone(), 7).await;
    verification::verify(&process.operator(), guard).await.expect("the database is available")
}

/// Returns the names of the failed checks.
async fn failed(service: &TestService, guard: &dyn RollbackGuard) -> Vec<&'static str> {
    let checks = checks(service, guard).await;
    checks.iter().filter(|check| !check.has_passed()).map(|check| check.name).collect()
}

#[tokio::test]
async fn intact_database_passes_every_check() {
    let service = service_with_records().await;
    let checks = checks(&service, &InMemoryGuard::default()).await;
    for check in &checks {
        assert!(check.has_passed(), "{check:?}");
    }
    let count = async |sql: &str| service.sql(sql).await.concat();
    let events = count("select count(*)::text from audit_events").await;
    let entries = count("select count(*)::text from log_entries").await;
    let checkpoints = count("select count(*)::text from log_checkpoints").await;
    let checked: Vec<String> =
        checks.iter().map(|check| format!("{}: {}", check.name, check.checked)).collect();
    assert_eq!(
        checked,
        [
            format!("audit logs: 2 tenants, {events} events"),
            "receipts: 5 decisions".to_owned(),
            "chains: 1 chains, 2 links".to_owned(),
            format!("transparency log: {entries} entries, {checkpoints} checkpoints"),
            "log guard: 0 trees".to_owned(),
            "trust registry: 1 versions".to_owned(),
        ]
    );
}

#[tokio::test]
async fn each_check_finds_a_changed_row() {
    let service = service_with_records().await;
    let guard = InMemoryGuard::default();
    let zeros = "decode(repeat('00', 32), 'hex')";
    for (check, table, change) in [
        ("audit logs", "audit_events", format!("set hash = {zeros} where seq = 2")),
        (
            "receipts",
            "decisions",
            format!("set receipt_digest = {zeros} where idempotency_key = 'k-1'"),
        ),
        ("chains", "chain_links", "set hash = repeat('0', 64) where position = 1".to_owned()),
        ("transparency log", "log_entries", format!("set leaf_hash = {zeros} where index = 1")),
        ("trust registry", "trust_registries", "set envelope = '{}'".to_owned()),
    ] {
        let before = failed(&service, &guard).await;
        assert!(!before.contains(&check), "{check} passes before: {before:?}");
        service.change_rows(table, &format!("update {table} {change}")).await;
        let after = failed(&service, &guard).await;
        assert!(after.contains(&check), "{check} finds `{change}`: {after:?}");
    }
}

#[tokio::test]
async fn lost_and_unlogged_rows_are_found() {
    let service = service_with_records().await;
    let guard = InMemoryGuard::default();
    // The pending receipt is neither logged nor pending any more.
    service.sql("delete from log_pending").await;
    assert_eq!(failed(&service, &guard).await, ["receipts"]);

    let last = "index = (select max(index) from log_entries)";
    service.change_rows("log_entries", &format!("delete from log_entries where {last}")).await;
    let checks = checks(&service, &guard).await;
    let log = checks.iter().find(|check| check.name == "transparency log").expect("a check");
    assert!(log.problems[0].ends_with("is missing"), "{log:?}");
}

#[tokio::test]
async fn guard_of_a_larger_or_different_tree_reports_a_rollback() {
    let service = service_with_records().await;
    let size: u64 =
        service.sql("select size::text from log_trees").await[0].parse().expect("a size");
    let root: Digest = service.sql("select root from log_trees").await[0].parse().expect("a root");
    let tree = SignedTreeHead { origin: LOG_ORIGIN.to_owned(), size, root, is_closed: false };
    let other = Digest::compute(b"another root");
    for (head, is_consistent) in [
        (tree.clone(), true),
        (SignedTreeHead { size: size + 1, ..tree.clone() }, false),
        (SignedTreeHead { root: other, ..tree.clone() }, false),
        (SignedTreeHead { size: 1, root: other, ..tree.clone() }, false),
        (SignedTreeHead { origin: "govern.example/log/2".to_owned(), ..tree.clone() }, false),
        (SignedTreeHead { is_closed: true, ..tree.clone() }, false),
    ] {
        let guard = InMemoryGuard::default();
        guard.save(std::slice::from_ref(&head)).expect("a guard in memory");
        let expected: &[&str] = if is_consistent { &[] } else { &["log guard"] };
        assert_eq!(failed(&service, &guard).await, expected, "{head:?}");
    }
}
