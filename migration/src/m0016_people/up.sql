-- Members in the order in which they came, and links to choose a first password with.

-- Members who are there already are numbered by age. Each came with an audit event, so these numbers
-- end below the next one that the tenant's head gives out.
alter table members add column sequence bigint;
alter table members no force row level security;
update members set sequence = aged.place
    from (select tenant_id, user_id, row_number() over (partition by tenant_id
            order by created_at, user_id) as place from members) as aged
    where members.tenant_id = aged.tenant_id and members.user_id = aged.user_id;
alter table members force row level security;
alter table members alter column sequence set not null;
create unique index members_by_sequence on members (tenant_id, sequence);

-- The one link of a person who has no password yet: under its digest, until it is used or expires, and
-- whose log tells of its use. People belong to no tenant, so no key leads from here to one.
alter table users
    add column setup_digest bytea,
    add column setup_expires_at timestamptz,
    add column setup_tenant_id uuid,
    add constraint users_setup_is_whole check (
        (setup_digest is null) = (setup_expires_at is null)
        and (setup_digest is null or setup_tenant_id is not null));
create index users_by_setup on users (setup_digest) where setup_digest is not null;
grant update (setup_digest, setup_expires_at, setup_tenant_id) on users to govern_app;
