//! Ownership, privileges, row-level security and triggers of every table.

use crate::{APPEND_ONLY, LOG, TENANT_TABLES};
use testkit::database::texts;

const OWNERS: &str = "
    select distinct pg_get_userbyid(relowner)::text from pg_class
    where relnamespace = 'public'::regnamespace";

const PROTECTED_TABLES: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity
    order by relname";

const UNPROTECTED_TABLES: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and relforcerowsecurity)
    order by relname";

const POLICIES: &str = "
    select concat_ws(' ', tablename, policyname, cmd, roles::text, qual, with_check)
    from pg_policies order by tablename, policyname";

/// The tables that a group of records inserts rows into.
const GROUP_TABLES: [&str; 5] =
    ["audit_checkpoints", "audit_events", "audit_personal", "decision_rules", "decisions"];

const TRIGGERS: &str = "
    select concat_ws(' ', tgrelid::regclass, tgenabled,
        regexp_replace(pg_get_triggerdef(pg_trigger.oid), '^CREATE TRIGGER | ON .* FOR', '', 'g'))
    from pg_trigger where not tgisinternal order by tgrelid::regclass::text, tgname";

/// Returns SQL that selects the privileges of a role on each table, with the columns where they are
/// limited.
fn rights(role: &str) -> String {
    format!(
        "select relname || ': ' || string_agg(distinct lower(privilege) || columns, ', ')
        from pg_class
        cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',
            'TRIGGER']) as privilege
        cross join lateral (
            select coalesce(' (' || string_agg(attname, ' ' order by attnum) || ')', '') as columns
            from pg_attribute
            where attrelid = pg_class.oid and attnum > 0
                and privilege not in ('DELETE', 'TRUNCATE', 'TRIGGER')
                and has_column_privilege('{role}', attrelid, attnum, privilege)
                and not has_table_privilege('{role}', attrelid, privilege)
        ) as granted
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
            and (columns <> '' or has_table_privilege('{role}', pg_class.oid, privilege))
        group by relname order by relname"
    )
}

#[tokio::test]
async fn all_tables_belong_to_an_owner_without_row_security_bypass() {
    let db = testkit::database::test_database().await;
    assert_eq!(texts(&db.owner, OWNERS).await, ["govern_owner"]);
    let privileged = "select rolname::text from pg_roles
        where rolname like 'govern\\_%' and (rolsuper or rolbypassrls or rolcreaterole)";
    assert!(texts(&db.owner, privileged).await.is_empty());
}

#[tokio::test]
async fn the_app_role_has_time_limits() {
    let db = testkit::database::test_database().await;
    let settings = "select unnest(rolconfig) from pg_roles where rolname = 'govern_app'";
    assert_eq!(texts(&db.owner, settings).await, migration::roles::APP_LIMITS);
}

#[tokio::test]
async fn every_tenant_table_forces_row_level_security() {
    let db = testkit::database::test_database().await;
    assert_eq!(texts(&db.owner, PROTECTED_TABLES).await, TENANT_TABLES);
    // The directory tables are read before the tenant is known. Accounts and their mail, the
    // transparency log and the trust registry belong to no tenant. Remove entries from the list only.
    assert_eq!(
        texts(&db.owner, UNPROTECTED_TABLES).await,
        [
            "account_links",
            "key_digests",
            "log_checkpoints",
            "log_entries",
            "log_nodes",
            "log_pending",
            "log_rekor",
            "log_trees",
            "mail_outbox",
            "operator_keys",
            "outbox",
            "passkeys",
            "public_ids",
            "recovery_codes",
            "seaql_migrations",
            "session_digests",
            "sign_in_networks",
            "tenant_heads",
            "totp_secrets",
            "trust_registries",
            "used_challenges",
            "users"
        ]
    );
}

