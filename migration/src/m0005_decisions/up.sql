-- Recorded decisions. `record` is the answer and `context`, `integrity` and `statement` are the
-- preimages of its digests, byte for byte; the other columns only find the row again.

create table decisions (
    tenant_id       uuid not null,
    id              uuid not null,
    sequence        bigint not null,
    idempotency_key text collate "C" not null,
    request_digest  text not null,
    decision_type   text not null,
    decision        text not null check (decision in ('ALLOW', 'ALERT', 'REVIEW', 'DENY')),
    correlation_id  text not null,
    policy_id       uuid not null,
    policy_version  integer not null,
    snapshot_id     uuid not null,
    actor_id        text,
    policy_ids      uuid[] not null,
    rule_codes      text[] not null,
    recorded_at     timestamptz not null,
    record          text not null,
    context         text not null,
    integrity       text not null,
    statement       text not null,
    receipt_digest  text not null,
    signature       text,
    kid             text,
    primary key (tenant_id, id),
    constraint decisions_unique_idempotency_key unique (tenant_id, idempotency_key),
    constraint decisions_unique_sequence unique (tenant_id, sequence),
    foreign key (tenant_id, snapshot_id) references policy_snapshots,
    constraint decisions_signed_by_a_key check ((signature is null) = (kid is null))
);

-- One index for each filter of a list, in the order of the list. `policy_ids` and `rule_codes` have
-- none: under row security an index is not asked about containment, which is not leakproof.
create index decisions_by_type on decisions (tenant_id, decision_type, sequence desc);
create index decisions_by_verdict on decisions (tenant_id, decision, sequence desc);
create index decisions_by_correlation on decisions (tenant_id, correlation_id, sequence desc);
create index decisions_by_policy on decisions (tenant_id, policy_id, sequence desc);
create index decisions_by_actor on decisions (tenant_id, actor_id, sequence desc)
    where actor_id is not null;
-- Rows arrive in the order of time, so a few bytes for each block find a range of it.
create index decisions_by_time on decisions using brin (recorded_at);

grant select, insert on decisions to govern_app;
grant select on decisions to govern_verify;

alter table decisions enable row level security, force row level security;
create policy of_tenant on decisions
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger rows_are_kept before update or delete on decisions
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on decisions
    for each statement execute function refuse_change();
alter table decisions
    enable always trigger rows_are_kept, enable always trigger table_is_kept;

-- Where a public look-up must go. An id that has left the house keeps its meaning for ever.
create table public_ids (
    id        uuid primary key,
    tenant_id uuid not null,
    kind      text not null check (kind in ('decision', 'chain', 'form'))
);
grant select, insert on public_ids to govern_app;
grant select on public_ids to govern_verify;
