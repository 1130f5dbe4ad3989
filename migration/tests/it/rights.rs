//! Who owns what, who may do what, and which walls stand.

use crate::{APPEND_ONLY, LOG, TENANT_TABLES};
use testkit::database::texts;

const OWNERS: &str = "
    select distinct pg_get_userbyid(relowner)::text from pg_class
    where relnamespace = 'public'::regnamespace";

const WALLED: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity
    order by relname";

const OPEN: &str = "
    select relname::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and relforcerowsecurity)
    order by relname";

const POLICIES: &str = "
    select concat_ws(' ', tablename, policyname, cmd, roles::text, qual, with_check)
    from pg_policies order by tablename, policyname";

const TRIGGERS: &str = "
    select concat_ws(' ', tgrelid::regclass, tgenabled,
        regexp_replace(pg_get_triggerdef(pg_trigger.oid), '^CREATE TRIGGER | ON .* FOR', '', 'g'))
    from pg_trigger where not tgisinternal order by tgrelid::regclass::text, tgname";

/// Rights on a table, and beside them the columns that may be updated.
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
async fn everything_belongs_to_the_owner_who_may_not_pass_the_walls() {
    let db = testkit::database::fresh().await;
    assert_eq!(texts(&db.owner, OWNERS).await, ["govern_owner"]);
    let strong = "select rolname::text from pg_roles
        where rolname like 'govern\\_%' and (rolsuper or rolbypassrls or rolcreaterole)";
    assert!(texts(&db.owner, strong).await.is_empty());
}

#[tokio::test]
async fn every_tenant_table_has_row_security_forced() {
    let db = testkit::database::fresh().await;
    assert_eq!(texts(&db.owner, WALLED).await, TENANT_TABLES);
    // The directory tables are read before the tenant is known. Accounts and their mail, the log and
    // the service's own registry belong to no tenant. The list may only shrink.
    assert_eq!(
        texts(&db.owner, OPEN).await,
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
            "public_ids",
            "seaql_migrations",
            "session_digests",
            "sign_in_networks",
            "tenant_heads",
            "trust_registries",
            "users"
        ]
    );
}

#[tokio::test]
async fn every_tenant_table_admits_the_tenant_of_the_transaction_only() {
    let db = testkit::database::fresh().await;
    let mut expected: Vec<String> = TENANT_TABLES
        .iter()
        .map(|table| {
            let own = "(tenant_id = current_tenant())";
            format!("{table} of_tenant ALL {{public}} {own} {own}")
        })
        .collect();
    expected.push("members of_person SELECT {public} (user_id = current_person())".to_owned());
    let operated = "(current_setting('app.operator'::text, true) = 'on'::text)";
    expected.push(format!("tenants of_operator SELECT {{public}} {operated}"));
    expected.push(
        "tenants of_person SELECT {public} (EXISTS ( SELECT\n   FROM members\n  WHERE \
         ((members.tenant_id = tenants.tenant_id) AND (members.user_id = current_person()))))"
            .to_owned(),
    );
    expected.sort();
    assert_eq!(texts(&db.owner, POLICIES).await, expected);
}

