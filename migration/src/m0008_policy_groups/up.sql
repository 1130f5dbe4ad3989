-- Policy groups, and the indexes behind the lists of policies.

create table policy_groups (
    tenant_id   uuid not null references tenants,
    id          uuid not null,
    sequence    bigint not null,
    code        text not null,
    code_key    text collate "C" not null,
    name        text not null,
    description text,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    primary key (tenant_id, id),
    constraint policy_groups_unique_code unique (tenant_id, code_key),
    constraint policy_groups_unique_sequence unique (tenant_id, sequence)
);
grant select, insert, update (code, code_key, name, description, updated_at), delete
    on policy_groups to govern_app;
grant select on policy_groups to govern_verify;

alter table policy_groups enable row level security, force row level security;
create policy of_tenant on policy_groups
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

alter table policies add constraint policies_group_exists
    foreign key (tenant_id, policy_group_id) references policy_groups;

-- What a list of policies is asked for, in its order. Types and parts of names have no index: under
-- row security none is asked about them, and a tenant's policies are few enough to walk.
create index policies_by_group on policies (tenant_id, policy_group_id, sequence desc)
    where policy_group_id is not null;
create index policies_active on policies (tenant_id, sequence desc)
    where active_version is not null;
