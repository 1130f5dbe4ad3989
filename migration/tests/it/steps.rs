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

#[tokio::test]
async fn keys_that_are_there_already_get_owner_and_parent_and_end_with_the_membership() {
    let db = testkit::database::empty().await;
    let before = STEPS.iter().position(|step| step.name == "m0037_key_owners").unwrap();
    Migrator::up(&db.owner, Some(u32::try_from(before).unwrap())).await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let id = |letter: &str| format!("{}-0000-4000-8000-000000000000", letter.repeat(8));
    let (tenant, member, removed) = (id("a"), id("c"), id("d"));
    let key = |id: &str, owner: &str, created_by: &str, sequence: u32| {
        format!(
            "insert into api_keys (tenant_id, id, name, key_preview, scopes, is_active, created_at,
                 created_by, sequence)
                 values ('{tenant}', '{id}', 'k', 'svc_', '{{}}', true, now(), {created_by}, {sequence});
             insert into key_digests (digest, tenant_id, api_key_id, key_name, scopes, owner)
                 values (uuid_send('{id}'), '{tenant}', '{id}', 'k', '{{}}', {owner});"
        )
    };
    let quoted = |id: &str| format!("'{id}'");
    let rows = [
        format!(
            "insert into users (user_id, email, display_name, created_at) values
                 ('{member}', 'ada@example.com', 'Ada', now()),
                 ('{removed}', 'ben@example.com', 'Ben', now());
             insert into tenants (tenant_id, name, created_at) values ('{tenant}', 't', now());
             insert into tenant_heads (tenant_id, email_salt, audit_salt) values ('{tenant}', '0', '0');
             insert into members (tenant_id, user_id, role, status, created_at, sequence)
                 values ('{tenant}', '{member}', 'admin', 'active', now(), 1);"
        ),
        key(&id("1"), &quoted(&member), &quoted(&member), 1),
        key(&id("2"), &quoted(&member), &quoted(&id("1")), 2),
        key(&id("3"), &quoted(&removed), &quoted(&removed), 3),
        key(&id("4"), "null", "null", 4),
    ];
    crate::run(&superuser, &[], &rows.concat()).await.unwrap();
    Migrator::up(&db.owner, None).await.unwrap();
    let keys = "select concat_ws(' ', left(k.id::text, 1), left(k.owner::text, 1), \
                    left(k.parent_key_id::text, 1), k.is_active, k.revoked_at is null, \
                    d.revoked_at is null) \
                from api_keys k join key_digests d on d.api_key_id = k.id order by k.sequence";
    assert_eq!(texts(&superuser, keys).await, ["1 c t t t", "2 c 1 t t t", "3 d f f f", "4 t t t"]);
    let forced = "select bool_and(relforcerowsecurity)::text from pg_class \
                  where relname in ('api_keys', 'members')";
    assert_eq!(texts(&superuser, forced).await, ["true"]);
}

#[tokio::test]
async fn open_versions_that_a_key_without_an_owner_made_have_an_unknown_maker() {
    let db = testkit::database::empty().await;
    let before = STEPS.iter().position(|step| step.name == "m0035_lifecycle").unwrap();
    Migrator::up(&db.owner, Some(u32::try_from(before).unwrap())).await.unwrap();
    let superuser = testkit::database::connect(&db.superuser_url).await;
    let tenant = "aaaaaaaa-0000-4000-8000-000000000000";
    let person = "bbbbbbbb-0000-4000-8000-000000000000";
    let made = format!(
        "insert into tenants (tenant_id, name, created_at) values ('{tenant}', 't', now());
         insert into tenant_heads (tenant_id, email_salt, audit_salt) values ('{tenant}', '00', '00');
         insert into users (user_id, email, display_name, created_at)
             values ('{person}', 'p@acme.example', 'p', now());
         insert into api_keys (tenant_id, id, name, key_preview, scopes, is_active, created_at, sequence)
             values ('{tenant}', '{tenant}', 'orphan', '', '{{}}', true, now(), 1),
                    ('{tenant}', '{person}', 'owned', '', '{{}}', true, now(), 2);
         insert into key_digests (digest, tenant_id, api_key_id, key_name, scopes, owner)
             values ('a', '{tenant}', '{tenant}', 'orphan', '{{}}', null),
                    ('b', '{tenant}', '{person}', 'owned', '{{}}', '{person}')"
    );
    crate::run(&superuser, &[], &made).await.unwrap();
    // Created, submitted or edited by the key, and ratified long ago; and what others made.
    for (number, (status, created_by, submitted_by, is_edited)) in [
        ("draft", tenant, "null".to_owned(), false),
        ("submitted", person, format!("'{tenant}'"), false),
        ("draft", person, "null".to_owned(), true),
        ("ratified", tenant, "null".to_owned(), false),
        ("draft", person, format!("'{person}'"), false),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("{number}0000000-0000-4000-8000-000000000000");
        let version = format!(
            "insert into policies (tenant_id, id, sequence, code, code_key, name, decision_types,
                 shadow_mode, inheritable, regulatory_refs, created_at, updated_at)
                 values ('{tenant}', '{id}', {number}, '{number}', '{number}', 'p', '{{}}', false, false,
                     '{{}}', now(), now());
             insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules,
                 rules_digest, is_active, status, created_at, created_by, submitted_by, makers)
                 values ('{tenant}', '{id}', 1, '{id}', 1, '[]', 'd', false, '{status}', now(),
                     '{created_by}', {submitted_by}, '{{{person}}}');
             insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type,
                 actor_id, object_type, object_id, event, hash, prev)
                 select '{tenant}', {number} + 1, gen_random_uuid(), now(), 'policy_version.edit',
                     'api_key', '{tenant}', 'policy_version', '{id}', '{{}}', 'h{number}', 'p{number}'
                 where {is_edited}"
        );
        crate::run(&superuser, &[], &version).await.unwrap();
    }
    Migrator::up(&db.owner, None).await.unwrap();
    let unknown = "select has_unknown_maker::text from policy_versions order by id";
    assert_eq!(texts(&superuser, unknown).await, ["true", "true", "true", "false", "false"]);
}
