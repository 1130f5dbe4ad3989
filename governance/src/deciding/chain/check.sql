-- Selects the links of a chain after a position with their decisions. `$2` is the chain, `$3` the position, `$4`
-- the maximum number, and `$5` the maximum size of the stored texts before a link; `page_rows` is the number of
-- links without this limit. SQL, because of a left join with few columns of wide rows, and sums over preceding
-- rows: the texts of a decision can have megabytes.
SELECT position, step, decision_id, link, hash, signature, kid,
  texts, decision, recorded_at, parent_decision_id, receipt_digest, page_rows
FROM (
  SELECT links.*, count(*) OVER () AS page_rows, {bytes_before} AS bytes_before
  FROM (
    SELECT l.position, l.step, l.decision_id, l.link, l.hash, l.signature, l.kid,
      d.texts, d.decision, d.recorded_at, d.parent_decision_id, d.receipt_digest
    FROM chain_links l
    LEFT JOIN decisions d ON d.tenant_id = l.tenant_id AND d.id = l.decision_id
    WHERE l.tenant_id = $1 AND l.chain_id = $2 AND l.position > $3
    ORDER BY l.position LIMIT $4) links) links
WHERE bytes_before <= $5 ORDER BY position
