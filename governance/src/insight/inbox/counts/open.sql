-- Selects the open versions with their last submissions. A fragment of the statement of the counts. SQL, because
-- of the last submission of each version, an array extended by a subquery, and two counts of threads.
SELECT p.id, p.name, v.version, v.draft_revision, v.status,
  v.makers || ARRAY(SELECT g.issued_by FROM capability_grants g
    WHERE g.tenant_id = $1 AND g.policy_version_id = v.id AND g.actions && $3),
  v.submitted_at, v.submitted_by, v.rejected_at, v.rejected_by, v.ratified_at, v.ratified_by,
  s.candidate_revision, s.sealed_at, s.sealed_by, s.sealer,
  r.verdict, r.recorded_at, r.recorded_by, v.has_unknown_maker, c.threads, c.open
FROM policy_versions v
JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id
LEFT JOIN LATERAL (
  SELECT * FROM review_submissions s
    WHERE s.tenant_id = $1 AND s.policy_version_id = v.id
    ORDER BY s.sequence DESC LIMIT 1) s ON true
LEFT JOIN review_records r ON r.tenant_id = $1 AND r.submission_id = s.id
CROSS JOIN LATERAL (
  SELECT count(*) AS threads, count(*) FILTER (WHERE c.resolved_at IS NULL) AS open
    FROM version_comments c WHERE c.tenant_id = $1 AND c.policy_version_id = v.id
      AND c.in_reply_to IS NULL) c
WHERE v.tenant_id = $1 AND (v.status IN ('draft', 'submitted')
  OR (v.status = 'ratified' AND v.activated_at IS NULL
      AND v.version > coalesce(p.active_version, 0)))
ORDER BY p.sequence, v.version LIMIT $2