#[tokio::test]
async fn policies_restrict_every_tenant_table_to_the_current_tenant() {
    let db = testkit::database::test_database().await;
    let mut expected: Vec<String> = TENANT_TABLES
        .iter()
        .map(|table| {
            let condition = "(tenant_id = current_tenant())";
            format!("{table} tenant_isolation ALL {{public}} {condition} {condition}")
        })
        .collect();
    expected.extend(GROUP_TABLES.map(|table| {
        let is_in_group = "(tenant_id = ANY (( SELECT current_group() AS current_group)::uuid[]))";
        format!("{table} group_insert INSERT {{public}} {is_in_group}")
    }));
    // The functions of searches read the table as its owner.
    expected.push("search_texts owner_access ALL {govern_owner} true true".to_owned());
    expected.push("members user_access SELECT {public} (user_id = current_user_id())".to_owned());
    let is_operator = "(current_setting('app.operator'::text, true) = 'on'::text)";
    expected.push(format!("tenants operator_access SELECT {{public}} {is_operator}"));
    expected.extend(["settings", "tenants"].map(|table| {
        format!(
            "{table} user_access SELECT {{public}} (EXISTS ( SELECT\n   FROM members\n  WHERE \
             ((members.tenant_id = {table}.tenant_id) AND (members.user_id = current_user_id()))))"
        )
    }));
    expected.sort();
    assert_eq!(texts(&db.owner, POLICIES).await, expected);
}

#[tokio::test]
async fn triggers_of_append_only_tables_are_always_enabled() {
    let db = testkit::database::test_database().await;
    let checkpoint = "audit_events O create_audit_checkpoint AFTER INSERT EACH ROW \
         WHEN (((new.seq % (256)::bigint) = 0)) EXECUTE FUNCTION create_audit_checkpoint()";
    let mut expected: Vec<String> = APPEND_ONLY
        .iter()
        .chain(&LOG)
        .chain(&["trust_registries"])
        .flat_map(|table| {
            [
                format!("{table} A prevent_row_changes BEFORE DELETE OR UPDATE EACH ROW EXECUTE FUNCTION reject_change()"),
                format!("{table} A prevent_truncate BEFORE TRUNCATE EACH STATEMENT EXECUTE FUNCTION reject_change()"),
            ]
        })
        .collect();
    expected.push(checkpoint.to_owned());
    // Submitted rules and closed versions are immutable too.
    expected.extend(
        [
            "prevent_closed_version_changes BEFORE UPDATE EACH ROW WHEN ((old.status = ANY (ARRAY['replaced'::text, \
             'set_aside'::text])))",
            "freeze_submitted_rules BEFORE UPDATE EACH ROW WHEN (((old.status <> 'draft'::text) AND \
             (((old.rules IS DISTINCT FROM new.rules) OR (old.rules_digest IS DISTINCT FROM \
             new.rules_digest)) OR (old.draft_revision IS DISTINCT FROM new.draft_revision))))",
        ]
        .map(|trigger| format!("policy_versions A {trigger} EXECUTE FUNCTION reject_change()")),
    );
    expected.push(
        "chains A prevent_sealed_chain_changes BEFORE UPDATE EACH ROW WHEN (old.is_sealed) EXECUTE FUNCTION \
         reject_change()"
            .to_owned(),
    );
    expected.extend(
        [
            "enforce_tree_growth BEFORE UPDATE EACH ROW WHEN (((old.frozen_at IS NOT NULL) OR (new.size < \
             old.size) OR (old.is_halted AND (NOT new.is_halted))))",
            "prevent_truncate BEFORE TRUNCATE EACH STATEMENT",
            "prevent_tree_deletion BEFORE DELETE EACH ROW",
        ]
        .map(|trigger| format!("log_trees A {trigger} EXECUTE FUNCTION reject_change()")),
    );
    expected.extend(
        [
            "prevent_row_changes BEFORE DELETE EACH ROW",
            "prevent_truncate BEFORE TRUNCATE EACH STATEMENT",
            "prevent_proof_changes BEFORE UPDATE EACH ROW WHEN ((old.proof IS NOT NULL))",
        ]
        .map(|trigger| format!("log_rekor A {trigger} EXECUTE FUNCTION reject_change()")),
    );
    expected.extend(
        [
            "prevent_acknowledgement_changes BEFORE UPDATE EACH ROW WHEN ((old.acknowledged_at IS NOT NULL))",
            "prevent_row_changes BEFORE DELETE EACH ROW",
            "prevent_truncate BEFORE TRUNCATE EACH STATEMENT",
        ]
        .map(|trigger| format!("alerts A {trigger} EXECUTE FUNCTION reject_change()")),
    );
    // The transaction that creates a digest or an alert also queues its log entry or its deliveries.
    expected.extend(
        [
            "audit_checkpoints O queue_checkpoint_for_log AFTER INSERT EACH ROW EXECUTE FUNCTION queue_checkpoint_for_log()",
            "chain_seals O queue_seal_for_log AFTER INSERT EACH ROW EXECUTE FUNCTION queue_digest_for_log('chain_seal')",
            "alerts O queue_webhook_deliveries AFTER INSERT EACH STATEMENT EXECUTE FUNCTION queue_webhook_deliveries()",
            "members O unassign_alerts AFTER DELETE EACH ROW EXECUTE FUNCTION unassign_alerts()",
            "policy_approvals O queue_approval_for_log AFTER INSERT EACH ROW EXECUTE FUNCTION queue_digest_for_log('policy_approval')",
            "trust_registries O queue_registry_version_for_log AFTER INSERT EACH ROW EXECUTE FUNCTION queue_digest_for_log('trust_registry')",
        ]
        .map(str::to_owned),
    );
    // Triggers that maintain the index tables of lists.
    expected.extend(
        [
            "policy_snapshots O index_snapshot_policies AFTER INSERT EACH STATEMENT EXECUTE FUNCTION index_snapshot_policies()",
            "policies O index_policy_text AFTER INSERT OR DELETE EACH ROW EXECUTE FUNCTION index_policy_text()",
            "policies O index_changed_policy_text AFTER UPDATE EACH ROW WHEN (((old.name_folded IS DISTINCT FROM \
             new.name_folded) OR (old.code_key IS DISTINCT FROM new.code_key))) EXECUTE FUNCTION index_policy_text()",
            "forms O index_form_text AFTER INSERT OR DELETE EACH ROW EXECUTE FUNCTION index_form_text()",
            "forms O index_changed_form_text AFTER UPDATE EACH ROW WHEN ((old.title_folded IS DISTINCT FROM \
             new.title_folded)) EXECUTE FUNCTION index_form_text()",
            "policy_versions O index_rule_texts AFTER INSERT OR DELETE EACH ROW EXECUTE FUNCTION index_rule_texts()",
            "policy_versions O index_changed_rule_texts AFTER UPDATE EACH ROW WHEN ((old.rule_texts_folded IS DISTINCT FROM \
             new.rule_texts_folded)) EXECUTE FUNCTION index_rule_texts()",
        ]
        .map(str::to_owned),
    );
    // A password change invalidates the earlier sessions of the user.
    expected.push(
        "users O increment_password_generation BEFORE UPDATE OF password_hash EACH ROW EXECUTE FUNCTION \
         increment_password_generation()"
            .to_owned(),
    );
    expected.sort();
    let mut triggers = texts(&db.owner, TRIGGERS).await;
    triggers.sort();
    assert_eq!(triggers, expected);
}

