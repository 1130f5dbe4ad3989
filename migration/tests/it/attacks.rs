//! Attacks on what is append-only, by those whom each wall must hold.

use testkit::database::{TENANT_B, texts, two_tenants};

use crate::{APPEND_ONLY, AS_A, LOG, run};

const REFUSED_BY_GRANT: &str = "42501 permission denied for table";

fn attacks(table: &str) -> [(&'static str, String); 4] {
    // Of the log, which knows no tenant, every row belongs to a tree.
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
async fn the_service_has_no_right_to_change_what_was_written() {
    let db = two_tenants().await;
    for table in APPEND_ONLY.into_iter().chain(LOG) {
        for (_, attack) in attacks(table) {
            let refused = run(&db.app, AS_A, &attack).await.unwrap_err();
            assert_eq!(refused, format!("{REFUSED_BY_GRANT} {table}"), "{attack}");
        }
        let drop = format!("drop table {table} cascade");
        let refused = run(&db.app, AS_A, &drop).await.unwrap_err();
        assert_eq!(refused, format!("42501 must be owner of table {table}"));
        let disable = format!("alter table {table} disable trigger rows_are_kept");
        let refused = run(&db.app, AS_A, &disable).await.unwrap_err();
        assert_eq!(refused, format!("42501 must be owner of table {table}"));
    }
}

#[tokio::test]
async fn the_owner_is_refused_by_the_triggers() {
    let db = two_tenants().await;
    for table in APPEND_ONLY.into_iter().chain(LOG) {
        for (act, attack) in attacks(table) {
            let refused = run(&db.owner, AS_A, &attack).await.unwrap_err();
            assert_refused_by_trigger(&refused, table, act);
        }
    }
}

#[tokio::test]
async fn a_superuser_is_refused_by_the_triggers_in_replica_mode_too() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for mode in ["origin", "replica"] {
        for table in APPEND_ONLY.into_iter().chain(LOG) {
            for (act, attack) in attacks(table) {
                let refused = run(&superuser, &[("session_replication_role", mode)], &attack)
                    .await
                    .unwrap_err();
                assert_refused_by_trigger(&refused, table, act);
            }
        }
    }
}

#[tokio::test]
async fn no_version_of_the_trust_registry_changes_or_is_taken_twice() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let replica = &[("session_replication_role", "replica")][..];
    for (act, attack) in [
        ("update", "update trust_registries set envelope = '[]'"),
        ("update", "update trust_registries set version = 2"),
        ("delete", "delete from trust_registries"),
        ("truncate", "truncate trust_registries"),
    ] {
        let refused = run(&db.app, &[], attack).await.unwrap_err();
        assert_eq!(refused, format!("{REFUSED_BY_GRANT} trust_registries"), "{attack}");
        for (db, settings) in [(&db.owner, &[][..]), (&superuser, &[]), (&superuser, replica)] {
            let refused = run(db, settings, attack).await.unwrap_err();
            let expected = format!("55000 trust_registries is append-only: {act} is refused");
            assert_eq!(refused, expected, "{attack}");
        }
    }
    let again = "insert into trust_registries (version, envelope, digest) values (1, '[]', 'e')";
    let refused = run(&db.app, &[], again).await.unwrap_err();
    assert!(refused.contains("trust_registries_pkey"), "{refused}");
}

/// `truncate … cascade` may meet the trigger of a table that refers to this one first.
fn assert_refused_by_trigger(refused: &str, table: &str, act: &str) {
    let expected = |table| format!("55000 {table} is append-only: {act} is refused");
    let reached = APPEND_ONLY.into_iter().chain(LOG).any(|table| refused == expected(table));
    assert!(refused == expected(table) || act == "truncate" && reached, "{refused}");
}

#[tokio::test]
async fn what_people_were_asked_about_does_not_change_under_them() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let change = "update policy_versions set rules = '[1]', rules_digest = 'other'";
    let reword = "update policy_versions set closed_reason = 'another'";
    let refused = "55000 policy_versions is append-only: update is refused";
    for (version, status) in (2..).zip(["submitted", "ratified", "replaced", "set_aside"]) {
        let made = format!(
            "insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules,
                 rules_digest, is_active, status, created_at, makers)
             select tenant_id, policy_id, {version}, gen_random_uuid(), 1,
                 '[]', '', false, '{status}', now(), '{{}}' from policy_versions where version = 1"
        );
        let only = format!(" where status = '{status}'");
        // A second open version is refused by another wall.
        let close = "update policy_versions set status = 'ratified'
            where status in ('draft', 'submitted')";
        run(&superuser, &[], close).await.unwrap();
        run(&superuser, &[], &made).await.unwrap();
        let replica = &[("session_replication_role", "replica")][..];
        for (db, settings) in [(&db.owner, AS_A), (&superuser, replica)] {
            let attack = format!("{change}{only}");
            assert_eq!(run(db, settings, &attack).await.unwrap_err(), refused, "{status}");
            if ["replaced", "set_aside"].contains(&status) {
                let attack = format!("{reword}{only}");
                assert_eq!(run(db, settings, &attack).await.unwrap_err(), refused, "{status}");
            }
        }
    }
}

