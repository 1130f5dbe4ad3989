-- Selects the rules with the most open alerts and the counts of open alerts. Each row has a rule and the same
-- counts; without rules, there is one row. SQL, because all of it takes one round trip.
WITH open AS MATERIALIZED (
  SELECT sequence, severity, rule_codes, created_at FROM alerts
    WHERE tenant_id = $1 AND acknowledged_at IS NULL
      AND (snoozed_until IS NULL OR snoozed_until <= $2)
    ORDER BY sequence DESC LIMIT $4),
rules AS (SELECT r.rule, max(severity_rank(o.severity)) AS rank, count(*) AS alerts,
    max(o.created_at) AS newest, max(o.sequence) AS last
  FROM open o CROSS JOIN LATERAL unnest(o.rule_codes) AS r(rule)
  GROUP BY r.rule ORDER BY rank DESC, alerts DESC, r.rule LIMIT $3)
SELECT (SELECT count(*) FROM open WHERE severity = 'critical'),
  (SELECT min(d.last_attempt_at) FROM webhook_deliveries d JOIN webhook_subscriptions s
    ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id
    WHERE d.tenant_id = $1 AND d.status = 'dead'),
  r.rule, (array['low', 'medium', 'high', 'critical'])[r.rank], r.alerts, r.newest,
  (SELECT f.rule ->> 'name' FROM alerts a
    JOIN decisions d ON d.tenant_id = $1 AND d.id = a.decision_id
    JOIN policy_snapshots s ON s.tenant_id = $1 AND s.id = d.snapshot_id
    CROSS JOIN LATERAL json_array_elements(s.body::json -> 'policies') AS e(policy)
    CROSS JOIN LATERAL json_array_elements(e.policy -> 'rules') AS f(rule)
    WHERE a.tenant_id = $1 AND a.sequence = r.last AND f.rule ->> 'code' = r.rule LIMIT 1)
FROM (SELECT 1) AS one LEFT JOIN rules r ON true
ORDER BY r.rank DESC, r.alerts DESC, r.rule
