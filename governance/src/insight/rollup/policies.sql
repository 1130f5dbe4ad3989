-- Selects all figures of the page of policies. The parts with several rows are JSON, with times in milliseconds.
-- `$2` are the policies, `$3` and `$4` are the start and the end of the span, and `$5` is the length of a bucket
-- in seconds. SQL, because all figures take one round trip.
WITH listed AS (
SELECT id, active_version, draft_version, latest_version FROM policies
WHERE tenant_id = $1 AND id = ANY ($2)),
changes AS (SELECT l.id, e.occurred_at, coalesce(u.display_name, k.name) AS name FROM listed l
CROSS JOIN LATERAL (SELECT n.occurred_at, n.actor_id FROM (
  SELECT l.id::text AS object_id UNION ALL SELECT v.id::text FROM policy_versions v
  WHERE v.tenant_id = $1 AND v.policy_id = l.id
  AND v.version IN (l.latest_version, l.active_version, l.draft_version)) o
CROSS JOIN LATERAL (SELECT seq, occurred_at, actor_id FROM audit_events
  WHERE tenant_id = $1 AND object_id = o.object_id AND action <> 'decision.record'
  ORDER BY seq DESC LIMIT 1) n
ORDER BY n.seq DESC LIMIT 1) e
LEFT JOIN members m ON m.tenant_id = $1 AND m.user_id::text = e.actor_id
LEFT JOIN users u ON u.user_id = m.user_id
LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id::text = e.actor_id),
figures AS (SELECT l.id, (extract(epoch FROM v.activated_at) * 1000)::bigint AS active_since,
(extract(epoch FROM c.occurred_at) * 1000)::bigint AS changed_at, c.name FROM listed l
LEFT JOIN policy_versions v ON v.tenant_id = $1 AND v.policy_id = l.id AND v.version = l.active_version
LEFT JOIN changes c ON c.id = l.id),
totals AS (SELECT policy_id, floor(extract(epoch FROM hour - $3) / $5)::bigint AS bucket,
sum(decisions)::bigint AS decisions,
coalesce(sum(decisions) FILTER (WHERE decision = 'DENY'), 0)::bigint AS denied FROM policy_hours
WHERE tenant_id = $1 AND policy_id = ANY ($2) AND hour >= $3 AND hour < $4 GROUP BY 1, 2)
SELECT count(*), count(active_version), count(draft_version),
(SELECT coalesce(json_agg(json_build_array(id, active_since, changed_at, name)), '[]')::text
  FROM figures),
(SELECT coalesce(json_agg(json_build_array(policy_id, bucket, decisions, denied)), '[]')::text
  FROM totals)
FROM policies WHERE tenant_id = $1
