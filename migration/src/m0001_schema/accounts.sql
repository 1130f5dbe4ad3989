-- User accounts and their sessions. These tables belong to no tenant.

-- An account is confined to the tenant that created it until its address is proven. An address has at most
-- one proven account, and at most one account per creating tenant.
create table users (
    user_id             uuid primary key,
    -- Only ASCII letters of an address are stored in lower case.
    email               text not null check (email = lower(email collate "C")),
    display_name        text not null,
    password_hash       text,
    password_changed_at timestamptz,
    password_generation bigint not null default 0,
    -- The tenant that created the account. Not a foreign key: that would begin with a column other than
    -- `tenant_id`.
    setup_tenant_id     uuid,
    confined_tenant_id  uuid,
    -- The IANA name of the zone of times on pages; absent for UTC.
    time_zone           text,
    created_at          timestamptz not null,
    display_name_folded text not null generated always as (fold_text(display_name)) stored,
    constraint users_confined_to_setup_tenant check (
        confined_tenant_id is null or setup_tenant_id is not distinct from confined_tenant_id)
);
create unique index users_proven_email on users (email) where confined_tenant_id is null;
create unique index users_email_of_tenant on users (setup_tenant_id, email)
    where setup_tenant_id is not null;
create index users_by_email on users (email);
grant select, insert,
    update (email, display_name, password_hash, password_changed_at, setup_tenant_id, confined_tenant_id,
        time_zone)
    on users to govern_app;

-- A session belongs to one password generation. Every password change increments the generation, which
-- invalidates the sessions of the previous one.
create function increment_password_generation() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    new.password_generation := old.password_generation + 1;
    return new;
end
$$;
create trigger increment_password_generation before update of password_hash on users
    for each row execute function increment_password_generation();

-- One-time links for choosing a password, stored as digests. A mailed link also verifies the address;
-- a link that an admin could read does not. Links are read before the tenant is known.
create table account_links (
    digest     bytea primary key,
    user_id    uuid not null references users,
    purpose    text not null check (purpose in ('set_up', 'reset')),
    is_mailed  boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index account_links_by_user on account_links (user_id);
grant select, insert, delete on account_links to govern_app;

-- `session_id` identifies a session in the user's list of sessions. It is not secret and does not change;
-- the token does. A session without `signed_in_at` is not listed.
create table session_digests (
    digest              bytea primary key,
    session_id          uuid not null default gen_random_uuid(),
    user_id             uuid references users,
    password_generation bigint not null default 0,
    data                bytea not null,
    signed_in_at        timestamptz,
    seen_at             timestamptz,
    expires_at          timestamptz not null,
    network             text,
    user_agent          text,
    -- A session that a provider started gives access only to the tenant of the provider.
    confined_tenant_id  uuid,
    provider_id         uuid,
    provider_session    text,
    constraint session_digests_provider_has_tenant
        check ((provider_id is null) = (confined_tenant_id is null))
);
create index session_digests_by_user on session_digests (user_id) where user_id is not null;
create index session_digests_by_expiry on session_digests (expires_at);
create index session_digests_by_provider on session_digests (provider_id) where provider_id is not null;
grant select, insert, update (user_id, data, expires_at, seen_at), delete on session_digests to govern_app;

-- Networks from which a user has signed in, as keyed digests. A sign-in from a new network is reported to
-- the user.
create table sign_in_networks (
    user_id uuid not null references users,
    network bytea not null,
    seen_at timestamptz not null,
    primary key (user_id, network)
);
grant select, insert, update (seen_at), delete on sign_in_networks to govern_app;
