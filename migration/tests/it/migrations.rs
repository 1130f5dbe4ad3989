//! Migrations are applied once, in one transaction, and can be reverted.

use migration::{MIGRATIONS, Migrator, MigratorTrait as _};
use testkit::database::texts;

/// Selects the names of tables, indexes, functions, triggers and policies.
const OBJECTS: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'i')
    union all
    select proname from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
    union all
    select polrelid::regclass || ' ' || polname from pg_policy
    order by relname";

/// Selects the tables with their columns, constraints and privileges.
const SCHEMA: &str = "
    select concat_ws(' ', relname, relrowsecurity, relforcerowsecurity, relacl::text, (
        select string_agg(concat_ws(' ', attname, atttypid::regtype, attnotnull, attcompression,
            attacl::text), ', ' order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0), (
        select string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' order by conname)
        from pg_constraint where conrelid = pg_class.oid))
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i', 'S')
    order by relname";

#[tokio::test]
async fn every_migration_can_be_reverted_and_applied_again() {
    let db = testkit::database::unmigrated().await;
    let mut before = vec![Vec::new()];
    for _ in MIGRATIONS {
        Migrator::up(&db.owner, Some(1)).await.unwrap();
        before.push(texts(&db.owner, OBJECTS).await);
    }
    let schema = texts(&db.owner, SCHEMA).await;
    before[0] = vec!["seaql_migrations".to_owned(), "seaql_migrations_pkey".to_owned()];
    before.pop();
    for objects in before.iter().rev() {
        Migrator::down(&db.owner, Some(1)).await.unwrap();
        assert_eq!(texts(&db.owner, OBJECTS).await, *objects);
    }
    Migrator::up(&db.owner, None).await.unwrap();
    assert_eq!(texts(&db.owner, SCHEMA).await, schema);
}

#[tokio::test]
async fn concurrent_migrations_wait_for_each_other() {
    let db = testkit::database::unmigrated().await;
    assert!(!migration::is_current(&db.app).await.unwrap());
    let (first, second, third) = tokio::join!(
        migration::migrate(&db.owner),
        migration::migrate(&db.owner),
        migration::migrate(&db.owner),
    );
    for result in [first, second, third] {
        result.unwrap();
    }
    assert!(migration::is_current(&db.app).await.unwrap());
    let applied = texts(&db.owner, "select version from seaql_migrations order by version").await;
    assert_eq!(applied, MIGRATIONS.iter().map(|migration| migration.name).collect::<Vec<_>>());
}

#[tokio::test]
async fn failed_migration_is_rolled_back() {
    let db = testkit::database::unmigrated().await;
    crate::run(&db.owner, &[], "create table decisions (taken text)").await.unwrap();
    migration::migrate(&db.owner).await.unwrap_err();
    assert_eq!(texts(&db.owner, OBJECTS).await, ["decisions"]);
}

#[tokio::test]
async fn superuser_migrates_as_the_owner() {
    let db = testkit::database::unmigrated().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    migration::migrate(&superuser).await.unwrap();
    let owner = "select tableowner::text from pg_tables where tablename = 'decisions'";
    assert_eq!(texts(&superuser, owner).await, ["govern_owner"]);
    let user = "select current_user::text where current_user <> session_user";
    assert!(texts(&superuser, user).await.is_empty(), "the role ends with the transaction");
}

#[tokio::test]
async fn the_app_role_only_checks_that_the_schema_is_current() {
    let db = testkit::database::unmigrated().await;
    let error = migration::run(&db.app_url).await.unwrap_err().to_string();
    assert!(
        error.contains("run `govern migrate` with a DATABASE_URL whose user can become"),
        "{error}"
    );
    migration::run(&db.superuser_url).await.unwrap();
    migration::run(&db.app_url).await.unwrap();
}

#[tokio::test]
async fn every_recorded_event_is_queued_for_the_log() {
    let db = testkit::database::two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let queued =
        "select concat_ws(' ', kind, count(*)) from log_pending group by kind order by kind";
    // Checkpoints, seals and approvals of two tenants, and one version of the trust registry. The function that
    // records decisions queues their receipts.
    assert_eq!(
        texts(&superuser, queued).await,
        ["audit_checkpoint 2", "chain_seal 2", "policy_approval 2", "trust_registry 1"]
    );
}

#[tokio::test]
async fn texts_are_indexed_for_searches_by_triggers() {
    let db = testkit::database::two_tenants().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let activate = "update policy_versions set status = 'ratified', is_active = true,
        rules = '[{\"code\":\"MAX\",\"name\":\"Limit\"},{\"code\":\"MIN\"}]' where version = 1";
    crate::run(&superuser, &[], activate).await.unwrap();
    let indexed = "select concat_ws(' ', tenant_id, kind, id, name, parts) from search_texts
        order by tenant_id, kind";
    let indexed = texts(&superuser, indexed).await;
    assert_eq!(indexed.len(), 6, "a policy, its rules and a form of two tenants");
    assert!(indexed[2].ends_with("policy \u{1}max\nlimit\n\u{1}min\n"), "{indexed:?}");
}

#[tokio::test]
async fn only_the_service_executes_the_functions_that_run_as_the_owner() {
    let db = testkit::database::test_database().await;
    let granted = "select proname || ' ' || string_agg(grantee::regrole::text, ' ' order by grantee::regrole::text)
        from pg_proc cross join aclexplode(proacl)
        where pronamespace = 'public'::regnamespace and prosecdef group by proname order by proname";
    assert_eq!(
        texts(&db.owner, granted).await,
        ["search_any govern_app govern_owner", "search_first govern_app govern_owner"]
    );
}

#[tokio::test]
async fn public_cannot_execute_the_procedures_that_protect_tables() {
    let db = testkit::database::test_database().await;
    let executable = "select proname::text from pg_proc
        where pronamespace = 'public'::regnamespace and prokind = 'p'
            and has_function_privilege('govern_app', oid, 'execute')";
    assert!(texts(&db.owner, executable).await.is_empty());
    let procedures = "select proname::text from pg_proc
        where pronamespace = 'public'::regnamespace and prokind = 'p' order by proname";
    let expected = ["enforce_append_only", "enforce_tenant_isolation"];
    assert_eq!(texts(&db.owner, procedures).await, expected);
}

/// Returns whether a migration removes or changes what an earlier version may use.
fn removes_or_changes(sql: &str) -> bool {
    let lines = sql.lines().filter_map(|line| line.split("--").next());
    let sql = lines.collect::<Vec<_>>().join(" ").to_lowercase();
    let words = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    ["drop table", "drop column", "drop function", "drop type", " rename ", "alter column"]
        .iter()
        .any(|statement| words.contains(statement))
}

/// During an upgrade, servers of the version before run on the new schema. A migration that they cannot run on has
/// `_contract_` in its name, so that they do not start (`docs/OPERATIONS.md`, "Upgrade").
#[test]
fn migrations_only_add_unless_their_name_says_contract() {
    assert!(removes_or_changes(
        "alter table decisions\n    drop column record, -- unused\n    add more text;"
    ));
    assert!(!removes_or_changes(
        "create table more (id uuid); -- drop table\ndrop index more_by_id;"
    ));
    // The first one creates what it changes.
    for migration in &MIGRATIONS[1..] {
        let is_contract = migration.name.contains("_contract_");
        assert_eq!(removes_or_changes(migration.up), is_contract, "{}", migration.name);
    }
}