#[tokio::test]
async fn service_role_has_exactly_the_privileges_it_needs() {
    let db = testkit::database::test_database().await;
    assert_eq!(
        texts(&db.owner, &rights("govern_app")).await,
        [
            "account_links: delete, insert, select",
            "alerts: insert, select, update (acknowledged_at acknowledged_by assigned_to snoozed_until changed_at changed_by)",
            "api_keys: insert, select, update (owner last_used_at is_active created_by revoked_at \
         revoked_by)",
            "audit_checkpoints: insert, select",
            "audit_events: insert, select",
            "audit_personal: delete, insert, select",
            "capability_grants: insert, select, update (uses revoked_at revoked_by carried_to \
         carried_at)",
            "chain_links: insert, select",
            "chain_seals: insert, select",
            "chains: insert, select, update (links head highest_step is_sealed)",
            "codifications: insert, select",
            "comment_mentions: insert, select",
            "decision_hours: insert, select, update (decisions)",
            "decision_rules: insert, select",
            "decisions: insert, select",
            "form_submissions: insert, select",
            "form_tokens: insert, select, update (uses revoked_at)",
            "forms: delete, insert, select, update (title description decision_type fields \
         access_mode password_hash is_published budget_limit budget_window window_start \
         tokens_used submissions branding success_message language updated_at)",
            "identities: delete, insert, select",
            "identity_providers: delete, insert, select, update (name client_id client_secret \
         client_secret_key scopes email_domains trusts_email_domains role_claim mapped_values \
         mapped_roles default_role is_enabled updated_at)",
            "key_digests: insert, select, update (owner revoked_at)",
            "latency_hours: insert, select, update (decisions)",
            "log_checkpoints: insert, select",
            "log_entries: insert, select",
            "log_nodes: insert, select",
            "log_pending: delete, insert, select",
            "log_rekor: insert, select, update (dialect attempts due_at failure proof recorded_at)",
            "log_trees: insert, select, update (size root frozen_at is_halted epoch holder \
         held_until planned_ids)",
            "login_codes: delete, insert, select",
            "logout_tokens: delete, insert, select",
            "mail_counts: insert, select, update (started_at mails)",
            "mail_outbox: delete, insert, select, update (attempts due_at)",
            "members: delete, insert, select, update (user_id role status)",
            "operator_keys: insert, select, update (revoked_at)",
            "outbox: delete, insert, select, update (due_at claimed_until claim)",
            "outcomes: insert, select",
            "passkeys: delete, insert, select, update (sign_count name verifies_user is_backed_up \
         last_used_at)",
            "policies: delete, insert, select, update (name description decision_types \
         policy_group_id shadow_mode inheritable regulatory_refs active_version draft_version \
         latest_version was_ratified updated_at)",
            "policy_approvals: insert, select",
            "policy_groups: delete, insert, select, update (code code_key name description \
         updated_at)",
            "policy_hours: insert, select, update (decisions)",
            "policy_snapshots: insert, select",
            "policy_versions: delete, insert, select, update (draft_revision rules rules_digest \
         is_active status change_reason submitted_at submitted_by rejected_at rejected_by \
         rejection_reason ratified_at ratified_by ratification_note activated_at activated_by \
         closed_at closed_by closed_reason makers has_unknown_maker)",
            "public_ids: insert, select",
            "recovery_codes: delete, insert, select",
            "removed_members: delete, insert, select",
            "review_drafts: delete, insert, select, update (submission_id draft saved_at)",
            "review_records: insert, select",
            "review_submissions: insert, select",
            "rollup_cursors: insert, select, update (sequence)",
            "rule_hours: insert, select, update (evaluated violated na outcomes overridden)",
            "saved_filters: delete, insert, select",
            "seaql_migrations: select",
            "search_texts: delete, insert, select, update (name parts)",
            "session_digests: delete, insert, select, update (user_id data seen_at expires_at)",
            "settings: insert, select, update (maker_checker_enabled review_required \
         human_changes_only public_receipt_redaction bundle_include_context alert_min_severity \
         updated_at updated_by sign_in second_factor_required)",
            "sign_in_networks: delete, insert, select, update (seen_at)",
            "snapshot_policies: insert, select",
            "tenant_heads: insert, select, update (audit_seq audit_hash activation_counter)",
            "tenants: insert, select",
            "totp_secrets: delete, insert, select, update (last_step confirmed_at last_used_at)",
            "trust_registries: insert, select",
            "used_challenges: delete, insert, select",
            "users: insert, select, update (email display_name password_hash password_changed_at \
         setup_tenant_id confined_tenant_id time_zone)",
            "version_comments: insert, select, update (resolved_at resolved_by)",
            "webhook_attempts: insert, select",
            "webhook_deliveries: insert, select, update (status attempt_count attempts_total \
         next_attempt_at last_attempt_at last_status_code failure_reason delivered_at)",
            "webhook_subscriptions: delete, insert, select, update (is_active)",
        ]
    );
    let create = "select 'create' where has_schema_privilege('govern_app', 'public', 'create')";
    assert!(texts(&db.owner, create).await.is_empty());
}

