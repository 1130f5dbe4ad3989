-- Selects the parts of the decision list other than its rows. Parts with several rows are JSON. `$2` and `$3` are
-- the start and the end of the span, `$4` is the length of a bucket in seconds, `$5`, `$6` and `$7` are policy,
-- version and verdict or null, `$8` and `$9` limit the lists, and `$10` is the user. The counts of each policy are
-- a range of its index. SQL, because all parts take one round trip and are of one state of the database.
WITH hours AS (SELECT
floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, decision,
sum(decisions)::bigint AS decisions FROM (
  SELECT hour, decision, decisions FROM decision_hours
  WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 AND $5::uuid IS NULL UNION ALL
  SELECT hour, decision, decisions FROM policy_hours
  WHERE tenant_id = $1 AND policy_id = $5 AND hour >= $2 AND hour < $3
  AND ($6::integer IS NULL OR version = $6)) h
GROUP BY 1, 2),
by_policy AS (SELECT p.id, p.name, h.decisions FROM policies p CROSS JOIN LATERAL (
  SELECT sum(decisions)::bigint AS decisions FROM policy_hours
  WHERE tenant_id = $1 AND policy_id = p.id AND hour >= $2 AND hour < $3
  AND ($7::text IS NULL OR decision = $7)) h
WHERE p.tenant_id = $1 AND h.decisions > 0
ORDER BY h.decisions DESC, p.name, p.id LIMIT $8),
by_rule AS (SELECT rule_code, sum(violated)::bigint AS violated FROM rule_hours
WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 AND violated > 0
AND ($5::uuid IS NULL OR policy_id = $5) AND ($6::integer IS NULL OR version = $6)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $8),
choices AS (SELECT id, name, decision_types FROM policies
WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT $9)
SELECT coalesce((SELECT sequence FROM rollup_cursors WHERE tenant_id = $1), 0) < t.audit_seq,
{mark},
(SELECT coalesce(json_agg(json_build_array(bucket, decision, decisions)), '[]')::text
  FROM hours),
(SELECT coalesce(json_agg(json_build_array(id, name, decisions)
  ORDER BY decisions DESC, name, id), '[]')::text FROM by_policy),
(SELECT coalesce(json_agg(json_build_array(rule_code, violated)
  ORDER BY violated DESC, rule_code), '[]')::text FROM by_rule),
(SELECT coalesce(json_agg(json_build_array(id, name, decision_types) ORDER BY name, id),
  '[]')::text FROM choices),
(SELECT coalesce(json_agg(json_build_array(id, name, query) ORDER BY name), '[]')::text
  FROM saved_filters WHERE tenant_id = $1 AND user_id = $10)
FROM tenant_heads t WHERE t.tenant_id = $1
