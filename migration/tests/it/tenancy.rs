//! Row-level security: the rows that a query without a tenant filter returns.

use sea_orm_migration::sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement};
use testkit::database::{PERSON, TENANT_A, TENANT_B, texts, two_tenants};

use crate::{AS_A, TENANT_TABLES, begin, run};

/// Returns the tenants whose rows of `table` a query without a filter returns, in a transaction
/// with these settings.
async fn visible_tenants(
    db: &DatabaseConnection,
    table: &str,
    settings: &[(&str, &str)],
) -> Vec<String> {
    let tx = begin(db, settings).await;
    let query = format!("select distinct tenant_id::text as tenant from {table} order by tenant");
    let rows = tx
        .query_all_raw(Statement::from_string(DbBackend::Postgres, query))
        .await
        .expect("the role can read");
    rows.iter().map(|row| row.try_get_by_index(0).expect("a tenant's id")).collect()
}

#[tokio::test]
async fn query_returns_rows_of_the_current_tenant_only() {
    let db = two_tenants().await;
    let verify = testkit::database::connect(&db.verify_url).await;
    for table in TENANT_TABLES {
        let mut readers = vec![&db.app];
        // A search reads this table as its owner, and restricts it to the current tenant itself.
        if table != "search_texts" {
            readers.push(&db.owner);
        }
        // `govern_verify` may not read these tables.
        let unreadable = [
            "audit_personal",
            "comment_mentions",
            "form_tokens",
            "forms",
            "identities",
            "identity_providers",
            "login_codes",
            "logout_tokens",
            "mail_counts",
            "removed_members",
            "review_drafts",
            "saved_filters",
            "search_texts",
            "version_comments",
            "webhook_subscriptions",
        ];
        if !unreadable.contains(&table) {
            readers.push(&verify);
        }
        for reader in readers {
            assert!(visible_tenants(reader, table, &[]).await.is_empty(), "{table}");
            assert!(
                visible_tenants(reader, table, &[("app.tenant", "")]).await.is_empty(),
                "{table}"
            );
            assert!(
                visible_tenants(reader, table, &[("app.tenant", PERSON)]).await.is_empty(),
                "{table}"
            );
            assert_eq!(
                visible_tenants(reader, table, &[("app.tenant", TENANT_A)]).await,
                [TENANT_A],
                "{table}"
            );
            // The setting ended with its transaction.
            assert!(visible_tenants(reader, table, &[]).await.is_empty(), "{table}");
        }
    }
}

#[tokio::test]
async fn inserting_a_row_of_another_tenant_is_rejected() {
    let db = two_tenants().await;
    for table in TENANT_TABLES {
        let writable_columns = format!(
            "select string_agg(attname, ', ') from pg_attribute where attrelid = '{table}'::regclass
                 and attnum > 0 and not attisdropped and attgenerated = ''"
        );
        let columns = texts(&db.owner, &writable_columns).await.concat();
        let copy = format!(
            "insert into {table} ({columns}) select {columns} from (
                 select (jsonb_populate_record(row,
                     jsonb_build_object('tenant_id', '{TENANT_B}'))).* from {table} as row) as copy"
        );
        let error = run(&db.app, AS_A, &copy).await.unwrap_err();
        let expected =
            format!("42501 new row violates row-level security policy for table \"{table}\"");
        assert_eq!(error, expected);
    }
}

#[tokio::test]
async fn a_group_inserts_rows_of_its_tenants_and_reads_none() {
    let db = two_tenants().await;
    let insert = |tenant: &str| {
        format!(
            "insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
                 decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
                 policy_ids, rule_codes, recorded_at, texts, receipt_digest)
             values ('{tenant}', gen_random_uuid(), 2, 'k2', sha256('d'), 't', 'ALLOW', 'c', '{tenant}', 1,
                 '{tenant}', '{{}}', '{{}}', now(), '', sha256('e'))"
        )
    };
    let group_of_a = format!("{{{TENANT_A}}}");
    let group_of_a = &[("app.group", group_of_a.as_str())];
    run(&db.app, group_of_a, &insert(TENANT_A)).await.unwrap();
    let error = run(&db.app, group_of_a, &insert(TENANT_B)).await.unwrap_err();
    assert_eq!(error, "42501 new row violates row-level security policy for table \"decisions\"");
    assert!(visible_tenants(&db.app, "decisions", group_of_a).await.is_empty());
}

