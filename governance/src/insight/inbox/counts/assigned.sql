-- Selects the last assignment of each alert of the user `$4` as JSON, with times in milliseconds. A fragment of
-- the statement of the counts. Events contain alert IDs as text.
(SELECT coalesce(json_agg(json_build_array(a.id, a.severity, a.message,
  (extract(epoch FROM a.since) * 1000)::bigint, a.actor_id)
  ORDER BY a.since, a.sequence), '[]')::text
FROM (SELECT a.id, a.severity, a.message, a.sequence, e.actor_id,
    coalesce(e.occurred_at, a.created_at) AS since
  FROM alerts a
  LEFT JOIN LATERAL (
    SELECT e.occurred_at, e.actor_id FROM audit_events e
      WHERE e.tenant_id = $1 AND e.object_id = a.id::text AND e.action = 'alert.assign'
      ORDER BY e.seq DESC LIMIT 1) e ON true
  WHERE a.tenant_id = $1 AND a.assigned_to = $4 AND a.acknowledged_at IS NULL
    AND (a.snoozed_until IS NULL OR a.snoozed_until <= $5)
  ORDER BY since, a.sequence LIMIT $2) a)
