-- Returns the API keys with `digests`, and the activation counters of their tenants. It runs for every request with an
-- API key.
create function api_keys_by_digest(digests bytea[]) returns table (
    tenant_id          uuid,
    api_key_id         uuid,
    key_name           text,
    scopes             text[],
    owner              uuid,
    expires_at         timestamptz,
    revoked_at         timestamptz,
    activation_counter bigint,
    digest             bytea
)
language plpgsql stable
-- The planner would plan the query again in each call, which takes six times as long as the query itself.
set plan_cache_mode = force_generic_plan
-- A session may have planned the query while the tables were small; such a plan must suit large tables.
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    return query
    select k.tenant_id, k.api_key_id, k.key_name, k.scopes, k.owner, k.expires_at, k.revoked_at,
        h.activation_counter, k.digest
    from key_digests k join tenant_heads h on h.tenant_id = k.tenant_id
    where k.digest = any (digests);
end
$$;
revoke execute on function api_keys_by_digest from public;
grant execute on function api_keys_by_digest to govern_app;
