-- Second factors of accounts: passkeys, authenticator apps and recovery codes. Like accounts, they belong to no tenant.

-- A credential of WebAuthn. `verifies_user` is set when the passkey has verified its user together with another factor or
-- when it was added; only then it can sign in alone.
create table passkeys (
    passkey_id     uuid primary key,
    user_id        uuid not null references users,
    credential_id  bytea not null unique check (length(credential_id) between 1 and 1023),
    -- COSE_Key in CBOR (RFC 9052, section 7).
    public_key     bytea not null,
    sign_count     bigint not null,
    name           text not null,
    verifies_user  boolean not null,
    is_backed_up   boolean not null,
    transports     text[] not null,
    created_at     timestamptz not null,
    last_used_at   timestamptz
);
create index passkeys_by_user on passkeys (user_id);
grant select, insert, update (sign_count, name, verifies_user, is_backed_up, last_used_at), delete
    on passkeys to govern_app;

-- The secret is encrypted. It takes effect when a code has confirmed it. `last_step` is the time step of the last
-- accepted code; codes of it and of earlier steps are refused.
create table totp_secrets (
    user_id      uuid primary key references users,
    secret       bytea not null,
    secret_key   integer not null check (secret_key >= 1),
    last_step    bigint not null default 0,
    created_at   timestamptz not null,
    confirmed_at timestamptz,
    last_used_at timestamptz
);
grant select, insert, update (last_step, confirmed_at, last_used_at), delete on totp_secrets to govern_app;

-- Unused recovery codes, as keyed digests. A code is deleted when it is used.
create table recovery_codes (
    user_id    uuid not null references users,
    digest     bytea not null,
    created_at timestamptz not null,
    primary key (user_id, digest)
);
grant select, insert, delete on recovery_codes to govern_app;

-- The challenges that passkeys have answered, until they expire. A challenge is accepted once.
create table used_challenges (
    challenge  bytea primary key,
    expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);
grant select, insert, delete on used_challenges to govern_app;
