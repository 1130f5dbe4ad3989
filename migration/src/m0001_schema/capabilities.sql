-- Capability grants, under which API keys work on drafts.

-- `statement` is the canonical object of `digest` and of the signature. Uses, revocation and carry-over are
-- mutable state. A draft can be deleted while a grant names it, so there is no foreign key to the version.
create table capability_grants (
    tenant_id         uuid not null,
    id                uuid not null,
    sequence          bigint not null,
    root_id           uuid not null,
    parent_id         uuid,
    depth             integer not null check (depth between 1 and 64),
    api_key_id        uuid not null,
    policy_id         uuid not null,
    policy_version_id uuid not null,
    version           integer not null check (version >= 1),
    actions           text[] not null,
    not_before        timestamptz,
    expires_at        timestamptz,
    max_uses          integer check (max_uses >= 1),
    issued_by         uuid not null references users,
    issued_at         timestamptz not null,
    statement         text not null,
    digest            text not null,
    signature         text,
    signature_kid     text,
    uses              integer not null default 0 check (uses >= 0),
    revoked_at        timestamptz,
    revoked_by        text,
    carried_to        uuid,
    carried_at        timestamptz,
    primary key (tenant_id, id),
    constraint capability_grants_unique_sequence unique (tenant_id, sequence),
    foreign key (tenant_id, root_id) references capability_grants,
    foreign key (tenant_id, parent_id) references capability_grants,
    foreign key (tenant_id, carried_to) references capability_grants,
    foreign key (tenant_id, api_key_id) references api_keys,
    constraint capability_grants_root check (
        (parent_id is null) = (root_id = id) and (parent_id is null) = (depth = 1)),
    constraint capability_grants_signature_all_or_none
        check ((signature is null) = (signature_kid is null)),
    constraint capability_grants_carried_all_or_none
        check ((carried_to is null) = (carried_at is null))
);
create index capability_grants_by_version
    on capability_grants (tenant_id, policy_version_id, sequence);
create index capability_grants_by_root on capability_grants (tenant_id, root_id, depth);
create unique index capability_grants_one_successor on capability_grants (tenant_id, parent_id)
    where parent_id is not null;
-- The governing grant of a key is its only grant that has not been carried over.
create unique index capability_grants_governing on capability_grants (tenant_id, api_key_id)
    where carried_to is null;

grant select, insert, update (uses, revoked_at, revoked_by, carried_to, carried_at)
    on capability_grants to govern_app;
grant select on capability_grants to govern_verify;

call enforce_tenant_isolation('capability_grants');
