-- Counts of decisions by the hour, UTC. They are derived: each is what a plain count over the log
-- would say, up to the event that `rollup_marks` names, so charts need not walk the log.

-- How far the tenant's line of events is counted. Whoever counts on holds this row.
create table rollup_marks (
    tenant_id uuid primary key references tenants,
    sequence  bigint not null
);

-- Each decision once.
create table decision_hours (
    tenant_id uuid not null,
    hour      timestamptz not null,
    decision  text not null,
    is_shadow boolean not null,
    decisions bigint not null,
    primary key (tenant_id, hour, decision, is_shadow)
);

-- Each decision once for each policy that it looked at.
create table policy_hours (
    tenant_id uuid not null,
    policy_id uuid not null,
    hour      timestamptz not null,
    version   integer not null,
    decision  text not null,
    is_shadow boolean not null,
    decisions bigint not null,
    primary key (tenant_id, policy_id, hour, version, decision, is_shadow)
);

-- Each decision once for each rule that it looked at: the rule applied (`evaluated`) or not (`na`).
-- Outcomes count for the rules that the decision violates, in the hour of the decision.
create table rule_hours (
    tenant_id  uuid not null,
    hour       timestamptz not null,
    policy_id  uuid not null,
    version    integer not null,
    rule_code  text collate "C" not null,
    is_shadow  boolean not null,
    evaluated  bigint not null,
    violated   bigint not null,
    na         bigint not null,
    outcomes   bigint not null,
    overridden bigint not null,
    primary key (tenant_id, hour, policy_id, version, rule_code, is_shadow)
);

-- Evaluation times. Step n holds those up to 0.001 ms times 2 to the power of n/8.
create table latency_hours (
    tenant_id uuid not null,
    hour      timestamptz not null,
    step      smallint not null,
    decisions bigint not null,
    primary key (tenant_id, hour, step)
);

grant select, insert, update (sequence) on rollup_marks to govern_app;
grant select, insert, update (decisions)
    on decision_hours, policy_hours, latency_hours to govern_app;
grant select, insert, update (evaluated, violated, na, outcomes, overridden)
    on rule_hours to govern_app;
grant select on rollup_marks, decision_hours, policy_hours, rule_hours, latency_hours
    to govern_verify;

do $$
declare
    name text;
begin
    foreach name in array array[
        'rollup_marks', 'decision_hours', 'policy_hours', 'rule_hours', 'latency_hours'] loop
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy of_tenant on %I
            using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', name);
    end loop;
end
$$;
