//! Steps are taken once, together, and can be taken back.

use migration::{Migrator, MigratorTrait as _, STEPS};
use testkit::database::texts;

const OBJECTS: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'i')
    union all
    select proname from pg_proc where pronamespace = 'public'::regnamespace
    order by relname";

#[tokio::test]
async fn every_step_can_be_taken_back_and_again() {
    let db = testkit::database::empty().await;
    let bookkeeping = ["seaql_migrations", "seaql_migrations_pkey"];
    for steps in 1..=u32::try_from(STEPS.len()).unwrap() {
        Migrator::up(&db.owner, Some(steps)).await.unwrap();
        Migrator::down(&db.owner, Some(steps)).await.unwrap();
        assert_eq!(texts(&db.owner, OBJECTS).await, bookkeeping);
    }
}

#[tokio::test]
async fn processes_that_migrate_at_the_same_time_wait_for_each_other() {
    let db = testkit::database::empty().await;
    assert!(!migration::is_current(&db.app).await.unwrap());
    let (first, second, third) = tokio::join!(
        migration::migrate(&db.owner),
        migration::migrate(&db.owner),
        migration::migrate(&db.owner),
    );
    for migrated in [first, second, third] {
        migrated.unwrap();
    }
    assert!(migration::is_current(&db.app).await.unwrap());
    let taken = texts(&db.owner, "select version from seaql_migrations order by version").await;
    assert_eq!(taken, STEPS.iter().map(|step| step.name).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_failing_step_leaves_nothing_behind() {
    let db = testkit::database::empty().await;
    crate::run(&db.owner, &[], "create table decisions (taken text)").await.unwrap();
    migration::migrate(&db.owner).await.unwrap_err();
    assert_eq!(texts(&db.owner, OBJECTS).await, ["decisions"]);
}

#[tokio::test]
async fn a_user_of_another_name_migrates_as_the_owner() {
    let db = testkit::database::empty().await;
    let superuser = testkit::database::connect(&db.superuser_url).await;
    migration::migrate(&superuser).await.unwrap();
    let owner = "select tableowner::text from pg_tables where tablename = 'decisions'";
    assert_eq!(texts(&superuser, owner).await, ["govern_owner"]);
    let user = "select current_user::text where current_user <> session_user";
    assert!(texts(&superuser, user).await.is_empty(), "the role went with the transaction");
}

#[tokio::test]
async fn tenants_that_are_there_already_get_the_line_above_them() {
    let db = testkit::database::empty().await;
    let before = STEPS.iter().position(|step| step.name == "m0017_heirs").unwrap();
    Migrator::up(&db.owner, Some(u32::try_from(before).unwrap())).await.unwrap();
    let ids = [1, 2, 3, 4].map(|number| format!("{number}0000000-0000-4000-8000-000000000000"));
    let superuser = testkit::database::connect(&db.superuser_url).await;
    // The last one stands alone.
    for (place, id) in ids.iter().enumerate() {
        let parent = match place {
            1 | 2 => format!("'{}'", ids[place - 1]),
            _ => "null".to_owned(),
        };
        let make = format!(
            "insert into tenants (tenant_id, name, parent_tenant_id, created_at)
                 values ('{id}', 'tenant', {parent}, now());
             insert into tenant_heads (tenant_id, email_salt, audit_salt) values ('{id}', '0', '0')"
        );
        crate::run(&superuser, &[], &make).await.unwrap();
    }
    Migrator::up(&db.owner, None).await.unwrap();
    let lines = "select ancestors::text from tenant_heads order by tenant_id";
    let [one, two, ..] = &ids;
    let expected =
        ["{}".to_owned(), format!("{{{one}}}"), format!("{{{two},{one}}}"), "{}".to_owned()];
    assert_eq!(texts(&superuser, lines).await, expected);
    let forced =
        "select relforcerowsecurity::text from pg_class where relname in ('tenants', 'members')";
    assert_eq!(texts(&superuser, forced).await, ["true", "true"]);
}

#[tokio::test]
async fn what_was_recorded_before_there_was_a_log_is_due_to_be_logged() {
    let db = testkit::database::empty().await;
    let before = STEPS.iter().position(|step| step.name == "m0021_log").unwrap();
    Migrator::up(&db.owner, Some(u32::try_from(before).unwrap())).await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let tenant = "aaaaaaaa-0000-4000-8000-000000000000";
    let recorded = format!(
        "insert into tenants (tenant_id, name, created_at) values ('{tenant}', 't', now());
         insert into tenant_heads (tenant_id, email_salt, audit_salt) values ('{tenant}', '00', '00');
         insert into policy_snapshots (tenant_id, id, digest, body, evaluated_rules_hash, created_at)
             values ('{tenant}', '{tenant}', 'd', '{{\"policies\":[]}}', 'h', now());
         insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
             policy_ids, rule_codes, recorded_at, record, context, integrity, statement,
             receipt_digest)
             select '{tenant}', gen_random_uuid(), n, n, 'd', 't', 'ALLOW', 'c', '{tenant}', 1,
                 '{tenant}', '{{}}', '{{}}', now(), '{{}}', '{{}}', '{{}}', '{{}}', repeat(n::text, 64)
             from generate_series(1, 3) n;
         insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type, actor_id,
             object_type, object_id, event, hash, prev)
             values ('{tenant}', 1, '{tenant}', now(), 'a', 'system', 's', 'o', 'o', '{{}}', 'h', '');
         insert into audit_checkpoints (tenant_id, seq, hash) values ('{tenant}', 1, 'h')"
    );
    crate::run(&superuser, &[], &recorded).await.unwrap();
    Migrator::up(&db.owner, None).await.unwrap();
    let due =
        "select kind || ' ' || left(digest, 1) from log_pending where kind = 'receipt' order by id";
    assert_eq!(texts(&superuser, due).await, ["receipt 1", "receipt 2", "receipt 3"]);
    let due = "select kind from log_pending where kind <> 'receipt'";
    assert_eq!(texts(&superuser, due).await, ["audit_checkpoint"]);
}