#[tokio::test]
async fn a_lineage_leads_back_and_never_round() {
    let db = two_tenants().await;
    let lead = |to: i32| format!("update policy_versions set lineage_previous = {to}");
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (to, wall) in [(1, "policy_versions_lineage_falls"), (0, "policy_versions_lineage")] {
        let refused = run(&superuser, &[], &lead(to)).await.unwrap_err();
        assert!(refused.contains(&format!("\"{wall}\"")), "{refused}");
    }
    let refused = run(&db.app, AS_A, &lead(0)).await.unwrap_err();
    assert_eq!(refused, "42501 permission denied for table policy_versions");
}

#[tokio::test]
async fn a_chain_has_one_beginning_and_no_fork() {
    let db = two_tenants().await;
    let event = |seq: i64, prev: &str| {
        format!(
            "insert into audit_events select tenant_id, {seq}, gen_random_uuid(), occurred_at,
             action, actor_type, actor_id, object_type, object_id, event, hash, '{prev}'
             from audit_events where seq = 1"
        )
    };
    run(&db.app, AS_A, &event(2, "h")).await.unwrap();
    let fork = run(&db.app, AS_A, &event(3, "h")).await.unwrap_err();
    assert!(fork.contains("audit_events_unique_prev"), "{fork}");
    let second_start = run(&db.app, AS_A, &event(3, "")).await.unwrap_err();
    assert!(second_start.contains("audit_events_one_start"), "{second_start}");
}

#[tokio::test]
async fn what_of_a_person_stands_beside_an_event_can_be_erased() {
    let db = two_tenants().await;
    run(&db.app, AS_A, "delete from audit_personal").await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let left = "select tenant_id::text from audit_personal";
    assert_eq!(texts(&superuser, left).await, [TENANT_B]);
}

#[tokio::test]
async fn what_is_on_record_elsewhere_stays() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let replica = &[("session_replication_role", "replica")][..];
    for (attack, act) in [
        ("update log_rekor set proof = 'other'", "update"),
        ("delete from log_rekor", "delete"),
        ("truncate log_rekor", "truncate"),
    ] {
        let refused = format!("55000 log_rekor is append-only: {act} is refused");
        assert_eq!(run(&superuser, replica, attack).await.unwrap_err(), refused, "{attack}");
        assert!(run(&db.app, &[], attack).await.is_err(), "{attack}");
    }
}

#[tokio::test]
async fn a_tree_of_the_log_grows_and_nothing_else() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let refused = |act: &str| format!("55000 log_trees is append-only: {act} is refused");
    let replica = &[("session_replication_role", "replica")][..];
    for (attack, act) in [
        ("update log_trees set size = 0", "update"),
        ("delete from log_trees", "delete"),
        ("truncate log_trees", "truncate"),
    ] {
        assert_eq!(run(&superuser, replica, attack).await.unwrap_err(), refused(act), "{attack}");
        assert!(run(&db.app, &[], attack).await.is_err(), "{attack}");
    }
    run(&db.app, &[], "update log_trees set size = 2, is_doubted = true").await.unwrap();
    let trust = "update log_trees set is_doubted = false";
    assert_eq!(run(&db.app, &[], trust).await.unwrap_err(), refused("update"));
    let begin = "insert into log_trees (number, origin, tree_id, vkey, root, began_at)
        values (2, 'other', '2', 'v', 'r', now())";
    let second = run(&db.app, &[], begin).await.unwrap_err();
    assert!(second.contains("log_trees_one_open"), "{second}");
    run(&db.app, &[], "update log_trees set frozen_at = now()").await.unwrap();
    run(&db.app, &[], begin).await.unwrap();
    let thaw = "update log_trees set frozen_at = null where number = 1";
    assert_eq!(run(&db.app, &[], thaw).await.unwrap_err(), refused("update"));
}
