-- Filters of the log that a person keeps under a name. They go with the membership.

create table saved_filters (
    tenant_id  uuid not null,
    user_id    uuid not null,
    id         uuid not null,
    name       text not null,
    query      text not null,
    created_at timestamptz not null,
    primary key (tenant_id, user_id, id),
    constraint saved_filters_unique_name unique (tenant_id, user_id, name),
    foreign key (tenant_id, user_id) references members on delete cascade
);
grant select, insert, delete on saved_filters to govern_app;

alter table saved_filters enable row level security, force row level security;
create policy of_tenant on saved_filters
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
