-- Keys and sessions: the record of a key belongs to its tenant, the digests stand at the door.

create table api_keys (
    tenant_id    uuid not null references tenants,
    id           uuid not null,
    name         text not null,
    key_preview  text not null,
    scopes       text[] not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    is_active    boolean not null,
    created_at   timestamptz not null,
    created_by   text,
    revoked_at   timestamptz,
    revoked_by   text,
    primary key (tenant_id, id)
);
grant select, insert,
    update (last_used_at, is_active, revoked_at, revoked_by) on api_keys to govern_app;
grant select on api_keys to govern_verify;

alter table api_keys enable row level security, force row level security;
create policy of_tenant on api_keys
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

-- What must be known of a key before its tenant is: read with every request.
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
grant select, insert, update (revoked_at) on key_digests to govern_app;

create table session_digests (
    digest     bytea primary key,
    user_id    uuid references users,
    data       bytea not null,
    expires_at timestamptz not null
);
create index session_digests_of_person on session_digests (user_id) where user_id is not null;
create index session_digests_by_expiry on session_digests (expires_at);
grant select, insert, update (user_id, data, expires_at), delete on session_digests to govern_app;
