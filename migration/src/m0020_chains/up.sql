-- Chains of decisions: their heads, their links and their seals.

-- The head of a chain: whoever adds a link, or seals it, holds this row. What a verifier judges is
-- `chain_links` and `chain_seals`; this row says how far they must reach.
create table chains (
    tenant_id    uuid not null references tenants,
    id           uuid not null,
    links        integer not null default 0 check (links >= 0),
    head         text not null default '',
    highest_step integer not null default 0 check (highest_step >= 0),
    is_sealed    boolean not null default false,
    primary key (tenant_id, id),
    constraint chains_head_of_links check ((head = '') = (links = 0)),
    constraint chains_sealed_with_links check (links > 0 or not is_sealed)
);
grant select, insert, update (links, head, highest_step, is_sealed) on chains to govern_app;
grant select on chains to govern_verify;

alter table chains enable row level security, force row level security;
create policy of_tenant on chains
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger sealed_is_kept before update on chains
    for each row when (old.is_sealed) execute function refuse_change();
alter table chains enable always trigger sealed_is_kept;

-- `link` is what was hashed and signed, byte for byte; the other columns find it. `prev` is empty, not
-- null, at the start, so that no chain has two beginnings. `sequence` is that of the decision: a chain
-- stands in a list where its first decision does.
--
-- A link is written with its decision, under its chain's head, and none of them is ever removed. A
-- foreign key would find nothing wrong, yet each record would pay for it (see m0014).
create table chain_links (
    tenant_id   uuid not null,
    chain_id    uuid not null,
    position    integer not null check (position >= 1),
    step        integer not null check (step between 1 and 999999),
    decision_id uuid not null,
    sequence    bigint not null,
    link        text not null,
    hash        text not null,
    prev        text not null,
    signature   text,
    kid         text,
    primary key (tenant_id, chain_id, position),
    constraint chain_links_unique_step unique (tenant_id, chain_id, step),
    constraint chain_links_unique_prev unique (tenant_id, chain_id, prev),
    constraint chain_links_unique_decision unique (tenant_id, decision_id),
    constraint chain_links_one_start check ((prev = '') = (position = 1)),
    constraint chain_links_signed_by_a_key check ((signature is null) = (kid is null))
);
create unique index chain_links_starts on chain_links (tenant_id, sequence desc) where position = 1;

create table chain_seals (
    tenant_id uuid not null,
    chain_id  uuid not null,
    seal      text not null,
    digest    text not null,
    signature text,
    kid       text,
    sealed_at timestamptz not null,
    primary key (tenant_id, chain_id),
    foreign key (tenant_id, chain_id) references chains,
    constraint chain_seals_signed_by_a_key check ((signature is null) = (kid is null))
);
grant select, insert on chain_links, chain_seals to govern_app;
grant select on chain_links, chain_seals to govern_verify;

do $$
declare
    name text;
begin
    foreach name in array array['chain_links', 'chain_seals'] loop
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
end
$$;

drop function record_group;

-- Writes one tenant's part of a group of decisions. A group is one statement that calls it for each of
-- its tenants, in the order of their ids, so that groups never wait in a circle: one round trip, and
-- one transaction. (An array is a parameter of its own for each tenant, because plpgsql copies a whole
-- array to take a part of it.)
--
-- It has the rights of its caller, and row security holds: it sets the tenant. The caller has made the
-- decisions and linked their audit events to the head that it remembers. When the head is another by
-- now, or one of the keys was used before, nothing is written; the answer says where the head is, and
-- what was stored under those keys.
--
-- Texts that may be absent are empty then: none of them can be empty when it is there.
create function record_group(
    waits            boolean,       -- for a head that somebody holds; else the tenant is left out
    of_tenant        uuid,
    -- The head that the records were linked to and decided at.
    seq              bigint,
    hash             text,
    counter          bigint,
    -- Of each record.
    ids              uuid[],
    keys             text[],
    request_digests  text[],
    decision_types   text[],
    verdicts         text[],
    correlation_ids  text[],
    deciding         uuid[],
    versions         integer[],
    snapshots        uuid[],
    actors           text[],
    looked_at        text[],        -- arrays in their text form
    violated         text[],
    moments          timestamptz[],
    records          text[],
    contexts         text[],
    integrities      text[],
    statements       text[],
    receipt_digests  text[],
    signatures       text[],
    kids             text[],
    -- Of each record's audit event.
    event_ids        uuid[],
    event_actors     text[],
    event_actor_ids  text[],
    events           text[],
    event_hashes     text[],
    event_prevs      text[],
    personals        text[],
    -- The place in a chain of the only record. Its link is the caller's to write, who holds the head of
    -- the chain.
    chain            uuid default null,
    step             integer default null,
    parent           uuid default null
)
-- Nothing, when all was written.
returns table (
    at_seq        bigint,           -- the head; null when somebody holds it, and beside a known key
    at_hash       text,
    at_counter    bigint,
    known_key     text,             -- a key that was used before, and what was recorded under it
    known_id      uuid,
    known_request text,
    known_record  text
)
language plpgsql
-- The tables grow quickly, so what a session has planned while they were small must hold.
set enable_seqscan = off
as $$
declare
    size        integer := cardinality(ids);
    seq_now     bigint;
    hash_now    text;
    counter_now bigint;
    is_refused  boolean := false;
