-- Claims due deliveries: finds the subscriptions with queued deliveries by one index look-up each, and takes as
-- many deliveries of each as its slots and those of its tenant allow. Skips rows that another process is claiming.
-- SQL, because it runs periodically, and selects and claims in one statement.
--
-- If there are not enough slots for all, the subscriptions of a tenant take turns, and so do tenants. Otherwise
-- the deliveries of an unresponsive receiver, which are the oldest, would always come first.
WITH RECURSIVE subscriptions AS (
(SELECT tenant_id, subscription_id FROM outbox ORDER BY tenant_id, subscription_id LIMIT 1) UNION ALL
SELECT n.tenant_id, n.subscription_id FROM subscriptions s CROSS JOIN LATERAL (
SELECT o.tenant_id, o.subscription_id FROM outbox o
WHERE (o.tenant_id, o.subscription_id) > (s.tenant_id, s.subscription_id)
ORDER BY o.tenant_id, o.subscription_id LIMIT 1) n),
busy AS (SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::int[])
AS b(tenant_id, subscription_id, busy)),
free AS (SELECT s.tenant_id, s.subscription_id, coalesce(b.busy, 0) AS busy,
$6 - coalesce(b.busy, 0) AS room, $7 - coalesce(t.busy, 0) AS room_of_tenant FROM subscriptions s
LEFT JOIN busy b ON b.tenant_id = s.tenant_id AND b.subscription_id = s.subscription_id
LEFT JOIN (SELECT tenant_id, sum(busy)::int AS busy FROM busy GROUP BY tenant_id) t
ON t.tenant_id = s.tenant_id),
due AS (SELECT d.tenant_id, d.id, d.due_at, f.room_of_tenant,
f.busy + row_number() OVER (PARTITION BY f.tenant_id, f.subscription_id ORDER BY d.due_at, d.id) AS turn
FROM free f CROSS JOIN LATERAL (SELECT o.tenant_id, o.id, o.due_at FROM outbox o
WHERE o.tenant_id = f.tenant_id AND o.subscription_id = f.subscription_id AND o.due_at <= $1
ORDER BY o.due_at
LIMIT greatest(least(f.room, f.room_of_tenant), 0) FOR UPDATE SKIP LOCKED) d),
ranked AS (SELECT tenant_id, id, due_at, room_of_tenant,
row_number() OVER (PARTITION BY tenant_id ORDER BY turn, due_at, id) AS claim_rank FROM due),
chosen AS (SELECT tenant_id, id FROM ranked WHERE claim_rank <= room_of_tenant
ORDER BY claim_rank, due_at LIMIT $8)
UPDATE outbox o SET due_at = $2, claimed_until = $2, claim = o.claim + 1 FROM chosen
WHERE o.tenant_id = chosen.tenant_id AND o.id = chosen.id
RETURNING o.tenant_id, o.id, o.subscription_id, o.claim
