//! Attempts to change append-only tables, as the service, the owner and a superuser.

use testkit::database::{TENANT_B, texts, two_tenants};

use crate::{APPEND_ONLY, AS_A, LOG, run};

/// The settings of a session in replica mode, in which ordinary triggers do not run.
const REPLICA: &[(&str, &str)] = &[("session_replication_role", "replica")];

const PERMISSION_DENIED: &str = "42501 permission denied for table";

fn attacks(table: &str) -> [(&'static str, String); 4] {
    // Rows of the log belong to a tree instead of a tenant.
    let column = if LOG.contains(&table) { "tree" } else { "tenant_id" };
    [
        ("update", format!("update {table} set {column} = {column}")),
        ("delete", format!("delete from {table}")),
        ("truncate", format!("truncate {table} cascade")),
        (
            "update",
            format!(
                "insert into {table} select * from {table}
                 on conflict on constraint {table}_pkey do update set {column} = excluded.{column}"
            ),
        ),
    ]
}

#[tokio::test]
async fn service_role_cannot_change_append_only_tables() {
    let db = two_tenants().await;
    for table in APPEND_ONLY.into_iter().chain(LOG) {
        for (_, attack) in attacks(table) {
            let error = run(&db.app, AS_A, &attack).await.unwrap_err();
            assert_eq!(error, format!("{PERMISSION_DENIED} {table}"), "{attack}");
        }
        let drop = format!("drop table {table} cascade");
        let error = run(&db.app, AS_A, &drop).await.unwrap_err();
        assert_eq!(error, format!("42501 must be owner of table {table}"));
        let disable = format!("alter table {table} disable trigger prevent_row_changes");
        let error = run(&db.app, AS_A, &disable).await.unwrap_err();
        assert_eq!(error, format!("42501 must be owner of table {table}"));
    }
}

#[tokio::test]
async fn triggers_reject_changes_of_the_owner() {
    let db = two_tenants().await;
    for table in APPEND_ONLY.into_iter().chain(LOG) {
        for (operation, attack) in attacks(table) {
            let error = run(&db.owner, AS_A, &attack).await.unwrap_err();
            assert_trigger_error(&error, table, operation);
        }
    }
}

#[tokio::test]
async fn triggers_reject_changes_of_a_superuser_in_replica_mode() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for mode in ["origin", "replica"] {
        for table in APPEND_ONLY.into_iter().chain(LOG) {
            for (operation, attack) in attacks(table) {
                let error = run(&superuser, &[("session_replication_role", mode)], &attack)
                    .await
                    .unwrap_err();
                assert_trigger_error(&error, table, operation);
            }
        }
    }
}

#[tokio::test]
async fn trust_registry_versions_are_immutable_and_unique() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (operation, attack) in [
        ("update", "update trust_registries set envelope = '[]'"),
        ("update", "update trust_registries set version = 2"),
        ("delete", "delete from trust_registries"),
        ("truncate", "truncate trust_registries"),
    ] {
        let error = run(&db.app, &[], attack).await.unwrap_err();
        assert_eq!(error, format!("{PERMISSION_DENIED} trust_registries"), "{attack}");
        for (db, settings) in [(&db.owner, &[][..]), (&superuser, &[]), (&superuser, REPLICA)] {
            let error = run(db, settings, attack).await.unwrap_err();
            let expected = format!("55000 trust_registries is append-only: {operation} is refused");
            assert_eq!(error, expected, "{attack}");
        }
    }
    let duplicate =
        "insert into trust_registries (version, envelope, digest) values (1, '[]', 'e')";
    let error = run(&db.app, &[], duplicate).await.unwrap_err();
    assert!(error.contains("trust_registries_pkey"), "{error}");
}

/// Asserts that a trigger rejected the operation. `truncate … cascade` may reach the trigger of a
/// referencing table first.
fn assert_trigger_error(error: &str, table: &str, operation: &str) {
    let expected = |table| format!("55000 {table} is append-only: {operation} is refused");
    let is_referencing_table =
        APPEND_ONLY.into_iter().chain(LOG).any(|table| error == expected(table));
    assert!(error == expected(table) || operation == "truncate" && is_referencing_table, "{error}");
}

