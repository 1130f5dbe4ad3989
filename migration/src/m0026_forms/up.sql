-- Hosted forms: what they ask, what opens them, and which decisions they led to.

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
    created_at      timestamptz not null,
    created_by      text,
    updated_at      timestamptz not null,
    primary key (tenant_id, id),
    constraint forms_unique_sequence unique (tenant_id, sequence),
    constraint forms_have_their_password check (access_mode <> 'password' or password_hash is not null),
    foreign key (tenant_id, policy_id) references policies on delete cascade
);
create index forms_of_policy on forms (tenant_id, policy_id);

-- What opens a form of access mode `token`. The token itself is not kept.
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
    primary key (tenant_id, id),
    constraint form_tokens_unique_digest unique (tenant_id, form_id, digest),
    constraint form_tokens_within_their_uses check (max_uses is null or uses <= max_uses),
    foreign key (tenant_id, form_id) references forms on delete cascade
);

-- Which decisions a form led to. A row comes before its decision, in one transaction; it stays when the
-- form goes.
create table form_submissions (
    tenant_id   uuid not null,
    form_id     uuid not null,
    decision_id uuid not null,
    primary key (tenant_id, form_id, decision_id),
    foreign key (tenant_id, decision_id) references decisions deferrable initially deferred
);

grant select, insert, delete, update (title, description, decision_type, fields, access_mode,
    password_hash, is_published, budget_limit, budget_window, window_start, tokens_used, submissions,
    branding, success_message, updated_at) on forms to govern_app;
grant select, insert, update (uses) on form_tokens to govern_app;
grant select, insert on form_submissions to govern_app;
grant select on form_submissions to govern_verify;

do $$
declare
    name text;
begin
    foreach name in array array['forms', 'form_tokens', 'form_submissions'] loop
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy of_tenant on %I
            using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', name);
    end loop;
end
$$;

create trigger rows_are_kept before update or delete on form_submissions
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on form_submissions
    for each statement execute function refuse_change();
alter table form_submissions
    enable always trigger rows_are_kept, enable always trigger table_is_kept;
