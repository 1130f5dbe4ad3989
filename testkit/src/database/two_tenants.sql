-- Inserts one row into every table for each of two tenants. Each tenant has one user.

insert into users (user_id, email, display_name, created_at) values
    ('cccccccc-0000-4000-8000-000000000000', 'ada@example.com', 'Ada', now()),
    ('dddddddd-0000-4000-8000-000000000000', 'ben@example.com', 'Ben', now());

create temp table pair as
    select * from (values
        ('aaaaaaaa-0000-4000-8000-000000000000'::uuid, 'cccccccc-0000-4000-8000-000000000000'::uuid),
        ('bbbbbbbb-0000-4000-8000-000000000000'::uuid, 'dddddddd-0000-4000-8000-000000000000'::uuid)
    ) as pair (tenant, person);

insert into tenants (tenant_id, name, created_at) select tenant, 'tenant', now() from pair;
insert into tenant_heads (tenant_id, email_salt, audit_salt) select tenant, '00', '00' from pair;
insert into members (tenant_id, user_id, role, status, created_at, sequence)
    select tenant, person, 'admin', 'active', now(), 1 from pair;
insert into saved_filters (tenant_id, user_id, id, name, query, created_at)
    select tenant, person, tenant, 'filter', 'verdict=DENY', now() from pair;
insert into settings (tenant_id, updated_at) select tenant, now() from pair;
insert into identity_providers (tenant_id, id, sequence, name, issuer, client_id, scopes, email_domains,
    trusts_email_domains, mapped_values, mapped_roles, is_enabled, created_at, updated_at)
    select tenant, tenant, 1, 'provider', 'https://login.example.com', 'govern', '{}', '{}', false, '{}', '{}',
        true, now(), now() from pair;
insert into identities (tenant_id, provider_id, subject, user_id, created_at)
    select tenant, tenant, 'subject', person, now() from pair;
insert into logout_tokens (tenant_id, provider_id, token_id, expires_at)
    select tenant, tenant, 'token', now() from pair;
insert into mail_counts (tenant_id, kind, subject, started_at, mails)
    select tenant, 'mention_by', person, now(), 1 from pair;
insert into removed_members (tenant_id, user_id, removed_at)
    select tenant, person, now() from pair;
insert into api_keys (tenant_id, id, name, key_preview, scopes, is_active, created_at, sequence)
    select tenant, tenant, 'key', 'svc_', '{}', true, now(), 1 from pair;
insert into key_digests (digest, tenant_id, api_key_id, key_name, scopes)
    select uuid_send(tenant), tenant, tenant, 'key', '{}' from pair;
insert into operator_keys (digest, id, name, key_preview, created_at)
    select uuid_send(tenant), tenant, 'key', 'svc_', now() from pair;
insert into session_digests (digest, user_id, data, expires_at)
    select uuid_send(person), person, '', now() from pair;
insert into login_codes (tenant_id, digest, user_id, session_id, auth_method, challenge, key_name, key_scopes,
    expires_at)
    select tenant, uuid_send(tenant), person, tenant, 'password', sha256(uuid_send(tenant)), 'key', '{}', now()
    from pair;
insert into sign_in_networks (user_id, network, seen_at)
    select person, uuid_send(person), now() from pair;
insert into account_links (digest, user_id, purpose, is_mailed, created_at, expires_at)
    select uuid_send(person), person, 'reset', true, now(), now() from pair;
insert into passkeys (passkey_id, user_id, credential_id, public_key, sign_count, name, verifies_user,
    is_backed_up, transports, created_at)
    select person, person, uuid_send(person), '', 0, 'passkey', true, true, '{}', now() from pair;
insert into totp_secrets (user_id, secret, secret_key, created_at) select person, '', 1, now() from pair;
insert into recovery_codes (user_id, digest, created_at) select person, uuid_send(person), now() from pair;
insert into used_challenges (challenge, expires_at) select uuid_send(person), now() from pair;
insert into mail_outbox (id, user_id, email, letter, created_at, due_at)
    select person, person, 'ada@example.com', '{}', now(), now() from pair;
insert into policy_groups (tenant_id, id, sequence, code, code_key, name, created_at, updated_at)
    select tenant, tenant, 1, 'G', 'g', 'group', now(), now() from pair;
insert into policies (tenant_id, id, sequence, code, code_key, name, decision_types, shadow_mode,
    inheritable, regulatory_refs, created_at, updated_at)
    select tenant, tenant, 1, 'P', 'p', 'policy', '{}', false, false, '{}', now(), now() from pair;
insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules, rules_digest,
    is_active, status, created_at, makers)
    select tenant, tenant, 1, tenant, 1, '[]', '', false, 'draft', now(), '{}' from pair;
insert into review_submissions (tenant_id, id, policy_id, policy_version_id, version, sequence,
    candidate_revision, rules_digest, sealed, digest, sealed_at, sealed_by)
    select tenant, tenant, tenant, tenant, 1, 1, 1, 'd', '{}', 'd', now(), 's' from pair;
insert into review_records (tenant_id, id, submission_id, verdict, recorded_at, recorded_by, record,
    digest)
    select tenant, tenant, tenant, 'ACCEPT', now(), 'r', '{}', 'd' from pair;
insert into review_drafts (tenant_id, user_id, policy_version_id, submission_id, draft, saved_at)
    select tenant, person, tenant, tenant, '{}', now() from pair;
insert into version_comments (tenant_id, id, policy_version_id, draft_revision, text, author, created_at)
    select tenant, tenant, tenant, 1, 'comment', person, now() from pair;