#[tokio::test]
async fn submitted_and_closed_versions_are_immutable() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let change_rules = "update policy_versions set rules = '[1]', rules_digest = 'other'";
    let change_reason = "update policy_versions set closed_reason = 'another'";
    let expected = "55000 policy_versions is append-only: update is refused";
    for (version, status) in (2..).zip(["submitted", "ratified", "replaced", "set_aside"]) {
        let insert = format!(
            "insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules,
                 rules_digest, is_active, status, created_at, makers)
             select tenant_id, policy_id, {version}, gen_random_uuid(), 1,
                 '[]', '', false, '{status}', now(), '{{}}' from policy_versions where version = 1"
        );
        let filter = format!(" where status = '{status}'");
        // A unique index rejects a second open version.
        let close = "update policy_versions set status = 'ratified'
            where status in ('draft', 'submitted')";
        run(&superuser, &[], close).await.unwrap();
        run(&superuser, &[], &insert).await.unwrap();
        for (db, settings) in [(&db.owner, AS_A), (&superuser, REPLICA)] {
            let attack = format!("{change_rules}{filter}");
            assert_eq!(run(db, settings, &attack).await.unwrap_err(), expected, "{status}");
            if ["replaced", "set_aside"].contains(&status) {
                let attack = format!("{change_reason}{filter}");
                assert_eq!(run(db, settings, &attack).await.unwrap_err(), expected, "{status}");
            }
        }
    }
}

#[tokio::test]
async fn draft_lineage_points_to_earlier_versions_only() {
    let db = two_tenants().await;
    let set_previous = |to: i32| format!("update policy_versions set lineage_previous = {to}");
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (to, constraint) in
        [(1, "policy_versions_lineage_decreasing"), (0, "policy_versions_lineage")]
    {
        let error = run(&superuser, &[], &set_previous(to)).await.unwrap_err();
        assert!(error.contains(&format!("\"{constraint}\"")), "{error}");
    }
    let error = run(&db.app, AS_A, &set_previous(0)).await.unwrap_err();
    assert_eq!(error, "42501 permission denied for table policy_versions");
}

#[tokio::test]
async fn audit_log_has_one_start_one_event_for_each_number_and_no_fork() {
    let db = two_tenants().await;
    let event = |seq: i64, prev: &str| {
        format!(
            "insert into audit_events select tenant_id, {seq}, gen_random_uuid(), occurred_at,
             action, actor_type, actor_id, object_type, object_id, event, hash, '{prev}'
             from audit_events where seq = 1"
        )
    };
    run(&db.app, AS_A, &event(2, "h")).await.unwrap();
    let second = run(&db.app, AS_A, &event(2, "other")).await.unwrap_err();
    assert!(second.contains("audit_events_pkey"), "{second}");
    let fork = run(&db.app, AS_A, &event(3, "h")).await.unwrap_err();
    assert!(fork.contains("audit_events_unique_prev"), "{fork}");
    let second_start = run(&db.app, AS_A, &event(3, "")).await.unwrap_err();
    assert!(second_start.contains("audit_events_one_start"), "{second_start}");
}

#[tokio::test]
async fn personal_data_of_an_event_can_be_erased() {
    let db = two_tenants().await;
    run(&db.app, AS_A, "delete from audit_personal").await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let remaining = "select tenant_id::text from audit_personal";
    assert_eq!(texts(&superuser, remaining).await, [TENANT_B]);
}

#[tokio::test]
async fn rekor_proofs_are_immutable() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (attack, operation) in [
        ("update log_rekor set proof = 'other'", "update"),
        ("delete from log_rekor", "delete"),
        ("truncate log_rekor", "truncate"),
    ] {
        let expected = format!("55000 log_rekor is append-only: {operation} is refused");
        assert_eq!(run(&superuser, REPLICA, attack).await.unwrap_err(), expected, "{attack}");
        assert!(run(&db.app, &[], attack).await.is_err(), "{attack}");
    }
}

#[tokio::test]
async fn log_tree_can_only_grow() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let expected =
        |operation: &str| format!("55000 log_trees is append-only: {operation} is refused");
    for (attack, operation) in [
        ("update log_trees set size = 0", "update"),
        ("delete from log_trees", "delete"),
        ("truncate log_trees", "truncate"),
    ] {
        assert_eq!(
            run(&superuser, REPLICA, attack).await.unwrap_err(),
            expected(operation),
            "{attack}"
        );
        assert!(run(&db.app, &[], attack).await.is_err(), "{attack}");
    }
    run(&db.app, &[], "update log_trees set size = 2, is_halted = true").await.unwrap();
    let resume = "update log_trees set is_halted = false";
    assert_eq!(run(&db.app, &[], resume).await.unwrap_err(), expected("update"));
    let insert = "insert into log_trees (number, origin, tree_id, vkey, root, began_at)
        values (2, 'other', '2', 'v', 'r', now())";
    let second = run(&db.app, &[], insert).await.unwrap_err();
    assert!(second.contains("log_trees_one_open"), "{second}");
    run(&db.app, &[], "update log_trees set frozen_at = now()").await.unwrap();
    run(&db.app, &[], insert).await.unwrap();
    let unfreeze = "update log_trees set frozen_at = null where number = 1";
    assert_eq!(run(&db.app, &[], unfreeze).await.unwrap_err(), expected("update"));
}