begin
    perform set_config('app.tenant', of_tenant::text, true);
    if waits then
        select h.audit_seq, h.audit_hash, h.activation_counter
            into seq_now, hash_now, counter_now
            from tenant_heads h where h.tenant_id = of_tenant for update;
    else
        select h.audit_seq, h.audit_hash, h.activation_counter
            into seq_now, hash_now, counter_now
            from tenant_heads h where h.tenant_id = of_tenant for update skip locked;
    end if;
    if seq_now is null and waits then
        raise exception 'the tenant % has no head', of_tenant;
    end if;
    if (seq_now, hash_now, counter_now) = (seq, hash, counter) then
        -- No look-up of the keys comes first: the index that keeps them apart tells which is known, in
        -- whatever state the tables are. A plan for a look-up, made while they were empty, may read
        -- all that the tenant has.
        begin
            insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
                decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
                actor_id, policy_ids, rule_codes, recorded_at, record, context, integrity,
                statement, receipt_digest, signature, kid, chain_id, chain_step, parent_decision_id)
            select of_tenant, r.id, seq_now + r.place, r.key, r.request_digest,
                r.decision_type, r.verdict, r.correlation_id, r.policy, r.version, r.snapshot,
                nullif(r.actor, ''), r.looked_at::uuid[], r.violated::text[], r.moment, r.record,
                r.context, r.integrity, r.statement, r.receipt_digest,
                nullif(r.signature, ''), nullif(r.kid, ''), chain, step, parent
            from unnest(ids, keys, request_digests, decision_types, verdicts, correlation_ids, deciding,
                versions, snapshots, actors, looked_at, violated, moments, records, contexts, integrities,
                statements, receipt_digests, signatures, kids)
                with ordinality as r(id, key, request_digest, decision_type, verdict, correlation_id,
                    policy, version, snapshot, actor, looked_at, violated, moment, record, context,
                    integrity, statement, receipt_digest, signature, kid, place);

            insert into public_ids (id, tenant_id, kind)
            select r.id, of_tenant, 'decision' from unnest(ids) as r(id);

            insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type,
                actor_id, object_type, object_id, event, hash, prev)
            select of_tenant, seq_now + r.place, r.event_id, r.moment, 'decision.record',
                r.actor_type, r.actor_id, 'decision', r.id::text, r.event, r.hash, r.prev
            from unnest(ids, event_ids, moments, event_actors, event_actor_ids, events, event_hashes,
                event_prevs)
                with ordinality as r(id, event_id, moment, actor_type, actor_id, event, hash, prev, place);

            insert into audit_personal (tenant_id, seq, personal)
            select of_tenant, seq_now + r.place, r.personal
            from unnest(personals) with ordinality as r(personal, place)
            where r.personal <> '';

            update tenant_heads
            set audit_seq = seq_now + size, audit_hash = event_hashes[size]
            where tenant_id = of_tenant;
            return;
        exception when unique_violation then
            is_refused := true;
        end;
    end if;

    if seq_now is not null then
        return query select null::bigint, null::text, null::bigint,
            k.key, d.id, d.request_digest, d.record
        from unnest(keys) as k(key) cross join lateral (
            select * from decisions
            where tenant_id = of_tenant and idempotency_key = k.key limit 1) d;
        if is_refused and not found then
            raise exception 'the store refused decisions of % whose keys it does not know', of_tenant;
        end if;
    end if;
    return query select seq_now, hash_now, counter_now, null::text, null::uuid, null::text, null::text;
end
$$;
revoke execute on function record_group from public;
grant execute on function record_group to govern_app;
