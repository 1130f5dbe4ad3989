drop index users_by_setup;
alter table users
    drop constraint users_setup_is_whole,
    drop column setup_digest,
    drop column setup_expires_at,
    drop column setup_tenant_id;
drop index members_by_sequence;
alter table members drop column sequence;
