-- Drops everything that the migration creates. The procedures and functions follow the tables that use them.
revoke select on seaql_migrations from govern_app, govern_verify;
-- The bodies of these functions depend on the table that they read.
drop function search_any, search_first, search_matches;
drop table search_texts, login_codes, used_challenges, recovery_codes, totp_secrets, passkeys, logout_tokens,
    identities, identity_providers, log_rekor, trust_registries, log_checkpoints, log_nodes, log_entries,
    log_trees, log_pending, form_submissions, form_tokens, forms, outbox, webhook_attempts, webhook_deliveries,
    webhook_subscriptions, latency_hours, rule_hours, policy_hours, decision_hours, rollup_cursors, alerts,
    chain_seals, chain_links, chains, saved_filters, public_ids, outcomes, decision_rules, decisions,
    capability_grants, policy_approvals, comment_mentions, version_comments, review_drafts, review_records,
    review_submissions, snapshot_policies, policy_snapshots, codifications, policy_versions, policies,
    policy_groups, audit_checkpoints, audit_personal, audit_events, operator_keys, key_digests, api_keys,
    mail_counts, mail_outbox, removed_members, settings, members, tenant_heads, tenants, sign_in_networks,
    session_digests, account_links, users;
drop function index_rule_texts, index_form_text, index_policy_text, rule_search_parts, policy_search_parts,
    search_grams, queue_checkpoint_for_log, audit_checkpoint_digest, queue_digest_for_log,
    queue_webhook_deliveries, alert_body, alert_json, format_timestamp, record_group, severity_rank,
    unassign_alerts, index_snapshot_policies, create_audit_checkpoint, api_keys_by_digest, record_key_use,
    increment_password_generation, fold_rule_texts, fold_text, reject_change, current_group, current_user_id,
    current_tenant;
drop procedure enforce_append_only, enforce_tenant_isolation;
