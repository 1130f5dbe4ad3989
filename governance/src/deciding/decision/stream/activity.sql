-- Counts new decisions, alerts and deliveries, and open alerts, each up to a limit. SQL, because each page of a
-- stream runs it, and all counts take one round trip. With an order, each count uses the index of that order.
SELECT
(SELECT count(*) FROM (SELECT 1 FROM decisions
    WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $4) new_decisions),
(SELECT count(*) FROM (SELECT 1 FROM alerts
    WHERE tenant_id = $1 AND sequence > $3 ORDER BY sequence LIMIT $4) new_alerts),
(SELECT count(*) FROM (SELECT 1 FROM alerts WHERE tenant_id = $1 AND acknowledged_at IS NULL
    AND (snoozed_until IS NULL OR snoozed_until <= $5)
    ORDER BY sequence DESC LIMIT $8) open_alerts),
(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
    WHERE tenant_id = $1 AND sequence > $6 AND $7 ORDER BY sequence LIMIT $4) new_deliveries)
