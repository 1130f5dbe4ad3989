-- Privileges of the three roles on the schema `public`: only the owner can create objects. Changes only what
-- is missing.
do $$
begin
    if not has_schema_privilege('govern_owner', 'public', 'create') then
        grant usage, create on schema public to govern_owner;
    end if;
    if has_schema_privilege('govern_app', 'public', 'create') then
        revoke create on schema public from public;
    end if;
    if not has_schema_privilege('govern_app', 'public', 'usage') then
        grant usage on schema public to govern_app;
    end if;
    if not has_schema_privilege('govern_verify', 'public', 'usage') then
        grant usage on schema public to govern_verify;
    end if;
end
$$;
