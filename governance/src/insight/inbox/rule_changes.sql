-- Counts the rules that versions add, change and remove. `rules` is canonical JSON. SQL, because the database
-- compares the rules, so that they are not transferred.
SELECT v.policy_id, v.version, jsonb_array_length(v.rules::jsonb),
  CASE WHEN b.rules IS NOT NULL THEN (SELECT count(*)::integer FROM (
    SELECT jsonb_array_elements(v.rules::jsonb)
    EXCEPT SELECT jsonb_array_elements(b.rules::jsonb)) c) END,
  (SELECT count(*)::integer FROM (
    SELECT jsonb_array_elements(b.rules::jsonb) ->> 'code'
    EXCEPT SELECT unnest(ARRAY[rule ->> 'code', rule ->> 'replaces_rule_code'])
      FROM jsonb_array_elements(v.rules::jsonb) rule) r)
FROM unnest($2::uuid[], $3::integer[]) AS w(policy_id, version)
JOIN policy_versions v ON v.tenant_id = $1 AND v.policy_id = w.policy_id AND v.version = w.version
LEFT JOIN policy_versions b ON b.tenant_id = $1 AND b.policy_id = v.policy_id AND b.is_active
