-- Selects the first mention in each thread that the user `$4` has not answered as JSON, with times in
-- milliseconds. A fragment of the statement of the counts.
(SELECT coalesce(json_agg(json_build_array(m.id, m.name, m.version, m.draft_revision,
  (extract(epoch FROM m.created_at) * 1000)::bigint, m.author, m.threads, m.open)), '[]')::text
FROM (SELECT DISTINCT ON (coalesce(c.in_reply_to, c.id)) p.id, p.name, v.version,
    v.draft_revision, c.created_at, c.author, n.threads, n.open
  FROM comment_mentions m
  JOIN version_comments c ON c.tenant_id = $1 AND c.id = m.comment_id
  JOIN version_comments f ON f.tenant_id = $1 AND f.id = coalesce(c.in_reply_to, c.id)
  JOIN policy_versions v ON v.tenant_id = $1 AND v.id = c.policy_version_id
  JOIN policies p ON p.tenant_id = $1 AND p.id = v.policy_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS threads, count(*) FILTER (WHERE n.resolved_at IS NULL) AS open
      FROM version_comments n WHERE n.tenant_id = $1 AND n.policy_version_id = v.id
        AND n.in_reply_to IS NULL) n
  WHERE m.tenant_id = $1 AND m.user_id = $4 AND f.resolved_at IS NULL
    AND NOT EXISTS (SELECT FROM version_comments r WHERE r.tenant_id = $1
      AND r.in_reply_to = f.id AND r.author = $4 AND r.sequence > c.sequence)
  ORDER BY coalesce(c.in_reply_to, c.id), c.sequence LIMIT $2) m)
