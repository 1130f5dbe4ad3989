-- Confined accounts, proven addresses, invitations that are accepted, and mail.

-- An account is confined to the tenant that made it until its address is proven. Until now an address had
-- one account, which may belong to several tenants: these accounts count as proven. An address has at most
-- one proven account, and at most one account that a given tenant made.
alter table users
    add column confined_tenant_id uuid,
    add constraint users_confined_where_made check (
        confined_tenant_id is null or setup_tenant_id is not distinct from confined_tenant_id),
    drop constraint users_email_key;
create unique index users_proven_email on users (email) where confined_tenant_id is null;
create unique index users_email_of_tenant on users (setup_tenant_id, email)
    where setup_tenant_id is not null;
create index users_by_email on users (email);
grant update (confined_tenant_id) on users to govern_app;

-- The links with which a person chooses a password, under their digests. A mailed link also proves the
-- address; one that an admin could read does not. They are read before any tenant is known.
create table account_links (
    digest     bytea primary key,
    user_id    uuid not null references users,
    purpose    text not null check (purpose in ('set_up', 'reset')),
    is_mailed  boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index account_links_of_user on account_links (user_id);
grant select, insert, delete on account_links to govern_app;

insert into account_links (digest, user_id, purpose, is_mailed, created_at, expires_at)
    select setup_digest, user_id, 'set_up', false, created_at, setup_expires_at
    from users where setup_digest is not null
    on conflict do nothing;
drop index users_by_setup;
alter table users
    drop constraint users_setup_is_whole,
    drop column setup_digest,
    drop column setup_expires_at;

-- An invited membership carries no rights until its holder accepts it. Members from before are active. There
-- is no default afterwards: each insert states the status.
alter table members
    add column status text not null default 'active' check (status in ('active', 'invited'));
alter table members alter column status drop default;
grant update (user_id, status) on members to govern_app;

-- Mail that waits to be sent. It is written in the transaction of the act and deleted when the mail server
-- has taken it. It holds no link: the worker makes one when it sends. A password reset has no account yet.
create table mail_outbox (
    id         uuid primary key,
    user_id    uuid references users,
    email      text not null,
    letter     text not null,
    attempts   integer not null default 0,
    created_at timestamptz not null,
    due_at     timestamptz not null
);
create index mail_outbox_by_time on mail_outbox (due_at);
-- One request for a reset waits for each address.
create unique index mail_outbox_one_reset on mail_outbox (email) where user_id is null;
grant select, insert, update (attempts, due_at), delete on mail_outbox to govern_app;
