-- A session belongs to the password that it began with: each change of a password increments the number, and a
-- session with another number is void.
alter table users add column password_generation bigint not null default 0;

create function number_password() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    new.password_generation := old.password_generation + 1;
    return new;
end
$$;
create trigger password_is_numbered before update of password_hash on users
    for each row execute function number_password();

-- What the list of one's sessions shows. The id is no secret and does not change; the token does. Sessions from
-- before have no time of sign-in and are not listed.
alter table session_digests
    add column session_id uuid not null default gen_random_uuid(),
    add column password_generation bigint not null default 0,
    add column signed_in_at timestamptz,
    add column seen_at timestamptz,
    add column network text,
    add column user_agent text;
grant update (seen_at) on session_digests to govern_app;

-- The networks from which a person has signed in, as keyed digests: a sign-in from another one is reported.
create table sign_in_networks (
    user_id uuid not null references users,
    network bytea not null,
    seen_at timestamptz not null,
    primary key (user_id, network)
);
grant select, insert, update (seen_at), delete on sign_in_networks to govern_app;
