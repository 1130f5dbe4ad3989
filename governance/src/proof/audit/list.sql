-- Selects the names of objects in audit events. SQL, because one statement queries five tables.
SELECT id::text, name FROM policies
    WHERE tenant_id = $1 AND id = ANY($2::text[]::uuid[])
UNION ALL SELECT id::text, name FROM policy_groups
    WHERE tenant_id = $1 AND id = ANY($2::text[]::uuid[])
UNION ALL SELECT id::text, title FROM forms
    WHERE tenant_id = $1 AND id = ANY($2::text[]::uuid[])
UNION ALL SELECT id::text, webhook_url FROM webhook_subscriptions
    WHERE tenant_id = $1 AND id = ANY($2::text[]::uuid[])
UNION ALL SELECT id::text, name FROM identity_providers
    WHERE tenant_id = $1 AND id = ANY($2::text[]::uuid[])
