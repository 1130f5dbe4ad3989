-- Selects the next decisions of a stream. `$2` is the position of the last one, `$3` the type or null, `$4` the
-- verdict or null, `$5` the maximum number, and `$6` the maximum size of the stored texts before a decision. SQL,
-- because of the sum over preceding rows.
SELECT position, texts FROM (
  SELECT position, texts, {bytes_before} AS bytes_before FROM (
    SELECT sequence AS position, texts FROM decisions
    WHERE tenant_id = $1 AND sequence > $2
      AND ($3::text IS NULL OR decision_type = $3) AND ($4::text IS NULL OR decision = $4)
    ORDER BY sequence LIMIT $5) page) page
WHERE bytes_before <= $6 ORDER BY position