#[tokio::test]
async fn every_append_only_table_has_its_triggers_always_on() {
    let db = testkit::database::fresh().await;
    let checkpoint = "audit_events O every_256th_is_a_checkpoint AFTER INSERT EACH ROW \
         WHEN (((new.seq % (256)::bigint) = 0)) EXECUTE FUNCTION checkpoint_event()";
    let mut expected: Vec<String> = APPEND_ONLY
        .iter()
        .chain(&LOG)
        .chain(&["trust_registries"])
        .flat_map(|table| {
            [
                format!("{table} A rows_are_kept BEFORE DELETE OR UPDATE EACH ROW EXECUTE FUNCTION refuse_change()"),
                format!("{table} A table_is_kept BEFORE TRUNCATE EACH STATEMENT EXECUTE FUNCTION refuse_change()"),
            ]
        })
        .collect();
    expected.push(checkpoint.to_owned());
    // What people were asked about, and what is closed, changes as little.
    expected.extend(
        [
            "closed_is_kept BEFORE UPDATE EACH ROW WHEN ((old.status = ANY (ARRAY['replaced'::text, \
             'set_aside'::text])))",
            "rules_are_fixed BEFORE UPDATE EACH ROW WHEN (((old.status <> 'draft'::text) AND \
             (((old.rules IS DISTINCT FROM new.rules) OR (old.rules_digest IS DISTINCT FROM \
             new.rules_digest)) OR (old.draft_revision IS DISTINCT FROM new.draft_revision))))",
        ]
        .map(|trigger| format!("policy_versions A {trigger} EXECUTE FUNCTION refuse_change()")),
    );
    expected.push(
        "chains A sealed_is_kept BEFORE UPDATE EACH ROW WHEN (old.is_sealed) EXECUTE FUNCTION \
         refuse_change()"
            .to_owned(),
    );
    expected.extend(
        [
            "a_tree_grows BEFORE UPDATE EACH ROW WHEN (((old.frozen_at IS NOT NULL) OR (new.size < \
             old.size) OR (old.is_doubted AND (NOT new.is_doubted))))",
            "table_is_kept BEFORE TRUNCATE EACH STATEMENT",
            "trees_are_kept BEFORE DELETE EACH ROW",
        ]
        .map(|trigger| format!("log_trees A {trigger} EXECUTE FUNCTION refuse_change()")),
    );
    expected.extend(
        [
            "rows_are_kept BEFORE DELETE EACH ROW",
            "table_is_kept BEFORE TRUNCATE EACH STATEMENT",
            "what_is_proven_stays BEFORE UPDATE EACH ROW WHEN ((old.proof IS NOT NULL))",
        ]
        .map(|trigger| format!("log_rekor A {trigger} EXECUTE FUNCTION refuse_change()")),
    );
    expected.extend(
        [
            "acknowledged_is_kept BEFORE UPDATE EACH ROW WHEN ((old.acknowledged_at IS NOT NULL))",
            "rows_are_kept BEFORE DELETE EACH ROW",
            "table_is_kept BEFORE TRUNCATE EACH STATEMENT",
        ]
        .map(|trigger| format!("alerts A {trigger} EXECUTE FUNCTION refuse_change()")),
    );
    // What is due to be logged comes with the act, and so does what people should look at.
    expected.extend(
        [
            "audit_checkpoints O checkpoints_are_logged AFTER INSERT EACH ROW EXECUTE FUNCTION log_audit_checkpoint()",
            "chain_seals O seals_are_logged AFTER INSERT EACH ROW EXECUTE FUNCTION log_digest('chain_seal')",
            "alerts O deliveries_are_queued AFTER INSERT EACH STATEMENT EXECUTE FUNCTION queue_deliveries()",
            "decisions O alerts_are_raised AFTER INSERT EACH STATEMENT EXECUTE FUNCTION raise_alerts()",
            "decisions O receipts_are_logged AFTER INSERT EACH STATEMENT EXECUTE FUNCTION log_decisions()",
            "policy_approvals O approvals_are_logged AFTER INSERT EACH ROW EXECUTE FUNCTION log_digest('policy_approval')",
            "trust_registries O versions_are_logged AFTER INSERT EACH ROW EXECUTE FUNCTION log_digest('trust_registry')",
        ]
        .map(str::to_owned),
    );
    // Beside the walls: what keeps the side tables of lists.
    expected.extend(
        [
            "decisions O rules_are_indexed AFTER INSERT EACH STATEMENT EXECUTE FUNCTION index_decisions()",
            "policy_snapshots O policies_are_indexed AFTER INSERT EACH STATEMENT EXECUTE FUNCTION index_snapshots()",
        ]
        .map(str::to_owned),
    );
    // A change of a password makes sessions of the one before void.
    expected.push(
        "users O password_is_numbered BEFORE UPDATE OF password_hash EACH ROW EXECUTE FUNCTION \
         number_password()"
            .to_owned(),
    );
    expected.sort();
    let mut triggers = texts(&db.owner, TRIGGERS).await;
    triggers.sort();
    assert_eq!(triggers, expected);
}

