-- Policies, their versions, and the snapshots that decisions were made with.

create table policies (
    tenant_id       uuid not null references tenants,
    id              uuid not null,
    sequence        bigint not null,
    code            text not null,
    code_key        text collate "C" not null,
    name            text not null,
    description     text,
    decision_types  text[] not null,
    policy_group_id uuid,
    shadow_mode     boolean not null,
    inheritable     boolean not null,
    regulatory_refs text[] not null,
    active_version  integer,
    draft_version   integer,
    latest_version  integer not null default 0 check (latest_version >= 0),
    ratified_ever   boolean not null default false,
    created_at      timestamptz not null,
    created_by      text,
    updated_at      timestamptz not null,
    primary key (tenant_id, id),
    constraint policies_unique_code unique (tenant_id, code_key),
    constraint policies_unique_sequence unique (tenant_id, sequence)
);
grant select, insert,
    update (name, description, decision_types, policy_group_id, shadow_mode, inheritable,
        regulatory_refs, active_version, draft_version, latest_version, ratified_ever, updated_at),
    delete on policies to govern_app;
grant select on policies to govern_verify;

alter table policies enable row level security, force row level security;
create policy of_tenant on policies
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

-- `rules` is the canonical array as authored: the text that `rules_digest` was taken of.
-- `makers` are the people who created, edited or submitted this version; none of them ratifies it.
create table policy_versions (
    tenant_id         uuid not null,
    policy_id         uuid not null,
    version           integer not null check (version >= 1),
    id                uuid not null,
    draft_revision    integer not null check (draft_revision >= 1),
    rules             text not null,
    rules_digest      text not null,
    is_active         boolean not null,
    status            text not null
        check (status in ('draft', 'submitted', 'ratified', 'replaced', 'set_aside')),
    created_at        timestamptz not null,
    created_by        text,
    change_reason     text,
    based_on_version  integer,
    submitted_at      timestamptz,
    submitted_by      text,
    rejected_at       timestamptz,
    rejected_by       text,
    rejection_reason  text,
    ratified_at       timestamptz,
    ratified_by       text,
    ratification_note text,
    activated_at      timestamptz,
    activated_by      text,
    closed_at         timestamptz,
    closed_by         text,
    closed_reason     text,
    makers            uuid[] not null,
    primary key (tenant_id, policy_id, version),
    constraint policy_versions_unique_id unique (tenant_id, id),
    foreign key (tenant_id, policy_id) references policies,
    constraint policy_versions_active_is_ratified check (status = 'ratified' or not is_active)
);
create unique index policy_versions_one_open on policy_versions (tenant_id, policy_id)
    where status in ('draft', 'submitted');
create unique index policy_versions_one_active on policy_versions (tenant_id, policy_id)
    where is_active;
grant select, insert,
    update (draft_revision, rules, rules_digest, is_active, status, change_reason,
        submitted_at, submitted_by, rejected_at, rejected_by, rejection_reason,
        ratified_at, ratified_by, ratification_note, activated_at, activated_by,
        closed_at, closed_by, closed_reason, makers),
    delete on policy_versions to govern_app;
grant select on policy_versions to govern_verify;

alter table policy_versions enable row level security, force row level security;
create policy of_tenant on policy_versions
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

-- Content-addressed: `body` is the canonical object that `digest` was taken of.
create table policy_snapshots (
    tenant_id            uuid not null,
    id                   uuid not null,
    digest               text not null,
    body                 text not null,
    evaluated_rules_hash text not null,
    created_at           timestamptz not null,
    primary key (tenant_id, id),
    constraint policy_snapshots_unique_digest unique (tenant_id, digest)
);
grant select, insert on policy_snapshots to govern_app;
grant select on policy_snapshots to govern_verify;

alter table policy_snapshots enable row level security, force row level security;
create policy of_tenant on policy_snapshots
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger rows_are_kept before update or delete on policy_snapshots
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on policy_snapshots
    for each statement execute function refuse_change();
alter table policy_snapshots
    enable always trigger rows_are_kept, enable always trigger table_is_kept;
