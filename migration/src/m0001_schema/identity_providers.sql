-- Identity providers of tenants, the accounts that they sign in, and the sign-ins that a tenant accepts.

-- The issuer never changes, because it identifies the accounts together with their subjects. The client secret
-- is encrypted; a client without one uses only PKCE.
create table identity_providers (
    tenant_id            uuid not null,
    id                   uuid not null,
    sequence             bigint not null,
    name                 text not null,
    issuer               text not null,
    client_id            text not null,
    client_secret        bytea,
    client_secret_key    integer check (client_secret_key >= 1),
    scopes               text[] not null,
    email_domains        text[] not null,
    trusts_email_domains boolean not null,
    role_claim           text,
    -- The values of the role claim and their roles, position by position. The first match applies.
    mapped_values        text[] not null,
    mapped_roles         text[] not null,
    default_role         text check (default_role in
        ('viewer', 'operator', 'auditor', 'author', 'reviewer', 'ratifier', 'admin')),
    is_enabled           boolean not null,
    created_at           timestamptz not null,
    updated_at           timestamptz not null,
    primary key (tenant_id, id),
    constraint identity_providers_unique_sequence unique (tenant_id, sequence),
    constraint identity_providers_secret_has_key
        check ((client_secret is null) = (client_secret_key is null)),
    constraint identity_providers_mapping_is_complete
        check (cardinality(mapped_values) = cardinality(mapped_roles))
);
grant select, insert,
    update (name, client_id, client_secret, client_secret_key, scopes, email_domains, trusts_email_domains,
        role_claim, mapped_values, mapped_roles, default_role, is_enabled, updated_at),
    delete
    on identity_providers to govern_app;

-- The account of each subject that a provider has signed in.
create table identities (
    tenant_id   uuid not null,
    provider_id uuid not null,
    subject     text not null,
    user_id     uuid not null references users,
    created_at  timestamptz not null,
    primary key (tenant_id, provider_id, subject),
    foreign key (tenant_id, provider_id) references identity_providers on delete cascade
);
grant select, insert, delete on identities to govern_app;

-- The logout tokens that a provider has sent, until they expire. A token is accepted once.
create table logout_tokens (
    tenant_id   uuid not null,
    provider_id uuid not null,
    token_id    text not null,
    expires_at  timestamptz not null,
    primary key (tenant_id, provider_id, token_id),
    foreign key (tenant_id, provider_id) references identity_providers on delete cascade
);
grant select, insert, delete on logout_tokens to govern_app;

call enforce_tenant_isolation('identity_providers', 'identities', 'logout_tokens');
