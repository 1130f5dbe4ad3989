-- What happened after a decision; a decision's place in a chain; and the ways to find decisions.

-- `record` is the answer, byte for byte; the other columns find and count it.
create table outcomes (
    tenant_id   uuid not null,
    decision_id uuid not null,
    status      text not null check (status in
        ('accepted', 'overridden', 'escalated', 'expired', 'abandoned')),
    recorded_at timestamptz not null,
    record      text not null,
    primary key (tenant_id, decision_id),
    foreign key (tenant_id, decision_id) references decisions
);

-- Chains, and receipts from before there was a statement: their signature is over the hex of the
-- integrity hash, and the preimage of that hash is not known.
alter table decisions
    add column chain_id uuid,
    add column chain_step integer,
    add column parent_decision_id uuid,
    add column receipt_schema_version integer not null default 2
        check (receipt_schema_version in (1, 2)),
    alter column integrity drop not null,
    alter column statement drop not null,
    add constraint decisions_place_in_chain check (
        (chain_id is null) = (chain_step is null)
        and (parent_decision_id is null or chain_id is not null)),
    add constraint decisions_state_what_was_signed check (
        receipt_schema_version = 1 or (integrity is not null and statement is not null));
create unique index decisions_by_chain on decisions (tenant_id, chain_id, chain_step)
    where chain_id is not null;

-- Containment in an array is not leakproof, so under row security no index answers it: each rule
-- that a decision violates has a row of its own, in the order of the list. It is made of the decision
-- in the same statement, so it refers to one without a foreign key that each record would pay for.
create table decision_rules (
    tenant_id   uuid not null,
    rule_code   text collate "C" not null,
    sequence    bigint not null,
    snapshot_id uuid not null,
    primary key (tenant_id, rule_code, sequence) include (snapshot_id)
);

create function index_decisions() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
        select distinct tenant_id, rule_code, sequence, snapshot_id
        from recorded, unnest(rule_codes) as rule_code;
    return null;
end
$$;
create trigger rules_are_indexed after insert on decisions
    referencing new table as recorded
    for each statement execute function index_decisions();

-- Which decisions looked at a policy is known from their snapshots, which are few.
create table snapshot_policies (
    tenant_id   uuid not null,
    policy_id   uuid not null,
    version     integer not null,
    snapshot_id uuid not null,
    primary key (tenant_id, policy_id, version, snapshot_id),
    foreign key (tenant_id, snapshot_id) references policy_snapshots
);

create function index_snapshots() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into snapshot_policies (tenant_id, policy_id, version, snapshot_id)
        select distinct tenant_id, (policy ->> 'policy_id')::uuid, (policy ->> 'version')::integer, id
        from appended, jsonb_array_elements(body::jsonb -> 'policies') as policy;
    return null;
end
$$;
create trigger policies_are_indexed after insert on policy_snapshots
    referencing new table as appended
    for each statement execute function index_snapshots();

-- Time, and here the verdict, stand in the index behind the order of the list: what lies outside of
-- them is passed over without a look at its row.
create index decisions_by_snapshot
    on decisions (tenant_id, snapshot_id, sequence desc, recorded_at, decision);
drop index decisions_by_time;
create index decisions_by_time on decisions (tenant_id, sequence desc, recorded_at);
-- Who decided is read from the record; no list asks for it.
drop index decisions_by_policy;

grant select, insert on outcomes, decision_rules, snapshot_policies to govern_app;
grant select on outcomes, decision_rules, snapshot_policies to govern_verify;

do $$
declare
    name text;
    tenant uuid;
begin
    foreach name in array array['outcomes', 'decision_rules', 'snapshot_policies'] loop
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy of_tenant on %I
            using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', name);
        execute format('create trigger rows_are_kept before update or delete on %I
            for each row execute function refuse_change()', name);
        execute format('create trigger table_is_kept before truncate on %I
            for each statement execute function refuse_change()', name);
        execute format('alter table %I enable always trigger rows_are_kept,
            enable always trigger table_is_kept', name);
    end loop;

    -- What is there already, tenant by tenant: row security holds the owner too.
    for tenant in select tenant_id from tenant_heads loop
        perform set_config('app.tenant', tenant::text, true);
        insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
            select distinct tenant_id, rule_code, sequence, snapshot_id
            from decisions, unnest(rule_codes) as rule_code;
        insert into snapshot_policies (tenant_id, policy_id, version, snapshot_id)
            select distinct tenant_id, (policy ->> 'policy_id')::uuid,
                (policy ->> 'version')::integer, id
            from policy_snapshots, jsonb_array_elements(body::jsonb -> 'policies') as policy;
    end loop;
    perform set_config('app.tenant', '', true);
end
$$;
