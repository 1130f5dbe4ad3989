-- Selects all parts of the overview; parts with several rows are JSON. `$2` and `$3` are the start and the end of
-- the span, `$4` is the length of a bucket in seconds, `$5` the start of the previous span, whose buckets have
-- negative indexes, `$6` the policy or null, `$7` the length of a list of rules, `$8` that of the list of changes,
-- and `$9` the limit of the counts of alerts. SQL, because all parts take one round trip and are of one state of
-- the database. Each list is limited here, because a tenant may have thousands of rules.
--
-- The tenant can read the name of an inherited policy only from the newest snapshot that contains it. The object
-- of an event is converted to an ID only after the events are filtered, because other objects have no ID. The time
-- of changes is filtered last: the span contains many more decisions than a tenant has changes, and the index of
-- actions omits decisions.
WITH verdicts AS (SELECT
floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, decision, is_shadow,
sum(decisions)::bigint AS decisions FROM (
  SELECT hour, decision, is_shadow, decisions FROM decision_hours
  WHERE tenant_id = $1 AND hour >= $5 AND hour < $3 AND $6::uuid IS NULL UNION ALL
  SELECT hour, decision, is_shadow, decisions FROM policy_hours
  WHERE tenant_id = $1 AND policy_id = $6 AND hour >= $5 AND hour < $3) h
GROUP BY 1, 2, 3),
latency AS (SELECT floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket,
step, sum(decisions)::bigint AS decisions FROM latency_hours
WHERE tenant_id = $1 AND hour >= $5 AND hour < $3 AND $6::uuid IS NULL GROUP BY 1, 2),
sums AS (SELECT policy_id, version, rule_code, is_shadow,
sum(evaluated)::bigint AS evaluated, sum(violated)::bigint AS violated,
sum(na)::bigint AS na, sum(outcomes)::bigint AS outcomes,
sum(overridden)::bigint AS overridden FROM rule_hours
WHERE tenant_id = $1 AND hour >= $2 AND hour < $3
AND ($6::uuid IS NULL OR policy_id = $6) GROUP BY 1, 2, 3, 4),
ranked AS (SELECT *,
row_number() OVER (ORDER BY violated DESC, rule_code, policy_id, version DESC) AS top,
row_number() OVER (ORDER BY overridden DESC, outcomes DESC, rule_code, policy_id, version DESC)
AS overruled,
row_number() OVER (ORDER BY evaluated > 0, na DESC, rule_code, policy_id, version DESC) AS silent,
(sum(violated) OVER ())::bigint AS violations, (sum(outcomes) OVER ())::bigint AS known,
(sum(overridden) OVER ())::bigint AS overrides
FROM sums),
all_changes AS MATERIALIZED (SELECT seq, occurred_at, action, actor_id, object_id::uuid AS object_id
FROM audit_events WHERE tenant_id = $1
AND action IN ('policy_version.activate', 'policy.deactivate')),
changes AS (SELECT * FROM all_changes WHERE occurred_at >= $2 AND occurred_at < $3),
rules AS (SELECT r.*, coalesce(p.name, (SELECT policy ->> 'name' FROM snapshot_policies s
JOIN policy_snapshots b ON b.tenant_id = s.tenant_id AND b.id = s.snapshot_id
CROSS JOIN jsonb_array_elements(b.body::jsonb -> 'policies') policy
WHERE s.tenant_id = $1 AND s.policy_id = r.policy_id
AND policy ->> 'policy_id' = r.policy_id::text ORDER BY b.created_at DESC LIMIT 1),
r.policy_id::text) AS policy_name FROM ranked r
LEFT JOIN policies p ON p.tenant_id = $1 AND p.id = r.policy_id
WHERE least(top, overruled, silent) <= $7)
SELECT coalesce((SELECT sequence FROM rollup_cursors WHERE tenant_id = $1), 0)
  < (SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1),
count(*) FILTER (WHERE shadow_mode AND active_version IS NOT NULL),
count(*) > 0, count(active_version) > 0,
EXISTS (SELECT FROM api_keys WHERE tenant_id = $1),
(SELECT max(sequence) FROM decisions WHERE tenant_id = $1) IS NULL,
(SELECT count(*) FROM (SELECT 1 FROM alerts
  WHERE tenant_id = $1 AND created_at >= $5 AND created_at < $2
  ORDER BY created_at LIMIT $9) previous),
(SELECT count(*) FROM (SELECT 1 FROM alerts
  WHERE tenant_id = $1 AND created_at >= $2 AND created_at < $3
  ORDER BY created_at LIMIT $9) current),
coalesce(json_agg(json_build_array(id, name) ORDER BY name, id), '[]')::text,
(SELECT coalesce(json_agg(json_build_array(bucket, decision, is_shadow, decisions)), '[]')::text
  FROM verdicts),
(SELECT coalesce(json_agg(json_build_array(bucket, step, decisions) ORDER BY bucket, step),
  '[]')::text FROM latency),
(SELECT coalesce(json_agg(r), '[]')::text FROM rules r),
(SELECT coalesce(json_agg(c), '[]')::text FROM (
  SELECT (extract(epoch FROM c.occurred_at) * 1000)::bigint AS at, p.id AS policy_id,
  p.name AS policy_name, v.version, coalesce((SELECT u.display_name FROM members m
  JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 AND m.user_id::text = c.actor_id),
  (SELECT k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id::text = c.actor_id)) AS by
  FROM changes c
  LEFT JOIN policy_versions v ON v.tenant_id = $1 AND v.id = c.object_id
  JOIN policies p ON p.tenant_id = $1 AND p.id = coalesce(v.policy_id, c.object_id)
  WHERE $6::uuid IS NULL OR p.id = $6 ORDER BY c.seq DESC LIMIT $8) c)
FROM policies WHERE tenant_id = $1
