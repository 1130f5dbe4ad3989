-- Selects the counts of open work. Each row has an open version and the same counts; without open versions, there
-- is one row. One row has the mentions and the alerts of the user, so that they are not repeated. SQL, because
-- every page of a tenant runs it, in one round trip.
SELECT v.*, t.maker_checker_enabled, t.review_required,
CASE WHEN row_number() OVER () = 1 THEN {mentions} END,
CASE WHEN row_number() OVER () = 1 THEN {assigned} END,
(SELECT count(*) FROM (SELECT 1 FROM alerts a
  WHERE a.tenant_id = $1 AND a.acknowledged_at IS NULL
  AND (a.snoozed_until IS NULL OR a.snoozed_until <= $5)
  ORDER BY a.sequence DESC LIMIT $7) open),
(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d JOIN webhook_subscriptions s
  ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id
  WHERE d.tenant_id = $1 AND d.status = 'dead' AND $6 LIMIT $7) dead),
(SELECT count(*) FROM (SELECT 1 FROM alerts a
  WHERE a.tenant_id = $1 AND a.acknowledged_at IS NULL
  AND a.snoozed_until > $5 ORDER BY a.snoozed_until LIMIT $7) snoozed),
{mark}
FROM settings t LEFT JOIN LATERAL ({open}) v ON true WHERE t.tenant_id = $1
