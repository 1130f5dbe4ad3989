-- Session functions used by all row-level security policies, and the procedures that protect tables.

-- Returns the tenant of the transaction. Without the setting it is null, which matches no row.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant', true), '')::uuid;

-- Returns the user of the transaction. Before a tenant is chosen, users can list their tenants.
create function current_user_id() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user', true), '')::uuid;

-- Returns the tenants of the group that is recorded. Without the setting it is null, which matches no row.
create function current_group() returns uuid[]
    language sql stable parallel safe
    return nullif(current_setting('app.group', true), '')::uuid[];

create function reject_change() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
        using errcode = 'object_not_in_prerequisite_state';
end
$$;

-- Restricts every role, the owner included, to the rows of the current tenant.
create procedure enforce_tenant_isolation(variadic tables regclass[])
    language plpgsql
as $$
declare
    name regclass;
begin
    foreach name in array tables loop
        execute format('alter table %s enable row level security, force row level security', name);
        execute format('create policy tenant_isolation on %s
            using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', name);
    end loop;
end
$$;

-- Rejects updates, deletes and truncation. The triggers also fire for a superuser and for replication.
create procedure enforce_append_only(variadic tables regclass[])
    language plpgsql
as $$
declare
    name regclass;
begin
    foreach name in array tables loop
        execute format('create trigger prevent_row_changes before update or delete on %s
            for each row execute function reject_change()', name);
        execute format('create trigger prevent_truncate before truncate on %s
            for each statement execute function reject_change()', name);
        execute format('alter table %s enable always trigger prevent_row_changes,
            enable always trigger prevent_truncate', name);
    end loop;
end
$$;
revoke execute on procedure enforce_tenant_isolation, enforce_append_only from public;

-- Every process checks at start whether the schema is the one it was built for.
grant select on seaql_migrations to govern_app, govern_verify;
