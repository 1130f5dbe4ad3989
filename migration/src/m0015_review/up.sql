-- Reviews: what was sealed for them, what people recorded, and the approvals that rest on them;
-- the lineage of drafts; and the grants under which programs write drafts.

-- The draft that this one corrects. A number always leads to a smaller one, so a lineage ends.
alter table policy_versions
    add column lineage_previous integer,
    add constraint policy_versions_lineage foreign key (tenant_id, policy_id, lineage_previous)
        references policy_versions,
    add constraint policy_versions_lineage_falls check (lineage_previous < version);
create unique index policy_versions_one_successor
    on policy_versions (tenant_id, policy_id, lineage_previous) where lineage_previous is not null;

-- What people were asked about stays what it was, at whose hand ever.
create trigger rules_are_fixed before update on policy_versions
    for each row
    when (old.status <> 'draft' and (old.rules, old.rules_digest, old.draft_revision)
        is distinct from (new.rules, new.rules_digest, new.draft_revision))
    execute function refuse_change();
create trigger closed_is_kept before update on policy_versions
    for each row
    when (old.status in ('replaced', 'set_aside'))
    execute function refuse_change();
alter table policy_versions
    enable always trigger rules_are_fixed, enable always trigger closed_is_kept;

-- `sealed` is the canonical object that `digest` was taken of, with the rules themselves: a draft may
-- move on, and one that was never ratified may go with its policy. What was sealed stays; so there is
-- no foreign key to the version. `sealer` is the person behind `sealed_by`, if there is one.
create table review_submissions (
    tenant_id          uuid not null,
    id                 uuid not null,
    policy_id          uuid not null,
    policy_version_id  uuid not null,
    version            integer not null check (version >= 1),
    sequence           integer not null check (sequence >= 1),
    candidate_revision integer not null check (candidate_revision >= 1),
    rules_digest       text not null,
    sealed             text not null,
    digest             text not null,
    sealed_at          timestamptz not null,
    sealed_by          text not null,
    sealer             uuid,
    answers_record_id  uuid,
    primary key (tenant_id, id),
    constraint review_submissions_unique_sequence unique (tenant_id, policy_version_id, sequence),
    constraint review_submissions_unique_revision
        unique (tenant_id, policy_version_id, candidate_revision)
);

-- `record` is the canonical object that `digest` was taken of.
create table review_records (
    tenant_id     uuid not null,
    id            uuid not null,
    submission_id uuid not null,
    verdict       text not null check (verdict in ('ACCEPT', 'RETURN')),
    recorded_at   timestamptz not null,
    recorded_by   text not null,
    record        text not null,
    digest        text not null,
    primary key (tenant_id, id),
    constraint review_records_one_for_each unique (tenant_id, submission_id),
    foreign key (tenant_id, submission_id) references review_submissions
);
-- A submission may answer an earlier return.
alter table review_submissions
    add foreign key (tenant_id, answers_record_id) references review_records;

-- `statement` is the canonical object that `digest` was taken of and the signature is over.
create table policy_approvals (
    tenant_id         uuid not null,
    policy_id         uuid not null,
    version           integer not null,
    policy_version_id uuid not null,
    statement         text not null,
    digest            text not null,
    signature         text,
    signature_kid     text,
    submission_id     uuid,
    accept_record_id  uuid,
    ratified_at       timestamptz not null,
    primary key (tenant_id, policy_id, version),
    constraint policy_approvals_unique_version unique (tenant_id, policy_version_id),
    constraint policy_approvals_unique_digest unique (tenant_id, digest),
    foreign key (tenant_id, policy_id, version) references policy_versions,
    foreign key (tenant_id, submission_id) references review_submissions,
    foreign key (tenant_id, accept_record_id) references review_records,
    constraint policy_approvals_signed_or_not check ((signature is null) = (signature_kid is null))
);

-- `statement` is the canonical object that `digest` was taken of and the signature is over. Uses,
-- revocation and carrying are state. A draft may go while a grant names it, so the version is no key.
create table capability_grants (
    tenant_id         uuid not null,
    id                uuid not null,
    sequence          bigint not null,
    root_id           uuid not null,
    parent_id         uuid,
    depth             integer not null check (depth between 1 and 64),
    api_key_id        uuid not null,
    policy_id         uuid not null,
    policy_version_id uuid not null,
    version           integer not null check (version >= 1),
    actions           text[] not null,
    not_before        timestamptz,
    expires_at        timestamptz,
    max_uses          integer check (max_uses >= 1),
    issued_by         uuid not null references users,
    issued_at         timestamptz not null,
    statement         text not null,
    digest            text not null,
    signature         text,
    signature_kid     text,
    uses              integer not null default 0 check (uses >= 0),
    revoked_at        timestamptz,
    revoked_by        text,
    carried_to        uuid,
    carried_at        timestamptz,
    primary key (tenant_id, id),
    constraint capability_grants_unique_sequence unique (tenant_id, sequence),
    foreign key (tenant_id, root_id) references capability_grants,
    foreign key (tenant_id, parent_id) references capability_grants,
    foreign key (tenant_id, carried_to) references capability_grants,
    foreign key (tenant_id, api_key_id) references api_keys,
    constraint capability_grants_root check (
        (parent_id is null) = (root_id = id) and (parent_id is null) = (depth = 1)),
    constraint capability_grants_signed_or_not check ((signature is null) = (signature_kid is null)),
    constraint capability_grants_carried check ((carried_to is null) = (carried_at is null))
);
create index capability_grants_of_version
    on capability_grants (tenant_id, policy_version_id, sequence);
create index capability_grants_of_root on capability_grants (tenant_id, root_id, depth);
create unique index capability_grants_one_successor on capability_grants (tenant_id, parent_id)
    where parent_id is not null;
-- A key has one grant that is not carried: the one that governs it.
create unique index capability_grants_governing on capability_grants (tenant_id, api_key_id)
    where carried_to is null;

grant select, insert on review_submissions, review_records, policy_approvals to govern_app;
grant select, insert, update (uses, revoked_at, revoked_by, carried_to, carried_at)
    on capability_grants to govern_app;
grant select on review_submissions, review_records, policy_approvals, capability_grants
    to govern_verify;

do $$
declare
    name text;
begin
    foreach name in array array['review_submissions', 'review_records', 'policy_approvals',
            'capability_grants'] loop
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy of_tenant on %I
            using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', name);
    end loop;
    foreach name in array array['review_submissions', 'review_records', 'policy_approvals'] loop
        execute format('create trigger rows_are_kept before update or delete on %I
            for each row execute function refuse_change()', name);
        execute format('create trigger table_is_kept before truncate on %I
            for each statement execute function refuse_change()', name);
        execute format('alter table %I enable always trigger rows_are_kept,
            enable always trigger table_is_kept', name);
    end loop;
end
$$;
