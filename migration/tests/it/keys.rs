//! Invariant 7: every key starts with the tenant.

use testkit::database::texts;

/// Keys that start with another column. They belong to the directory tables, which are read before the
/// tenant is known, to accounts and their mail, and to the transparency log and the trust registry,
/// which belong to no tenant. Remove entries from the list only.
const EXCEPTIONS: [&str; 30] = [
    "account_links_pkey",
    "key_digests_pkey",
    "log_checkpoints_pkey",
    "log_entries_pkey",
    "log_entries_unique_leaf",
    "log_nodes_pkey",
    "log_pending_pkey",
    "log_rekor_checkpoint",
    "log_rekor_one_pending",
    "log_rekor_pkey",
    "log_trees_one_open",
    "log_trees_pkey",
    "log_trees_unique_origin",
    "mail_outbox_one_reset",
    "mail_outbox_pkey",
    "operator_keys_pkey",
    "operator_keys_unique_id",
    "passkeys_credential_id_key",
    "passkeys_pkey",
    "public_ids_pkey",
    "recovery_codes_pkey",
    "seaql_migrations_pkey",
    "session_digests_pkey",
    "sign_in_networks_pkey",
    "totp_secrets_pkey",
    "trust_registries_pkey",
    "used_challenges_pkey",
    "users_email_of_tenant",
    "users_pkey",
    "users_proven_email",
];

/// Selects the unique indexes (including primary keys) and foreign keys that do not start with the
/// tenant, except references to `users`.
const OTHER_KEYS: &str = "
    select indexrelid::regclass::text as name
    from pg_index
    join pg_class on pg_class.oid = indrelid and relnamespace = 'public'::regnamespace
    where indisunique and 'tenant_id' is distinct from (
        select attname::text from pg_attribute where attrelid = indrelid and attnum = indkey[0])
    union all
    select conname from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
        and confrelid <> 'users'::regclass
        and ('tenant_id', 'tenant_id') is distinct from (
            (select attname::text from pg_attribute
                where attrelid = conrelid and attnum = conkey[1]),
            (select attname::text from pg_attribute
                where attrelid = confrelid and attnum = confkey[1]))
    order by name";

#[tokio::test]
async fn every_key_starts_with_the_tenant() {
    let db = testkit::database::test_database().await;
    assert_eq!(texts(&db.owner, OTHER_KEYS).await, EXCEPTIONS);
}
