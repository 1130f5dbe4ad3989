drop table settings, members, tenant_heads, tenants;
