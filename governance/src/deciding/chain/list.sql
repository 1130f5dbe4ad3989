-- Selects a page of chains with their first and last decisions, in the order of the sequence numbers of their
-- first decisions. `$2` is the position of the page, `$3` its size, `$4` the status or null, and `$5` the ID or
-- null. SQL, because two tables are joined twice each.
SELECT first.sequence, c.id, c.is_sealed, c.links, c.highest_step, c.head,
  begun.recorded_at AS created_at, latest.recorded_at AS last_recorded_at, s.sealed_at
FROM chain_links first
JOIN chains c ON c.tenant_id = $1 AND c.id = first.chain_id
JOIN chain_links last
  ON last.tenant_id = $1 AND last.chain_id = c.id AND last.position = c.links
JOIN decisions begun ON begun.tenant_id = $1 AND begun.id = first.decision_id
JOIN decisions latest ON latest.tenant_id = $1 AND latest.id = last.decision_id
LEFT JOIN chain_seals s ON s.tenant_id = $1 AND s.chain_id = c.id
WHERE first.tenant_id = $1 AND first.position = 1 AND first.sequence {comparison} $2
  AND ($4::boolean IS NULL OR c.is_sealed = $4)
  AND ($5::uuid IS NULL OR first.chain_id = $5)
ORDER BY first.sequence {order} LIMIT $3
