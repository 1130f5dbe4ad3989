-- The rows of one record, written by a plain client: first the rows that need no sequence number of the tenant,
-- then the head row, then the rest. Values of the pattern are named table_column.
\set n :client_id % :tenants
BEGIN;
SELECT set_config('app.tenant', tenant::text, true), tenant, snapshot, gen_random_uuid() AS id FROM bench_tenants WHERE n = :n \gset
INSERT INTO public_ids (id, tenant_id, kind) VALUES (:id, :tenant, 'decision');
UPDATE tenant_heads SET audit_seq = audit_seq + 1, audit_hash = sha256((audit_seq + 1)::text::bytea) WHERE tenant_id = :tenant RETURNING audit_seq AS seq, audit_hash AS hash, CASE audit_seq WHEN 1 THEN '' ELSE sha256((audit_seq - 1)::text::bytea) END AS prev \gset
INSERT INTO decisions (tenant_id, id, sequence, idempotency_key, request_digest, decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, actor_id, policy_ids, rule_codes, recorded_at, texts, receipt_digest, signature, kid) VALUES (:tenant, :id, :seq, gen_random_uuid()::text, :decision_request_digest, :decision_decision_type, :decision_decision, gen_random_uuid()::text, :decision_policy_id, :decision_policy_version, :snapshot, :decision_actor_id, :decision_policy_ids, :decision_rule_codes, now(), :decision_texts, :decision_receipt_digest, :decision_signature, :decision_kid);
INSERT INTO log_pending (kind, digest) VALUES ('receipt', :decision_receipt_digest);
INSERT INTO audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type, actor_id, object_type, object_id, event, hash, prev) VALUES (:tenant, :seq, gen_random_uuid(), now(), :event_action, :event_actor_type, :event_actor_id, :event_object_type, :id, :event_event, :hash, :prev);
INSERT INTO audit_personal (tenant_id, seq, personal) VALUES (:tenant, :seq, :personal_personal);
COMMIT;
