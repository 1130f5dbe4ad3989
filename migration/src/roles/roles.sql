-- Creates the three roles and checks their attributes. It changes only what is missing, so a user without
-- the right to create roles can run it on a prepared server.
do $$
declare
    role text;
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
end
$$;
