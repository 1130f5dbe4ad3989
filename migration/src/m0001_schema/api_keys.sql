-- API keys of tenants and operator keys of the service.

-- `owner` is the user for whom the key acts, and `parent_key_id` the key that created it. Keys are revoked,
-- or transferred to another admin, when their owner's membership ends.
create table api_keys (
    tenant_id     uuid not null references tenants,
    id            uuid not null,
    sequence      bigint not null,
    name          text not null,
    key_preview   text not null,
    scopes        text[] not null,
    owner         uuid references users,
    parent_key_id uuid,
    expires_at    timestamptz,
    last_used_at  timestamptz,
    is_active     boolean not null,
    created_at    timestamptz not null,
    created_by    text,
    revoked_at    timestamptz,
    revoked_by    text,
    primary key (tenant_id, id),
    constraint api_keys_parent foreign key (tenant_id, parent_key_id) references api_keys
);
create unique index api_keys_by_sequence on api_keys (tenant_id, sequence);
create index api_keys_by_owner on api_keys (tenant_id, owner) where revoked_at is null;
grant select, insert,
    update (owner, last_used_at, is_active, created_by, revoked_at, revoked_by) on api_keys to govern_app;
grant select on api_keys to govern_verify;

call enforce_tenant_isolation('api_keys');

-- API key digests, read with every request before its tenant is known.
create table key_digests (
    digest     bytea primary key,
    tenant_id  uuid not null,
    api_key_id uuid not null,
    key_name   text not null,
    scopes     text[] not null,
    owner      uuid references users,
    expires_at timestamptz,
    revoked_at timestamptz,
    constraint key_digests_unique_key unique (tenant_id, api_key_id),
    foreign key (tenant_id, api_key_id) references api_keys
);
grant select, insert, update (owner, revoked_at) on key_digests to govern_app;

-- Operator keys belong to no tenant, because they create tenants.
create table operator_keys (
    digest      bytea primary key,
    id          uuid not null,
    name        text not null,
    key_preview text not null,
    created_at  timestamptz not null,
    revoked_at  timestamptz,
    constraint operator_keys_unique_id unique (id)
);
grant select, insert, update (revoked_at) on operator_keys to govern_app;

-- Stores when keys were last used, for several tenants in one call. An earlier time never replaces a later
-- one.
create function record_key_use(tenants uuid[], ids uuid[], times timestamptz[]) returns void
language plpgsql
as $$
begin
    for i in 1 .. cardinality(tenants) loop
        perform set_config('app.tenant', tenants[i]::text, true);
        update api_keys set last_used_at = times[i]
        where tenant_id = tenants[i] and id = ids[i]
            and (last_used_at is null or last_used_at < times[i]);
    end loop;
end
$$;
revoke execute on function record_key_use from public;
grant execute on function record_key_use to govern_app;

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
