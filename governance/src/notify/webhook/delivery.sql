-- Queues dead deliveries again. SQL, because one statement updates any number of deliveries.
WITH dead AS (SELECT d.id FROM webhook_deliveries d
JOIN webhook_subscriptions s ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id AND s.is_active
WHERE d.tenant_id = $1 AND d.status = 'dead' AND ($3::uuid IS NULL OR d.subscription_id = $3)
AND ($4::timestamptz IS NULL OR d.created_at >= $4) ORDER BY d.sequence FOR UPDATE OF d),
begun AS (UPDATE webhook_deliveries d SET status = 'pending', attempt_count = 0,
next_attempt_at = $2, failure_reason = NULL FROM dead
WHERE d.tenant_id = $1 AND d.id = dead.id RETURNING d.id, d.subscription_id)
INSERT INTO outbox (tenant_id, id, subscription_id, due_at)
SELECT $1, id, subscription_id, $2 FROM begun
ON CONFLICT DO NOTHING
