-- Selects a tenant's active policies: all of them if `$2`, or else only the inheritable ones. Without any, there
-- is one row with the counter. SQL, because the next evaluation after every change of the active policies runs it,
-- and one statement keeps counter and policies consistent.
SELECT h.activation_counter, p.id AS policy_id, v.id AS version_id, p.code, p.name, v.version,
  p.shadow_mode, p.decision_types, p.regulatory_refs, v.rules, g.id AS group_id, g.code AS group_code,
  t.name AS tenant_name, a.digest AS approval_digest, octet_length(v.rules) AS rules_bytes
FROM tenant_heads h
JOIN tenants t ON t.tenant_id = h.tenant_id
LEFT JOIN (policy_versions v
JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id AND ($2 OR p.inheritable))
ON v.tenant_id = h.tenant_id AND v.is_active
LEFT JOIN policy_groups g ON g.tenant_id = p.tenant_id AND g.id = p.policy_group_id
LEFT JOIN policy_approvals a ON a.tenant_id = v.tenant_id AND a.policy_version_id = v.id
WHERE h.tenant_id = $1
