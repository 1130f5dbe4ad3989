drop table mail_outbox;

revoke update (user_id) on members from govern_app;
alter table members no force row level security;
delete from members where status = 'invited';
alter table members force row level security;
alter table members drop column status;

alter table users
    add column setup_digest bytea,
    add column setup_expires_at timestamptz,
    add constraint users_setup_is_whole check (
        (setup_digest is null) = (setup_expires_at is null)
        and (setup_digest is null or setup_tenant_id is not null));
create index users_by_setup on users (setup_digest) where setup_digest is not null;
grant update (setup_digest, setup_expires_at) on users to govern_app;
drop table account_links;

-- Fails where an address has several accounts: decide first which of them remains.
drop index users_by_email, users_email_of_tenant, users_proven_email;
alter table users
    drop constraint users_confined_where_made,
    drop column confined_tenant_id,
    add constraint users_email_key unique (email);
