-- Hourly counts of decisions (UTC). They are derived: each equals a count over the recorded decisions up to
-- the sequence number in `rollup_cursors`, so that charts need not read the decisions.

-- The sequence number up to which a tenant's events are counted. The rollup worker locks this row.
create table rollup_cursors (
    tenant_id uuid primary key references tenants,
    sequence  bigint not null
);

-- Counts each decision once.
create table decision_hours (
    tenant_id uuid not null,
    hour      timestamptz not null,
    decision  text not null,
    is_shadow boolean not null,
    decisions bigint not null,
    primary key (tenant_id, hour, decision, is_shadow)
);

-- Counts each decision once per evaluated policy.
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

-- Counts each decision once per rule: the rule applied (`evaluated`) or not (`na`). Outcomes count for the
-- rules that the decision violates, in the hour of the decision.
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

-- Counts evaluation times. Step n contains times up to 0.001 ms · 2^(n/8).
create table latency_hours (
    tenant_id uuid not null,
    hour      timestamptz not null,
    step      smallint not null,
    decisions bigint not null,
    primary key (tenant_id, hour, step)
);

grant select, insert, update (sequence) on rollup_cursors to govern_app;
grant select, insert, update (decisions)
    on decision_hours, policy_hours, latency_hours to govern_app;
grant select, insert, update (evaluated, violated, na, outcomes, overridden)
    on rule_hours to govern_app;
grant select on rollup_cursors, decision_hours, policy_hours, rule_hours, latency_hours
    to govern_verify;

call enforce_tenant_isolation(
    'rollup_cursors', 'decision_hours', 'policy_hours', 'rule_hours', 'latency_hours');
