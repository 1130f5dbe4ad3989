-- The two functions that every later wall stands on.

-- The tenant of this transaction. Without a setting it is null, and null equals no tenant.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant', true), '')::uuid;

-- The person of this transaction: before a tenant is chosen, people may see where they belong.
create function current_person() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user', true), '')::uuid;

-- The second wall of an append-only table; the first is its grants, the third its hash chain.
create function refuse_change() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
        using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- Whether the schema is the one a process was built for.
grant select on seaql_migrations to govern_app, govern_verify;
