-- Selects the events and deliveries of an alert. A delivery has the time of its alert, by which an index finds it.
-- Events contain alert IDs as text, and the index of objects omits the events that record decisions. SQL, because
-- one statement queries four tables.
SELECT d.sequence, d.id, d.status, s.webhook_url, d.created_at, NULL::text
  FROM alerts a
  JOIN webhook_deliveries d ON d.tenant_id = $1 AND d.created_at = a.created_at AND d.alert_id = a.id
  LEFT JOIN webhook_subscriptions s ON s.tenant_id = $1 AND s.id = d.subscription_id
  WHERE a.tenant_id = $1 AND a.id = $2 AND $4
UNION ALL SELECT * FROM (SELECT e.seq, NULL::uuid, e.action, e.actor_id, e.occurred_at, e.event
  FROM audit_events e WHERE e.tenant_id = $1 AND e.object_id = $3 AND e.object_type = 'alert'
    AND e.action <> 'decision.record'
  ORDER BY e.seq DESC LIMIT $5) e
ORDER BY 1