#[tokio::test]
async fn the_service_may_do_what_it_does_and_no_more() {
    let db = testkit::database::fresh().await;
    assert_eq!(
        texts(&db.owner, &rights("govern_app")).await,
        [
            "account_links: delete, insert, select",
            "alerts: insert, select, update (acknowledged_at acknowledged_by)",
            "api_keys: insert, select, update (last_used_at is_active created_by revoked_at revoked_by \
         owner)",
            "audit_checkpoints: insert, select",
            "audit_events: insert, select",
            "audit_personal: delete, insert, select",
            "capability_grants: insert, select, update (uses revoked_at revoked_by carried_to \
         carried_at)",
            "chain_links: insert, select",
            "chain_seals: insert, select",
            "chains: insert, select, update (links head highest_step is_sealed)",
            "codifications: insert, select",
            "decision_hours: insert, select, update (decisions)",
            "decision_rules: insert, select",
            "decisions: insert, select",
            "form_submissions: insert, select",
            "form_tokens: insert, select, update (uses revoked_at)",
            "forms: delete, insert, select, update (title description decision_type fields \
         access_mode password_hash is_published budget_limit budget_window window_start \
         tokens_used submissions branding success_message updated_at)",
            "key_digests: insert, select, update (owner revoked_at)",
            "latency_hours: insert, select, update (decisions)",
            "log_checkpoints: insert, select",
            "log_entries: insert, select",
            "log_nodes: insert, select",
            "log_pending: delete, insert, select",
            "log_rekor: insert, select, update (dialect attempts due_at failure proof recorded_at)",
            "log_trees: insert, select, update (size root frozen_at is_doubted epoch holder \
         held_until planned)",
            "mail_outbox: delete, insert, select, update (attempts due_at)",
            "members: delete, insert, select, update (user_id role status)",
            "operator_keys: insert, select, update (revoked_at)",
            "outbox: delete, insert, select, update (due_at held_till claim)",
            "outcomes: insert, select",
            "policies: delete, insert, select, update (name description decision_types \
         policy_group_id shadow_mode inheritable regulatory_refs active_version draft_version \
         latest_version ratified_ever updated_at)",
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
            "review_records: insert, select",
            "review_submissions: insert, select",
            "rollup_marks: insert, select, update (sequence)",
            "rule_hours: insert, select, update (evaluated violated na outcomes overridden)",
            "saved_filters: delete, insert, select",
            "seaql_migrations: select",
            "session_digests: delete, insert, select, update (user_id data expires_at seen_at)",
            "settings: insert, select, update (maker_checker_enabled review_required \
         public_receipt_redaction bundle_include_context alert_min_severity updated_at updated_by \
         human_changes_only)",
            "sign_in_networks: delete, insert, select, update (seen_at)",
            "snapshot_policies: insert, select",
            "tenant_heads: insert, select, update (audit_seq audit_hash activation_counter)",
            "tenants: insert, select",
            "trust_registries: insert, select",
            "users: insert, select, update (email display_name password_hash password_changed_at \
         setup_tenant_id confined_tenant_id)",
            "webhook_attempts: insert, select",
            "webhook_deliveries: insert, select, update (status attempt_count attempts_ever \
         next_attempt_at last_attempt_at last_status_code failure_reason delivered_at)",
            "webhook_subscriptions: delete, insert, select, update (is_active)",
        ]
    );
    let create = "select 'create' where has_schema_privilege('govern_app', 'public', 'create')";
    assert!(texts(&db.owner, create).await.is_empty());
}

#[tokio::test]
async fn the_auditor_reads_and_neither_secrets_nor_people() {
    let db = testkit::database::fresh().await;
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
            "rollup_marks: select",
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