#[tokio::test]
async fn verify_role_only_reads_and_sees_no_secrets_or_personal_data() {
    let db = testkit::database::test_database().await;
    assert_eq!(
        texts(&db.owner, &rights("govern_verify")).await,
        [
            "alerts: select",
            "api_keys: select",
            "audit_checkpoints: select",
            "audit_events: select",
            "capability_grants: select",
            "chain_links: select",
            "chain_seals: select",
            "chains: select",
            "codifications: select",
            "decision_hours: select",
            "decision_rules: select",
            "decisions: select",
            "form_submissions: select",
            "latency_hours: select",
            "log_checkpoints: select",
            "log_entries: select",
            "log_nodes: select",
            "log_rekor: select",
            "log_trees: select",
            "members: select",
            "outcomes: select",
            "policies: select",
            "policy_approvals: select",
            "policy_groups: select",
            "policy_hours: select",
            "policy_snapshots: select",
            "policy_versions: select",
            "public_ids: select",
            "review_records: select",
            "review_submissions: select",
            "rollup_cursors: select",
            "rule_hours: select",
            "seaql_migrations: select",
            "settings: select",
            "snapshot_policies: select",
            "tenant_heads: select",
            "tenants: select",
            "trust_registries: select",
            "webhook_attempts: select",
            "webhook_deliveries: select",
        ]
    );
}
