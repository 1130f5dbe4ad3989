-- Sums the sizes of the active rules: those of the tenant, and those of the decision type with the largest rules.
-- A policy without decision types governs all of them. SQL, because the database sums over an unnested array and
-- no rules are transferred.
WITH active AS (
  SELECT p.decision_types AS types,
    octet_length(v.rules) + octet_length(array_to_string(p.regulatory_refs, '')) AS bytes
  FROM policy_versions v JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id
  WHERE v.tenant_id = $1 AND (v.is_active OR v.id = $2))
SELECT coalesce(sum(bytes), 0)::bigint,
  (coalesce(sum(bytes) FILTER (WHERE types = '{}'), 0)
    + coalesce((SELECT max(of_type.bytes) FROM (
        SELECT sum(bytes) AS bytes FROM active CROSS JOIN LATERAL unnest(types) AS t(type) GROUP BY t.type
      ) AS of_type), 0))::bigint
FROM active
