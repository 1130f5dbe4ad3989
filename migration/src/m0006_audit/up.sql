-- The audit chain of each tenant, and beside it what of a person may be erased.

-- `event` is the hashed object. `prev` is empty, not null, at the start: so the unique constraint
-- holds there too, and no tenant has two beginnings.
create table audit_events (
    tenant_id   uuid not null,
    seq         bigint not null check (seq >= 1),
    event_id    uuid not null,
    occurred_at timestamptz not null,
    action      text not null,
    actor_type  text not null check (actor_type in ('human', 'api_key', 'capability', 'system')),
    actor_id    text not null,
    object_type text not null,
    object_id   text not null,
    event       text not null,
    hash        text not null,
    prev        text not null,
    primary key (tenant_id, seq),
    constraint audit_events_unique_id unique (tenant_id, event_id),
    constraint audit_events_unique_prev unique (tenant_id, prev),
    constraint audit_events_one_start check ((prev = '') = (seq = 1))
);
grant select, insert on audit_events to govern_app;
grant select on audit_events to govern_verify;

alter table audit_events enable row level security, force row level security;
create policy of_tenant on audit_events
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger rows_are_kept before update or delete on audit_events
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on audit_events
    for each statement execute function refuse_change();
alter table audit_events
    enable always trigger rows_are_kept, enable always trigger table_is_kept;

-- Names, addresses and agents, bound to their event by a salted digest.
create table audit_personal (
    tenant_id uuid not null,
    seq       bigint not null,
    personal  text not null,
    primary key (tenant_id, seq),
    foreign key (tenant_id, seq) references audit_events
);
grant select, insert, delete on audit_personal to govern_app;

alter table audit_personal enable row level security, force row level security;
create policy of_tenant on audit_personal
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
