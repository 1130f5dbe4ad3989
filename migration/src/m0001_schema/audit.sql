-- The hash-chained audit log of each tenant, its personal data and its checkpoints.

-- `event` is the hashed object. `prev` of the first event is empty, not null, so that the unique constraint
-- also prevents a second first event.
--
-- No two events of a log have the same predecessor, so the log cannot fork. The head row prevents it in the service;
-- the constraint also prevents it for every other writer.
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
    hash        bytea not null,
    prev        bytea not null,
    primary key (tenant_id, seq),
    constraint audit_events_unique_prev unique (tenant_id, prev),
    constraint audit_events_one_start check ((prev = '') = (seq = 1))
);
-- Most events record decisions. A scan from the end of the log finds those, or the decision, which has the number of its
-- event. So three indexes omit them, which makes recording a decision cheaper.
create index audit_events_by_action on audit_events (tenant_id, action, seq)
    where action <> 'decision.record';
create index audit_events_by_object_type on audit_events (tenant_id, object_type, seq)
    where object_type <> 'decision';
create index audit_events_by_actor on audit_events (tenant_id, actor_id, seq);
create index audit_events_by_object on audit_events (tenant_id, object_id, seq)
    where action <> 'decision.record';
create index audit_events_by_time on audit_events (tenant_id, occurred_at, seq);
grant select, insert on audit_events to govern_app;
grant select on audit_events to govern_verify;

-- Erasable personal data of an event (names, addresses, user agents), bound to it by a salted digest.
--
-- Both rows are inserted together and events are never deleted, so there is no foreign key. Its check
-- would slow down every record and never find an error.
--
-- Under row-level security an index serves only leakproof conditions, that is, comparisons of plain
-- columns. The address is therefore a column.
create table audit_personal (
    tenant_id uuid not null,
    seq       bigint not null,
    personal  text not null,
    email     text generated always as (personal::jsonb -> 'data' ->> 'email') stored,
    primary key (tenant_id, seq)
);
create index audit_personal_by_email on audit_personal (tenant_id, email, seq)
    where email is not null;
grant select, insert, delete on audit_personal to govern_app;

create table audit_checkpoints (
    tenant_id uuid not null,
    seq       bigint not null,
    hash      bytea not null,
    primary key (tenant_id, seq),
    foreign key (tenant_id, seq) references audit_events
);
grant select, insert on audit_checkpoints to govern_app;
grant select on audit_checkpoints to govern_verify;

call enforce_tenant_isolation('audit_events', 'audit_personal', 'audit_checkpoints');
call enforce_append_only('audit_events', 'audit_checkpoints');

-- Every 256th event is a checkpoint. The trigger inserts it in the transaction of the event.
create function create_audit_checkpoint() returns trigger
    language plpgsql
    set search_path = public
as $$
begin
    insert into audit_checkpoints (tenant_id, seq, hash) values (new.tenant_id, new.seq, new.hash);
    return null;
end
$$;
create trigger create_audit_checkpoint after insert on audit_events
    for each row when (new.seq % 256 = 0) execute function create_audit_checkpoint();
