-- Selects the open versions with their last submissions. SQL, because of the lateral join that reads the last
-- submission of each version.
SELECT v.policy_id, v.version, v.status, v.is_active,
  v.activated_at, v.draft_revision, v.submitted_at, s.candidate_revision, s.sealed_at,
  r.verdict, p.name, p.code
FROM policy_versions v
JOIN policies p ON p.tenant_id = $1 AND p.id = v.policy_id
LEFT JOIN LATERAL (
  SELECT * FROM review_submissions s
    WHERE s.tenant_id = $1 AND s.policy_version_id = v.id
    ORDER BY s.sequence DESC LIMIT 1) s ON true
LEFT JOIN review_records r ON r.tenant_id = $1 AND r.submission_id = s.id
WHERE v.tenant_id = $1 AND v.status IN ('draft', 'submitted')
ORDER BY coalesce(v.submitted_at, s.sealed_at), p.id
