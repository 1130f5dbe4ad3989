-- Members whom a tenant has removed. Until the tenant invites the person again, an identity provider adds neither the
-- account nor another one with the same address.
create table removed_members (
    tenant_id  uuid not null,
    user_id    uuid not null references users,
    removed_at timestamptz not null,
    primary key (tenant_id, user_id)
);
grant select, insert, delete on removed_members to govern_app;

-- Row-level security also applies to the owner.
alter table audit_events no force row level security;
alter table members no force row level security;
insert into removed_members (tenant_id, user_id, removed_at)
    select e.tenant_id, u.user_id, max(e.occurred_at)
    from audit_events e join users u on u.user_id::text = e.object_id
    where e.action = 'member.remove'
        and not exists (select from members m where m.tenant_id = e.tenant_id and m.user_id = u.user_id)
    group by e.tenant_id, u.user_id;
alter table audit_events force row level security;
alter table members force row level security;

call enforce_tenant_isolation('removed_members');

-- Only ASCII letters of an address are stored in lower case.
alter table users
    drop constraint users_email_check,
    add constraint users_email_check check (email = lower(email collate "C"));
