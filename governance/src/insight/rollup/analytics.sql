-- Sums the figures of a policy by group. There is no row if the policy does not exist. SQL, because all sums take
-- one round trip and are of one state of the database.
WITH verdicts AS (
SELECT floor(extract(epoch FROM hour - $3) / $5)::bigint AS bucket, decision,
sum(decisions)::bigint AS decisions FROM policy_hours
WHERE tenant_id = $1 AND policy_id = $2 AND hour >= $3 AND hour < $4 GROUP BY 1, 2),
rules AS (SELECT rule_code, sum(evaluated)::bigint AS evaluated,
sum(violated)::bigint AS violated, sum(na)::bigint AS na, sum(outcomes)::bigint AS outcomes,
sum(overridden)::bigint AS overridden FROM rule_hours
WHERE tenant_id = $1 AND policy_id = $2 AND hour >= $3 AND hour < $4 GROUP BY rule_code)
SELECT coalesce((SELECT sequence FROM rollup_cursors WHERE tenant_id = $1), 0)
  < (SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1),
(SELECT coalesce(json_agg(json_build_array(bucket, decision, decisions)), '[]')::text
  FROM verdicts),
(SELECT coalesce(json_agg(r ORDER BY rule_code), '[]')::text FROM rules r)
FROM policies WHERE tenant_id = $1 AND id = $2