insert into comment_mentions (tenant_id, user_id, comment_id) select tenant, person, tenant from pair;
insert into policy_approvals (tenant_id, policy_id, version, policy_version_id, statement, digest,
    submission_id, accept_record_id, ratified_at)
    select tenant, tenant, 1, tenant, '{}', repeat('d', 64), tenant, tenant, now() from pair;
insert into capability_grants (tenant_id, id, sequence, root_id, depth, api_key_id, policy_id,
    policy_version_id, version, actions, issued_by, issued_at, statement, digest)
    select tenant, tenant, 1, tenant, 1, tenant, tenant, tenant, 1, '{policy.read}', person, now(),
        '{}', 'd' from pair;
insert into codifications (tenant_id, policy_id, version, draft_revision, created_at)
    select tenant, tenant, 1, 1, now() from pair;
insert into policy_snapshots (tenant_id, id, digest, body, evaluated_rules_hash, created_at)
    select tenant, tenant, 'd', format('{"policies":[{"policy_id":"%s","version":1}]}', tenant), 'h',
        now() from pair;
insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest, decision_type,
    decision, correlation_id, policy_id, policy_version, snapshot_id, policy_ids, rule_codes,
    recorded_at, texts, receipt_digest)
    select tenant, tenant, 1, 'k', sha256('d'), 't', 'ALLOW', 'c', tenant, 1, tenant, array[tenant], '{R}',
        now(), convert_to(E'{}\n{}\n{}\n{}', 'UTF8'), sha256('d') from pair;
insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
    select tenant, 'R', 1, tenant from pair;
insert into alerts (tenant_id, id, alert_type, severity, message, decision_id, decision_type, data,
    created_at)
    select tenant, tenant, 'policy_violation', 'high', 'm', tenant, 't', '{}', now() from pair;
insert into forms (tenant_id, id, sequence, policy_id, title, decision_type, fields, access_mode,
    is_published, budget_limit, budget_window, window_start, tokens_used, submissions, branding,
    language, created_at, updated_at)
    select tenant, tenant, 1, tenant, 'T', 't', '[]', 'open', true, 1, 'day', now(), 0, 1, '{}', 'auto',
        now(), now() from pair;
insert into form_tokens (tenant_id, id, form_id, digest, uses, created_at)
    select tenant, tenant, tenant, 'd', 0, now() from pair;
insert into form_submissions (tenant_id, form_id, decision_id) select tenant, tenant, tenant from pair;
insert into webhook_subscriptions (tenant_id, id, sequence, webhook_url, decision_types, severity_min,
    secret, secret_key, created_at)
    select tenant, tenant, 1, 'https://hooks.example.com/', '{}', 'low', 'sealed', 1, now() from pair;
insert into webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, next_attempt_at, created_at)
    select tenant, tenant, tenant, tenant, '{}', now(), now() from pair;
insert into webhook_attempts (tenant_id, delivery_id, number, attempt, at, duration_ms)
    select tenant, tenant, 1, 1, now(), 1 from pair;
insert into outbox (tenant_id, id, subscription_id, due_at) select tenant, tenant, tenant, now() from pair;
insert into outcomes (tenant_id, decision_id, sequence, status, recorded_at, record)
    select tenant, tenant, 1, 'accepted', now(), '{}' from pair;
insert into chains (tenant_id, id) select tenant, tenant from pair;
insert into chain_links (tenant_id, chain_id, position, step, decision_id, sequence, link, hash, prev)
    select tenant, tenant, 1, 1, tenant, 1, '{}', 'h', '' from pair;
insert into chain_seals (tenant_id, chain_id, seal, digest, sealed_at)
    select tenant, tenant, '{}', repeat('d', 64), now() from pair;
insert into public_ids (id, tenant_id, kind) select tenant, tenant, 'decision' from pair;
insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type, actor_id,
    object_type, object_id, event, hash, prev)
    select tenant, 1, tenant, now(), 'a', 'system', 's', 'o', 'o', '{}', sha256('h'), '' from pair;
insert into audit_personal (tenant_id, seq, personal) select tenant, 1, '{}' from pair;
insert into audit_checkpoints (tenant_id, seq, hash) select tenant, 1, sha256('h') from pair;

insert into rollup_cursors (tenant_id, sequence) select tenant, 1 from pair;
insert into decision_hours (tenant_id, hour, decision, is_shadow, decisions)
    select tenant, now(), 'ALLOW', false, 1 from pair;
insert into policy_hours (tenant_id, policy_id, hour, version, decision, is_shadow, decisions)
    select tenant, tenant, now(), 1, 'ALLOW', false, 1 from pair;
insert into rule_hours (tenant_id, hour, policy_id, version, rule_code, is_shadow, evaluated,
    violated, na, outcomes, overridden)
    select tenant, now(), tenant, 1, 'R', false, 1, 0, 0, 0, 0 from pair;
insert into latency_hours (tenant_id, hour, step, decisions) select tenant, now(), 0, 1 from pair;

-- The tables of the transparency log and of the trust registry belong to no tenant: one row each.
insert into log_trees (number, origin, tree_id, vkey, size, root, began_at)
    values (1, 'log.example/1', repeat('1', 16), 'v', 1, repeat('d', 64), now());
insert into log_entries (tree, index, data, leaf_hash) values (1, 0, '{}', 'd');
insert into log_nodes (tree, level, index, hash) values (1, 1, 0, 'd');
insert into log_checkpoints (tree, size, epoch, note, signed_at) values (1, 1, 1, 'n', now());
insert into log_rekor (tree, size, dialect, begun_at, due_at, proof, recorded_at)
    values (1, 1, 'v2', now(), now(), '{}', now());
insert into trust_registries (version, envelope, digest) values (1, '{}', repeat('d', 64));

drop table pair;
