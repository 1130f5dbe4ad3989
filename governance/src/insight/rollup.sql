-- Selects the decisions and outcomes of a range in order, as long as their records fit, and their total number. An
-- outcome includes the record of its decision. SQL, because of the union and the sums over preceding rows. With
-- `LIMIT 1`, a row is read through its unique index even by a plan that was made while the table was small.
SELECT seq, status, recorded_at, texts, total FROM (
SELECT n.*, count(*) OVER () AS total,
sum(octet_length(n.texts)) OVER (ORDER BY n.seq) AS bytes FROM (
SELECT sequence AS seq, NULL AS status, recorded_at, texts FROM decisions
WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 UNION ALL
SELECT e.seq, o.status, d.recorded_at, d.texts FROM audit_events e
CROSS JOIN LATERAL (SELECT sequence, status FROM outcomes
WHERE tenant_id = $1 AND decision_id = e.object_id::uuid LIMIT 1) o
CROSS JOIN LATERAL (SELECT recorded_at, texts FROM decisions
WHERE tenant_id = $1 AND sequence = o.sequence LIMIT 1) d
WHERE e.tenant_id = $1 AND e.seq > $2 AND e.seq <= $3 AND e.action = 'decision.outcome'
) n) b
WHERE bytes <= $4 OR bytes = octet_length(texts) ORDER BY seq
