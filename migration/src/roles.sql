-- The three roles and what they may do with the schema. Changes only what is not yet so: the user
-- who runs it needs no rights in a database that has been prepared.
do $$
declare
    role text;
begin
    foreach role in array array['govern_owner', 'govern_app', 'govern_verify'] loop
        if not exists (select from pg_roles where rolname = role) then
            begin
                execute format('create role %I nologin', role);
            exception when duplicate_object or unique_violation then
                null; -- another database of the same server was quicker
            end;
        end if;
        if exists (select from pg_roles where rolname = role and (rolsuper or rolbypassrls)) then
            raise exception 'the role % must not be able to bypass row security', role;
        end if;
    end loop;

    foreach role in array array['govern_app', 'govern_verify'] loop
        if pg_has_role(role, 'govern_owner', 'member') then
            raise exception 'the role % must not be a member of govern_owner', role;
        end if;
        if not has_schema_privilege(role, 'public', 'usage') then
            execute format('grant usage on schema public to %I', role);
        end if;
    end loop;

    if not has_schema_privilege('govern_owner', 'public', 'create') then
        grant usage, create on schema public to govern_owner;
    end if;
    if has_schema_privilege('govern_app', 'public', 'create') then
        revoke create on schema public from public;
    end if;

    -- A user of another name must be able to become owner and app.
    if session_user not in ('govern_owner', 'govern_app', 'govern_verify') then
        foreach role in array array['govern_owner', 'govern_app'] loop
            begin
                execute format('set local role %I', role);
                reset role;
            exception when insufficient_privilege then
                execute format('grant %I to %I', role, session_user);
            end;
        end loop;
    end if;
end
$$;
