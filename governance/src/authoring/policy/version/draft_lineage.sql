-- Selects the drafts that a draft corrects, nearest first. SQL, because a recursive query follows each draft to
-- the previous one.
WITH RECURSIVE lineage AS (
  SELECT v.version, v.id, v.lineage_previous, 0 AS links FROM policy_versions v
    WHERE v.tenant_id = $1 AND v.policy_id = $2 AND v.version = $3
  UNION ALL
  SELECT p.version, p.id, p.lineage_previous, l.links + 1 FROM lineage l
    JOIN policy_versions p ON p.tenant_id = $1 AND p.policy_id = $2
      AND p.version = l.lineage_previous
    WHERE l.links < $4)
SELECT l.id, l.lineage_previous, s.id, s.candidate_revision, s.answers_record_id,
  r.id, r.verdict
FROM lineage l
LEFT JOIN LATERAL (
  SELECT * FROM review_submissions s
    WHERE s.tenant_id = $1 AND s.policy_version_id = l.id
    ORDER BY s.sequence DESC LIMIT 1) s ON true
LEFT JOIN review_records r ON r.tenant_id = $1 AND r.submission_id = s.id
ORDER BY l.links
