-- The one-time codes with which the command line gets an API key that a user has allowed in the browser. The key is
-- created when the code is exchanged, with the values of its row.
create table login_codes (
    tenant_id      uuid not null,
    -- A keyed digest of the code.
    digest         bytea not null,
    user_id        uuid not null references users,
    -- A code is valid only while the session exists in which the user allowed it.
    session_id     uuid not null,
    -- The way the user signed in. The settings of the tenant may exclude it before the code is exchanged.
    auth_method    text not null,
    -- The SHA-256 of the verifier of the program (RFC 7636).
    challenge      bytea not null check (octet_length(challenge) = 32),
    -- The port of the redirect to 127.0.0.1; null for a code that the user pastes.
    port           integer check (port between 1024 and 65535),
    key_name       text not null,
    key_scopes     text[] not null,
    key_expires_at timestamptz,
    expires_at     timestamptz not null,
    primary key (tenant_id, digest)
);
grant select, insert, delete on login_codes to govern_app;

call enforce_tenant_isolation('login_codes');
