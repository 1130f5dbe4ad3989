-- Policy groups, policies, their versions and codifications, and policy snapshots.

create table policy_groups (
    tenant_id   uuid not null references tenants,
    id          uuid not null,
    sequence    bigint not null,
    code        text not null,
    code_key    text collate "C" not null,
    name        text not null,
    description text,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    primary key (tenant_id, id),
    constraint policy_groups_unique_code unique (tenant_id, code_key),
    constraint policy_groups_unique_sequence unique (tenant_id, sequence)
);
grant select, insert, update (code, code_key, name, description, updated_at), delete
    on policy_groups to govern_app;
grant select on policy_groups to govern_verify;

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
    was_ratified    boolean not null default false,
    created_at      timestamptz not null,
    created_by      text,
    updated_at      timestamptz not null,
    name_folded     text not null generated always as (fold_text(name)) stored,
    primary key (tenant_id, id),
    constraint policies_unique_code unique (tenant_id, code_key),
    constraint policies_unique_sequence unique (tenant_id, sequence),
    constraint policies_group_exists foreign key (tenant_id, policy_group_id) references policy_groups
);
-- Filters of the policy list, in its order. Decision types and parts of names have no index: row-level
-- security would prevent its use, and a tenant has few enough policies to scan.
create index policies_by_group on policies (tenant_id, policy_group_id, sequence desc)
    where policy_group_id is not null;
create index policies_active on policies (tenant_id, sequence desc)
    where active_version is not null;
grant select, insert,
    update (name, description, decision_types, policy_group_id, shadow_mode, inheritable,
        regulatory_refs, active_version, draft_version, latest_version, was_ratified, updated_at),
    delete on policies to govern_app;
grant select on policies to govern_verify;

-- `rules` is the canonical array as authored: the preimage of `rules_digest`.
-- `makers` are the users who created, edited or submitted the version and therefore cannot ratify it;
-- `has_unknown_maker` is true if a key without an owner did one of these.
-- `lineage_previous` is the draft that this one corrects. It is always smaller, so every lineage ends.
-- `lineage_set_aside` is true if that draft was set aside instead of replaced. A replaced draft has one
-- successor; several drafts can be based on a draft that was set aside.
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
    lineage_previous  integer,
    lineage_set_aside boolean not null default false,
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
    has_unknown_maker boolean not null default false,
    -- Only rules of active versions are found.
    rule_texts_folded text[] generated always as (case when is_active then fold_rule_texts(rules) end) stored,
    primary key (tenant_id, policy_id, version),
    constraint policy_versions_unique_id unique (tenant_id, id),
    foreign key (tenant_id, policy_id) references policies,
    constraint policy_versions_active_is_ratified check (status = 'ratified' or not is_active),
    constraint policy_versions_lineage foreign key (tenant_id, policy_id, lineage_previous)
        references policy_versions,
    constraint policy_versions_lineage_decreasing check (lineage_previous < version),
    constraint policy_versions_set_aside_has_lineage
        check (lineage_previous is not null or not lineage_set_aside)
);
create unique index policy_versions_one_open on policy_versions (tenant_id, policy_id)
    where status in ('draft', 'submitted');
create unique index policy_versions_one_active on policy_versions (tenant_id, policy_id)
    where is_active;
create unique index policy_versions_one_successor
    on policy_versions (tenant_id, policy_id, lineage_previous)
    where lineage_previous is not null and not lineage_set_aside;
grant select, insert,
    update (draft_revision, rules, rules_digest, is_active, status, change_reason,
        submitted_at, submitted_by, rejected_at, rejected_by, rejection_reason,
        ratified_at, ratified_by, ratification_note, activated_at, activated_by,
        closed_at, closed_by, closed_reason, makers, has_unknown_maker),
    delete on policy_versions to govern_app;
grant select on policy_versions to govern_verify;

-- Only a draft's rules can change, and a closed version cannot change at all.
create trigger freeze_submitted_rules before update on policy_versions
    for each row
    when (old.status <> 'draft' and (old.rules, old.rules_digest, old.draft_revision)
        is distinct from (new.rules, new.rules_digest, new.draft_revision))
    execute function reject_change();
create trigger prevent_closed_version_changes before update on policy_versions
    for each row
    when (old.status in ('replaced', 'set_aside'))
    execute function reject_change();
alter table policy_versions
    enable always trigger freeze_submitted_rules,
    enable always trigger prevent_closed_version_changes;

-- The codification of a draft: one row per revision that changed it, so that a reviewer of a revision reads
-- its codification. `block` is the request and `record` the response; both are null if the revision removed
-- the codification. Rows remain when a draft is deleted, and its version number is not reused.
create table codifications (
    tenant_id      uuid not null references tenants,
    policy_id      uuid not null,
    version        integer not null check (version >= 1),
    draft_revision integer not null check (draft_revision >= 1),
    block          text,
    record         text,
    created_at     timestamptz not null,
    primary key (tenant_id, policy_id, version, draft_revision),
    constraint codifications_all_or_none check ((block is null) = (record is null))
);

-- Snapshots are content-addressed: `body` is the canonical object of `digest`.
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

-- The policies of each snapshot. Decisions are found by policy through their snapshots, which are few.
create table snapshot_policies (
    tenant_id   uuid not null,
    policy_id   uuid not null,
    version     integer not null,
    snapshot_id uuid not null,
    primary key (tenant_id, policy_id, version, snapshot_id),
    foreign key (tenant_id, snapshot_id) references policy_snapshots
);

create function index_snapshot_policies() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into snapshot_policies (tenant_id, policy_id, version, snapshot_id)
        select distinct tenant_id, (policy ->> 'policy_id')::uuid, (policy ->> 'version')::integer, id
        from new_snapshots, jsonb_array_elements(body::jsonb -> 'policies') as policy;
    return null;
end
$$;
create trigger index_snapshot_policies after insert on policy_snapshots
    referencing new table as new_snapshots
    for each statement execute function index_snapshot_policies();

grant select, insert on codifications, policy_snapshots, snapshot_policies to govern_app;
grant select on codifications, policy_snapshots, snapshot_policies to govern_verify;

call enforce_tenant_isolation('policy_groups', 'policies', 'policy_versions', 'codifications',
    'policy_snapshots', 'snapshot_policies');
call enforce_append_only('codifications', 'policy_snapshots', 'snapshot_policies');
