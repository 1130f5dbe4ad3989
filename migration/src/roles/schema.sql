-- What the three roles may do with the schema `public`: the owner creates, nobody else does.
-- Changes only what is not yet so.
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
