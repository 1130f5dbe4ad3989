-- Creates the three roles and checks their attributes. It changes only what is missing, so a user without
-- the right to create roles can run it on a prepared server.
do $$
declare
    role text;
    setting text;
begin
    foreach role in array array['govern_owner', 'govern_app', 'govern_verify'] loop
        if not exists (select from pg_roles where rolname = role) then
            begin
                execute format('create role %I nologin', role);
            exception when duplicate_object or unique_violation then
                null; -- created concurrently by a migration of another database
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
    end loop;

    -- Any other user must be able to assume each of the three roles.
    if session_user not in ('govern_owner', 'govern_app', 'govern_verify') then
        foreach role in array array['govern_owner', 'govern_app', 'govern_verify'] loop
            begin
                execute format('set local role %I', role);
                reset role;
            exception when insufficient_privilege then
                execute format('grant %I to %I', role, session_user);
            end;
        end loop;
    end if;

    -- The time limits of the service: a lost client leaves no statement or transaction behind. They are settings of
    -- the role and not startup options, which poolers do not pass on. Other values of an operator are not changed.
    -- A role may change its own settings. Where this user cannot, the service checks them when it starts.
    foreach setting in array array['statement_timeout=25s', 'lock_timeout=10s',
                                   'idle_in_transaction_session_timeout=30s'] loop
        if not exists (
            select from pg_db_role_setting, unnest(setconfig) as stored
            where setrole = 'govern_app'::regrole and split_part(stored, '=', 1) = split_part(setting, '=', 1)
                and setdatabase in (0, (select oid from pg_database where datname = current_database()))
        ) then
            begin
                if session_user <> 'govern_app' then
                    set local role govern_app;
                end if;
                execute format('alter role govern_app set %I = %L', split_part(setting, '=', 1),
                               split_part(setting, '=', 2));
                reset role;
            exception
                when insufficient_privilege then
                    null;
                when unique_violation or internal_error then
                    null; -- set concurrently by a migration of another database
            end;
        end if;
    end loop;
end
$$;
