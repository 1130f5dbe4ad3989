-- Finds the object with an ID. `$2` is the ID; `$3`, `$4` and `$5` are whether the caller may read API keys,
-- capabilities and deliveries. Only a version has a policy and a number. SQL, because one statement queries eight
-- tables by their keys.
SELECT 'policy', NULL::uuid, NULL::integer FROM policies WHERE tenant_id = $1 AND id = $2
UNION ALL SELECT 'version', policy_id, version FROM policy_versions
  WHERE tenant_id = $1 AND id = $2
UNION ALL SELECT 'form', NULL, NULL FROM forms WHERE tenant_id = $1 AND id = $2
UNION ALL SELECT 'chain', NULL, NULL FROM chains WHERE tenant_id = $1 AND id = $2
UNION ALL SELECT 'alert', NULL, NULL FROM alerts WHERE tenant_id = $1 AND id = $2
UNION ALL SELECT 'api_key', NULL, NULL FROM api_keys WHERE $3 AND tenant_id = $1 AND id = $2
UNION ALL SELECT 'capability', NULL, NULL FROM capability_grants
  WHERE $4 AND tenant_id = $1 AND id = $2
UNION ALL SELECT 'delivery', NULL, NULL FROM webhook_deliveries
  WHERE $5 AND tenant_id = $1 AND id = $2
