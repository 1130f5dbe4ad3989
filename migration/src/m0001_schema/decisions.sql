-- Recorded decisions, their outcomes, and tables for their queries.

-- `texts` contains the record, and the preimages of its digests: the context, the integrity hash and the statement, in this
-- order, separated by line feeds, which JSON escapes. An absent text is empty. The texts are in a Zstandard frame. The
-- other columns are for queries. A receipt with schema version 1 signs the hexadecimal integrity hash, whose preimage is
-- unknown.
--
-- A snapshot is never deleted, and `record_group` stores a decision only if the head has the counter of its snapshot. The
-- check of a foreign key would lock the row of the snapshot for every decision.
create table decisions (
    tenant_id              uuid not null,
    id                     uuid not null,
    sequence               bigint not null,
    idempotency_key        text collate "C" not null,
    request_digest         bytea not null,
    decision_type          text not null,
    decision               text not null check (decision in ('ALLOW', 'ALERT', 'REVIEW', 'DENY')),
    correlation_id         text not null,
    policy_id              uuid not null,
    policy_version         integer not null,
    snapshot_id            uuid not null,
    actor_id               text,
    policy_ids             uuid[] not null,
    rule_codes             text[] not null,
    -- The highest severity of the violations.
    severity               text check (severity in ('low', 'medium', 'high', 'critical')),
    -- Whether shadow mode made the verdict milder.
    shadow_converted       boolean not null default false,
    recorded_at            timestamptz not null,
    texts                  bytea not null,
    receipt_digest         bytea not null,
    receipt_schema_version integer not null default 2 check (receipt_schema_version in (1, 2)),
    signature              text,
    kid                    text,
    chain_id               uuid,
    chain_step             integer,
    parent_decision_id     uuid,
    primary key (tenant_id, id),
    constraint decisions_unique_idempotency_key unique (tenant_id, idempotency_key),
    constraint decisions_unique_sequence unique (tenant_id, sequence) include (recorded_at),
    constraint decisions_signature_all_or_none check ((signature is null) = (kid is null)),
    constraint decisions_chain_all_or_none check (
        (chain_id is null) = (chain_step is null)
        and (parent_decision_id is null or chain_id is not null))
);

-- A row of up to half a page is stored in one piece. A second table for its texts would cost a row and an index entry
-- for each decision.
alter table decisions set (toast_tuple_target = 4080);

-- PostgreSQL compresses texts that are not in a frame. lz4 needs much less processor time than pglz. Not every build of
-- PostgreSQL supports lz4.
do $$
begin
    alter table decisions alter column texts set compression lz4;
exception
    when feature_not_supported then
        raise notice 'this PostgreSQL was built without lz4; decisions are compressed with pglz';
end
$$;

-- One index per filter of the decision list, in its order. Array containment is not leakproof, so row-level
-- security prevents the use of an index for `policy_ids` and `rule_codes`.
create index decisions_by_type on decisions (tenant_id, decision_type, sequence desc);
create index decisions_by_verdict on decisions (tenant_id, decision, sequence desc);
create index decisions_by_correlation on decisions (tenant_id, correlation_id, sequence desc);
create index decisions_by_actor on decisions (tenant_id, actor_id, sequence desc)
    where actor_id is not null;
create index decisions_by_severity on decisions (tenant_id, severity, sequence desc)
    where severity is not null;
create index decisions_shadow_converted on decisions (tenant_id, sequence desc)
    where shadow_converted;
create unique index decisions_by_chain on decisions (tenant_id, chain_id, chain_step)
    where chain_id is not null;
-- The columns after `sequence` are for filters that do not read the row.
create index decisions_by_snapshot on decisions (tenant_id, snapshot_id, sequence desc, recorded_at,
    decision, severity, shadow_converted);

-- The rules that each decision violates, in the order of the decision list. `record_group` inserts these rows in the
-- statement that inserts the decision; a foreign key would only slow down each record with
-- its check.
create table decision_rules (
    tenant_id   uuid not null,
    rule_code   text collate "C" not null,
    sequence    bigint not null,
    snapshot_id uuid not null,
    primary key (tenant_id, rule_code, sequence) include (snapshot_id)
);

-- `record` is the response, byte for byte; the other columns are for queries. `sequence` is that of the decision.
create table outcomes (
    tenant_id   uuid not null,
    decision_id uuid not null,
    sequence    bigint not null,
    status      text not null check (status in
        ('accepted', 'overridden', 'escalated', 'expired', 'abandoned')),
    recorded_at timestamptz not null,
    record      text not null,
    primary key (tenant_id, decision_id),
    foreign key (tenant_id, decision_id) references decisions
);
-- Decisions by their outcome, in the order of the decision list.
create index outcomes_by_status on outcomes (tenant_id, status, sequence desc);

grant select, insert on decisions, decision_rules, outcomes to govern_app;
grant select on decisions, decision_rules, outcomes to govern_verify;

-- The tenant of each published ID, read before the tenant is known. An ID never changes its meaning.
create table public_ids (
    id        uuid primary key,
    tenant_id uuid not null,
    kind      text not null check (kind in ('decision', 'chain', 'form'))
);
grant select, insert on public_ids to govern_app;
grant select on public_ids to govern_verify;

-- Named queries of the decision list. They are deleted with the membership of their user.
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

call enforce_tenant_isolation('decisions', 'decision_rules', 'outcomes', 'saved_filters');
call enforce_append_only('decisions', 'decision_rules', 'outcomes');
