-- Checkpoints of each tenant's audit chain, and the ways to find an event.

-- Salts the tag that stands for the tenant in a checkpoint. Tenants that are here already get one of
-- two random UUIDs; the service gives later ones theirs.
alter table tenant_heads add column audit_salt text not null
    default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
alter table tenant_heads alter column audit_salt drop default;

create table audit_checkpoints (
    tenant_id uuid not null,
    seq       bigint not null,
    hash      text not null,
    primary key (tenant_id, seq),
    foreign key (tenant_id, seq) references audit_events
);
grant select, insert on audit_checkpoints to govern_app;
grant select on audit_checkpoints to govern_verify;

alter table audit_checkpoints enable row level security, force row level security;
create policy of_tenant on audit_checkpoints
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger rows_are_kept before update or delete on audit_checkpoints
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on audit_checkpoints
    for each statement execute function refuse_change();
alter table audit_checkpoints
    enable always trigger rows_are_kept, enable always trigger table_is_kept;

-- Every 256th event is a checkpoint, whoever writes it: the row comes with the event itself.
create function checkpoint_event() returns trigger
    language plpgsql
    set search_path = public
as $$
begin
    insert into audit_checkpoints (tenant_id, seq, hash) values (new.tenant_id, new.seq, new.hash);
    return null;
end
$$;
create trigger every_256th_is_a_checkpoint after insert on audit_events
    for each row when (new.seq % 256 = 0) execute function checkpoint_event();

-- The events that are here already. Row security shows one tenant at a time, to its owner too.
do $$
declare
    tenant uuid;
begin
    for tenant in select tenant_id from tenant_heads loop
        perform set_config('app.tenant', tenant::text, true);
        insert into audit_checkpoints (tenant_id, seq, hash)
            select tenant_id, seq, hash from audit_events where seq % 256 = 0;
    end loop;
    perform set_config('app.tenant', '', true);
end
$$;

-- An index under row security serves conditions that leak nothing: plain columns, compared as they
-- are. Hence the address has a column. It is the one of the side row, and goes with it.
alter table audit_personal
    add column email text generated always as (personal::jsonb -> 'data' ->> 'email') stored;
create index audit_personal_by_email on audit_personal (tenant_id, email, seq)
    where email is not null;

-- Records of decisions are nearly all of a log: a look through its end finds them. So they stay out
-- of two indexes, and cost less to write.
create index audit_events_by_action on audit_events (tenant_id, action, seq)
    where action <> 'decision.record';
create index audit_events_by_object_type on audit_events (tenant_id, object_type, seq)
    where object_type <> 'decision';
create index audit_events_by_actor on audit_events (tenant_id, actor_id, seq);
create index audit_events_by_object on audit_events (tenant_id, object_id, seq);
create index audit_events_by_time on audit_events (tenant_id, occurred_at, seq);
