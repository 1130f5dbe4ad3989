-- Hosted forms, their tokens, and the decisions of their submissions.

create table forms (
    tenant_id       uuid not null,
    id              uuid not null,
    sequence        bigint not null,
    policy_id       uuid not null,
    title           text not null,
    description     text,
    decision_type   text not null,
    fields          text not null,
    access_mode     text not null check (access_mode in ('open', 'token', 'password', 'console')),
    password_hash   text,
    is_published    boolean not null,
    budget_limit    integer not null check (budget_limit > 0),
    budget_window   text not null check (budget_window in ('hour', 'day', 'total')),
    window_start    timestamptz not null,
    tokens_used     integer not null check (tokens_used >= 0),
    submissions     bigint not null check (submissions >= 0),
    branding        text not null,
    success_message text,
    language        text not null check (language in ('auto', 'en', 'de', 'fr', 'es')),
    created_at      timestamptz not null,
    created_by      text,
    updated_at      timestamptz not null,
    title_folded    text not null generated always as (fold_text(title)) stored,
    primary key (tenant_id, id),
    constraint forms_unique_sequence unique (tenant_id, sequence),
    constraint forms_password_required check (access_mode <> 'password' or password_hash is not null),
    foreign key (tenant_id, policy_id) references policies on delete cascade
);
create index forms_by_policy on forms (tenant_id, policy_id);
grant select, insert, delete, update (title, description, decision_type, fields, access_mode,
    password_hash, is_published, budget_limit, budget_window, window_start, tokens_used, submissions,
    branding, success_message, language, updated_at) on forms to govern_app;

-- Tokens of forms with access mode `token`, stored as digests. Revocation is permanent; the row remains.
create table form_tokens (
    tenant_id  uuid not null,
    id         uuid not null,
    form_id    uuid not null,
    digest     bytea not null,
    max_uses   integer check (max_uses > 0),
    uses       integer not null,
    expires_at timestamptz,
    created_at timestamptz not null,
    created_by text,
    revoked_at timestamptz,
    primary key (tenant_id, id),
    constraint form_tokens_unique_digest unique (tenant_id, form_id, digest),
    constraint form_tokens_uses_within_max check (max_uses is null or uses <= max_uses),
    foreign key (tenant_id, form_id) references forms on delete cascade
);
grant select, insert, update (uses, revoked_at) on form_tokens to govern_app;

-- The decision of each submission. A row is inserted before its decision in the same transaction, and
-- remains when the form is deleted.
create table form_submissions (
    tenant_id   uuid not null,
    form_id     uuid not null,
    decision_id uuid not null,
    primary key (tenant_id, form_id, decision_id),
    foreign key (tenant_id, decision_id) references decisions deferrable initially deferred
);
grant select, insert on form_submissions to govern_app;
grant select on form_submissions to govern_verify;

call enforce_tenant_isolation('forms', 'form_tokens', 'form_submissions');
call enforce_append_only('form_submissions');
