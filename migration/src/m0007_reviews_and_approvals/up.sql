-- Review submissions, review records and approvals of policy versions.

-- `sealed` is the canonical object of `digest`, including the rules. A submission remains when its draft
-- changes or is deleted, so there is no foreign key to the version. `sealer` is the user behind
-- `sealed_by`, if there is one.
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

-- `record` is the canonical object of `digest`.
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
    constraint review_records_one_per_submission unique (tenant_id, submission_id),
    foreign key (tenant_id, submission_id) references review_submissions
);
-- A submission can address the changes that an earlier record requested.
alter table review_submissions
    add foreign key (tenant_id, answers_record_id) references review_records;

-- `statement` is the canonical object of `digest` and of the signature.
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
    constraint policy_approvals_signature_all_or_none
        check ((signature is null) = (signature_kid is null))
);

grant select, insert on review_submissions, review_records, policy_approvals to govern_app;
grant select on review_submissions, review_records, policy_approvals to govern_verify;

call enforce_tenant_isolation('review_submissions', 'review_records', 'policy_approvals');
call enforce_append_only('review_submissions', 'review_records', 'policy_approvals');