#[tokio::test]
async fn rows_of_another_tenant_cannot_be_updated_or_deleted() {
    let db = two_tenants().await;
    for (table, change) in [
        ("members", "update members set role = 'viewer'"),
        ("settings", "update settings set review_required = true"),
        ("policies", "update policies set name = 'changed'"),
        ("policy_groups", "delete from policy_groups"),
        ("policy_versions", "update policy_versions set change_reason = 'changed'"),
        ("audit_personal", "delete from audit_personal"),
        ("saved_filters", "delete from saved_filters"),
        ("identities", "delete from identities"),
        ("identity_providers", "update identity_providers set is_enabled = false"),
        ("identity_providers", "delete from identity_providers"),
        ("login_codes", "delete from login_codes"),
        ("logout_tokens", "delete from logout_tokens"),
        ("mail_counts", "update mail_counts set mails = 0"),
        ("removed_members", "delete from removed_members"),
        ("review_drafts", "update review_drafts set draft = '[]'"),
        ("review_drafts", "delete from review_drafts"),
        (
            "version_comments",
            "update version_comments set resolved_at = now(), resolved_by = author",
        ),
    ] {
        let before = row_of_tenant_b(&db.superuser_url, table).await;
        run(&db.app, AS_A, change).await.unwrap();
        run(&db.app, &[], change).await.unwrap();
        assert_eq!(row_of_tenant_b(&db.superuser_url, table).await, before);
    }
}

async fn row_of_tenant_b(url: &str, table: &str) -> Vec<String> {
    let superuser = testkit::database::connect(url).await;
    let query = format!("select row::text from {table} as row where tenant_id = '{TENANT_B}'");
    texts(&superuser, &query).await
}

#[tokio::test]
async fn user_without_a_tenant_sees_only_their_memberships_and_the_settings_of_their_tenants() {
    let db = two_tenants().await;
    for table in ["members", "settings", "tenants"] {
        assert_eq!(visible_tenants(&db.app, table, &[("app.user", PERSON)]).await, [TENANT_A]);
        assert!(visible_tenants(&db.app, table, &[("app.user", TENANT_B)]).await.is_empty());
    }
    assert!(visible_tenants(&db.app, "policies", &[("app.user", PERSON)]).await.is_empty());
    let demote = "update members set role = 'viewer'";
    run(&db.app, &[("app.user", PERSON)], demote).await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let roles = texts(&superuser, "select distinct role from members").await;
    assert_eq!(roles, ["admin"], "read access to memberships does not allow changes");
}

#[tokio::test]
async fn operator_sees_tenants_but_no_tenant_data() {
    let db = two_tenants().await;
    let operator = [("app.operator", "on")];
    for table in TENANT_TABLES {
        let expected: &[&str] = if table == "tenants" { &[TENANT_A, TENANT_B] } else { &[] };
        assert_eq!(visible_tenants(&db.app, table, &operator).await, expected, "{table}");
    }
    for setting in ["", "off", "true", TENANT_A] {
        assert!(visible_tenants(&db.app, "tenants", &[("app.operator", setting)]).await.is_empty());
    }
    let insert = "insert into tenants (tenant_id, name, created_at)
        values (gen_random_uuid(), 'new', now())";
    let error = run(&db.app, &operator, insert).await.unwrap_err();
    assert_eq!(error, "42501 new row violates row-level security policy for table \"tenants\"");
}

#[tokio::test]
async fn tenant_hierarchy_is_acyclic_and_limited_in_depth() {
    let db = two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    for (ancestors, constraint) in [
        (format!("array['{TENANT_B}', '{TENANT_A}']::uuid[]"), "tenant_heads_no_cycle"),
        ("array_fill(gen_random_uuid(), array[9])".to_owned(), "tenant_heads_max_ancestors"),
    ] {
        let set = format!(
            "update tenant_heads set ancestors = {ancestors} where tenant_id = '{TENANT_A}'"
        );
        let error = run(&superuser, &[], &set).await.unwrap_err();
        assert!(error.contains(constraint), "{error}");
        // The service role cannot move an existing tenant.
        let error = run(&db.app, AS_A, &set).await.unwrap_err();
        assert_eq!(error, "42501 permission denied for table tenant_heads");
    }
}
