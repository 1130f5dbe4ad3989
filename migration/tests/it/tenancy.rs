//! The second wall: what a query sees whose tenant filter was forgotten.

use sea_orm_migration::sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement};
use testkit::database::{PERSON, TENANT_A, TENANT_B, texts, two_tenants};

use crate::{AS_A, TENANT_TABLES, begin, run};

/// Whose rows of `table` a query without a filter sees, in a transaction with these settings.
async fn seen(db: &DatabaseConnection, table: &str, settings: &[(&str, &str)]) -> Vec<String> {
    let tx = begin(db, settings).await;
    let query = format!("select tenant_id::text from {table} order by tenant_id");
    let rows = tx
        .query_all_raw(Statement::from_string(DbBackend::Postgres, query))
        .await
        .expect("the role may read");
    rows.iter().map(|row| row.try_get_by_index(0).expect("a tenant's id")).collect()
}

#[tokio::test]
async fn a_query_sees_the_tenant_of_its_transaction_and_without_one_nothing() {
    let db = two_tenants().await;
    let verify = testkit::database::connect(&db.verify_url).await;
    for table in TENANT_TABLES {
        let mut readers = vec![&db.app, &db.owner];
        let unread =
            ["audit_personal", "form_tokens", "forms", "saved_filters", "webhook_subscriptions"];
        if !unread.contains(&table) {
            readers.push(&verify);
        }
        for reader in readers {
            assert!(seen(reader, table, &[]).await.is_empty(), "{table}");
            assert!(seen(reader, table, &[("app.tenant", "")]).await.is_empty(), "{table}");
            assert!(seen(reader, table, &[("app.tenant", PERSON)]).await.is_empty(), "{table}");
            assert_eq!(
                seen(reader, table, &[("app.tenant", TENANT_A)]).await,
                [TENANT_A],
                "{table}"
            );
            // The setting went with its transaction.
            assert!(seen(reader, table, &[]).await.is_empty(), "{table}");
        }
    }
}

#[tokio::test]
async fn a_row_of_another_tenant_cannot_be_written() {
    let db = two_tenants().await;
    for table in TENANT_TABLES {
        let written = format!(
            "select string_agg(attname, ', ') from pg_attribute where attrelid = '{table}'::regclass
                 and attnum > 0 and not attisdropped and attgenerated = ''"
        );
        let columns = texts(&db.owner, &written).await.concat();
        let copy = format!(
            "insert into {table} ({columns}) select {columns} from (
                 select (jsonb_populate_record(row,
                     jsonb_build_object('tenant_id', '{TENANT_B}'))).* from {table} as row) as copy"
        );
        let refused = run(&db.app, AS_A, &copy).await.unwrap_err();
        let expected =
            format!("42501 new row violates row-level security policy for table \"{table}\"");
        assert_eq!(refused, expected);
    }
}

#[tokio::test]
async fn a_row_of_another_tenant_cannot_be_changed_or_removed() {
    let db = two_tenants().await;
    for (table, change) in [
        ("members", "update members set role = 'viewer'"),
        ("settings", "update settings set review_required = true"),
        ("policies", "update policies set name = 'mine'"),
        ("policy_groups", "delete from policy_groups"),
        ("policy_versions", "update policy_versions set change_reason = 'mine'"),
        ("audit_personal", "delete from audit_personal"),
        ("saved_filters", "delete from saved_filters"),
    ] {
        let before = row(&db.superuser_url, table).await;
        run(&db.app, AS_A, change).await.unwrap();
        run(&db.app, &[], change).await.unwrap();
        assert_eq!(row(&db.superuser_url, table).await, before);
    }
}

/// The other tenant's row.
async fn row(url: &str, table: &str) -> Vec<String> {
    let superuser = testkit::database::connect(url).await;
    let query = format!("select row::text from {table} as row where tenant_id = '{TENANT_B}'");
    texts(&superuser, &query).await
}

#[tokio::test]
async fn before_a_tenant_is_chosen_people_see_where_they_belong() {
    let db = two_tenants().await;
    for table in ["members", "tenants"] {
        assert_eq!(seen(&db.app, table, &[("app.user", PERSON)]).await, [TENANT_A]);
        assert!(seen(&db.app, table, &[("app.user", TENANT_B)]).await.is_empty());
    }
    assert!(seen(&db.app, "settings", &[("app.user", PERSON)]).await.is_empty());
    let demote = "update members set role = 'viewer'";
    run(&db.app, &[("app.user", PERSON)], demote).await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let roles = texts(&superuser, "select distinct role from members").await;
    assert_eq!(roles, ["admin"], "to see a membership is not to change it");
}

#[tokio::test]
async fn whoever_operates_the_service_sees_that_tenants_are_there_and_nothing_of_theirs() {
    let db = two_tenants().await;
    let operated = [("app.operator", "on")];
    for table in TENANT_TABLES {
        let expected: &[&str] = if table == "tenants" { &[TENANT_A, TENANT_B] } else { &[] };
        assert_eq!(seen(&db.app, table, &operated).await, expected, "{table}");
    }
    for setting in ["", "off", "true", TENANT_A] {
        assert!(seen(&db.app, "tenants", &[("app.operator", setting)]).await.is_empty());
    }
    let made = "insert into tenants (tenant_id, name, created_at)
        values (gen_random_uuid(), 'new', now())";
    let refused = run(&db.app, &operated, made).await.unwrap_err();
    assert_eq!(refused, "42501 new row violates row-level security policy for table \"tenants\"");
}

#[tokio::test]
async fn a_line_of_tenants_has_no_ring_and_an_end() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (line, wall) in [
        (format!("array['{TENANT_B}', '{TENANT_A}']::uuid[]"), "tenant_heads_no_ring"),
        ("array_fill(gen_random_uuid(), array[9])".to_owned(), "tenant_heads_few_ancestors"),
    ] {
        let set =
            format!("update tenant_heads set ancestors = {line} where tenant_id = '{TENANT_A}'");
        let refused = run(&superuser, &[], &set).await.unwrap_err();
        assert!(refused.contains(wall), "{refused}");
        // Once it is made, nobody of the service moves a tenant.
        let refused = run(&db.app, AS_A, &set).await.unwrap_err();
        assert_eq!(refused, "42501 permission denied for table tenant_heads");
    }
}
