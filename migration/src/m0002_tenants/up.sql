-- Tenants, people, and who belongs where.

create table users (
    user_id             uuid primary key,
    email               text not null unique check (email = lower(email)),
    display_name        text not null,
    password_hash       text,
    password_changed_at timestamptz,
    created_at          timestamptz not null
);
grant select, insert,
    update (email, display_name, password_hash, password_changed_at) on users to govern_app;

-- A parent is another tenant, whose row a child must not see: it is checked where it is written,
-- for a foreign key would begin with a column that is not tenant_id.
create table tenants (
    tenant_id        uuid primary key,
    name             text not null,
    parent_tenant_id uuid check (parent_tenant_id <> tenant_id),
    created_at       timestamptz not null
);
grant select, insert on tenants to govern_app;
grant select on tenants to govern_verify;

-- One row for each tenant, locked last: it gives out the tenant's numbers and holds the end of its
-- audit chain. An empty audit_hash is the start of that chain.
create table tenant_heads (
    tenant_id          uuid primary key references tenants,
    audit_seq          bigint not null default 0,
    audit_hash         text not null default '',
    activation_counter bigint not null default 0,
    email_salt         text not null
);
grant select, insert,
    update (audit_seq, audit_hash, activation_counter)
    on tenant_heads to govern_app;
grant select on tenant_heads to govern_verify;

create table members (
    tenant_id  uuid not null references tenants,
    user_id    uuid not null references users,
    role       text not null check (role in
        ('viewer', 'operator', 'auditor', 'author', 'reviewer', 'ratifier', 'admin')),
    created_at timestamptz not null,
    primary key (tenant_id, user_id)
);
create index members_of_person on members (user_id);
grant select, insert, update (role), delete on members to govern_app;
grant select on members to govern_verify;

create table settings (
    tenant_id                uuid primary key references tenants,
    maker_checker_enabled    boolean not null default true,
    review_required          boolean not null default false,
    public_receipt_redaction text not null default 'none'
        check (public_receipt_redaction in ('none', 'values')),
    bundle_include_context   boolean not null default true,
    alert_min_severity       text not null default 'medium'
        check (alert_min_severity in ('low', 'medium', 'high', 'critical')),
    updated_at               timestamptz not null,
    updated_by               text
);
grant select, insert,
    update (maker_checker_enabled, review_required, public_receipt_redaction,
        bundle_include_context, alert_min_severity, updated_at, updated_by)
    on settings to govern_app;
grant select on settings to govern_verify;

alter table tenants enable row level security, force row level security;
create policy of_tenant on tenants
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy of_person on tenants for select
    using (exists (
        select from members
        where members.tenant_id = tenants.tenant_id and members.user_id = current_person()));

alter table members enable row level security, force row level security;
create policy of_tenant on members
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy of_person on members for select using (user_id = current_person());

alter table settings enable row level security, force row level security;
create policy of_tenant on settings
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
