-- The function that records decisions.

-- Allows a group to insert rows of all its tenants, and to read none of them. The subquery is evaluated once
-- per statement.
do $$
declare
    name regclass;
begin
    foreach name in array array['decisions', 'decision_rules', 'audit_events', 'audit_personal',
        'audit_checkpoints']::regclass[]
    loop
        execute format('create policy group_insert on %s for insert
            with check (tenant_id = any ((select current_group())::uuid[]))', name);
    end loop;
end
$$;

-- Records a group of decisions of one or more tenants in one round trip and one transaction.
--
-- The function has the rights of its caller and sets the group, so row-level security applies. The caller has
-- evaluated the decisions and linked their audit events to the head it last read. If the head of a tenant has
-- changed since, the function stores nothing for this tenant and returns its head. A tenant whose head is locked is
-- skipped. A known idempotency key violates a unique constraint, and then nothing is stored.
--
-- Optional texts and hashes are passed as empty strings; a present one is never empty.
--
-- The elements are read by their position, so each field is named next to its array. PL/pgSQL has expanded the arrays,
-- so reading an element takes constant time.
create function record_group(
    wait_for_heads   boolean,       -- otherwise a tenant whose head is locked is skipped
    -- One element per tenant: the head that its records are linked to, and the head after them.
    tenants          uuid[],
    seqs             bigint[],
    hashes           bytea[],
    counters         bigint[],
    last_seqs        bigint[],
    last_hashes      bytea[],
    -- One element per record, ordered by tenant and sequence number. The event has the same sequence number.
    tenant_ids       uuid[],
    sequences        bigint[],
    ids              uuid[],
    keys             text[],
    request_digests  bytea[],
    decision_types   text[],
    verdicts         text[],
    correlation_ids  text[],
    policies         uuid[],
    policy_codes     text[],
    versions         integer[],
    snapshots        uuid[],
    actors           text[],
    evaluated        text[],        -- policy IDs; arrays in text form
    violated         text[],        -- rule codes; arrays in text form
    violated_policies text[],       -- their policy IDs; arrays in text form
    severities       text[],
    shadow_conversions boolean[],   -- whether shadow mode made the verdict milder
    times            timestamptz[],
    texts            bytea[],
    receipt_digests  bytea[],
    signatures       text[],
    kids             text[],
    event_ids        uuid[],
    event_actors     text[],
    event_actor_ids  text[],
    events           text[],
    event_hashes     bytea[],
    event_prevs      bytea[],
    personals        text[],
    -- The chain of a single record. The caller locks the head of the chain and inserts the link.
    chain            uuid default null,
    step             integer default null,
    parent           uuid default null
)
-- The tenants for which nothing was stored.
returns table (
    tenant_id        uuid,
    head_seq         bigint,        -- null if the head is locked
    head_hash        bytea,
    head_counter     bigint
)
language plpgsql
-- A session may have planned a statement while the tables were small; such a plan must suit large tables.
set enable_seqscan = off
-- Planning this statement again for each group takes longer than running it.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    target uuid;
begin
    perform set_config('app.group', tenants::text, true);
    -- Heads are locked in the order of the IDs, so that concurrent groups cannot deadlock.
    if wait_for_heads then
        perform from tenant_heads h where h.tenant_id = any (tenants) order by h.tenant_id for update;
    end if;
    return query
    with expected as materialized (
        select
            e.tenant_id,
            seqs[i] as seq,
            hashes[i] as hash,
            counters[i] as counter,
            last_seqs[i] as last_seq,
            last_hashes[i] as last_hash
        from unnest(tenants) with ordinality as e(tenant_id, i)
    ), head as materialized (
        select h.tenant_id, h.audit_seq, h.audit_hash, h.activation_counter
        from tenant_heads h
        where h.tenant_id = any (tenants)
        order by h.tenant_id
        for update skip locked
    ), unchanged as materialized (
        select e.tenant_id, e.last_seq, e.last_hash
        from expected e join head h on h.tenant_id = e.tenant_id
        where (h.audit_seq, h.audit_hash, h.activation_counter) = (e.seq, e.hash, e.counter)
    ), entry as materialized (
        select
            r.tenant_id,
            sequences[i] as sequence,
            ids[i] as id,
            keys[i] as key,
            request_digests[i] as request_digest,
            decision_types[i] as decision_type,
            verdicts[i] as verdict,
            correlation_ids[i] as correlation_id,
            policies[i] as policy,
            versions[i] as version,
            snapshots[i] as snapshot,
            actors[i] as actor,
            evaluated[i] as evaluated,
            violated[i] as violated,
            severities[i] as severity,
            shadow_conversions[i] as is_converted,
            times[i] as recorded_at,
            texts[i] as texts,
            receipt_digests[i] as receipt_digest,
            signatures[i] as signature,
            kids[i] as kid,
            event_ids[i] as event_id,
            event_actors[i] as event_actor,
            event_actor_ids[i] as event_actor_id,
            events[i] as event,
            event_hashes[i] as event_hash,
            event_prevs[i] as event_prev,
            personals[i] as personal
        from unnest(tenant_ids) with ordinality as r(tenant_id, i)
        where r.tenant_id in (select u.tenant_id from unchanged u)
    ), decision as (
        insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
            decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
            actor_id, policy_ids, rule_codes, severity, shadow_converted, recorded_at, texts,
            receipt_digest, signature, kid, chain_id, chain_step, parent_decision_id)
        select r.tenant_id, r.id, r.sequence, r.key, r.request_digest, r.decision_type, r.verdict,
            r.correlation_id, r.policy, r.version, r.snapshot, nullif(r.actor, ''),
            r.evaluated::uuid[], r.violated::text[], nullif(r.severity, ''), r.is_converted,
            r.recorded_at, r.texts, r.receipt_digest, nullif(r.signature, ''), nullif(r.kid, ''),
            chain, step, parent
        from entry r
    ), rule as (
        insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
        select r.tenant_id, code, r.sequence, r.snapshot
        from entry r cross join unnest(r.violated::text[]) code
    ), pending as (
        insert into log_pending (kind, digest)
        select 'receipt', r.receipt_digest from entry r order by r.tenant_id, r.sequence
    ), public_id as (
        insert into public_ids (id, tenant_id, kind)
        select r.id, r.tenant_id, 'decision' from entry r
    ), event as (
        insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type,
            actor_id, object_type, object_id, event, hash, prev)
        select r.tenant_id, r.sequence, r.event_id, r.recorded_at, 'decision.record',
            r.event_actor, r.event_actor_id, 'decision', r.id::text, r.event, r.event_hash,
            r.event_prev
        from entry r
    ), personal as (
        insert into audit_personal (tenant_id, seq, personal)
        select r.tenant_id, r.sequence, r.personal from entry r where r.personal <> ''
    ), advanced as (
        update tenant_heads h set audit_seq = u.last_seq, audit_hash = u.last_hash
        from unchanged u where h.tenant_id = u.tenant_id
    )
    select e.tenant_id, h.audit_seq, h.audit_hash, h.activation_counter
    from expected e left join head h on h.tenant_id = e.tenant_id
    where e.tenant_id not in (select u.tenant_id from unchanged u);

    -- The alerts of each tenant are created with its rights, because a group can read no rows, and the least severity
    -- is a setting. A tenant for which nothing was stored has no decisions with these IDs.
    for target in
        select distinct r.tenant_id from unnest(tenant_ids) with ordinality as r(tenant_id, i)
        where verdicts[i] <> 'ALLOW'
    loop
        perform set_config('app.tenant', target::text, true);
        -- Materialized, because row-level security allows the index only for a comparison with a column.
        with entry as materialized (
            select
                r.tenant_id,
                ids[i] as id,
                policy_codes[i] as policy_code,
                violated_policies[i] as violated_policies
            from unnest(tenant_ids) with ordinality as r(tenant_id, i)
        )
        insert into alerts (tenant_id, id, alert_type, severity, message, decision_id, decision_type,
            policy_ids, rule_codes, data, created_at)
        select d.tenant_id, gen_random_uuid(),
            case d.decision when 'ALERT' then 'shadow_violation' else 'policy_violation' end,
            d.severity,
            format('Policy %s returned %s for decision %s.', r.policy_code, d.decision, d.id),
            d.id, d.decision_type, r.violated_policies::uuid[], d.rule_codes,
            format('{"policy_code":%s,"rule_codes":%s,"decision_type":%s,"correlation_id":%s}',
                to_json(r.policy_code), array_to_json(d.rule_codes), to_json(d.decision_type),
                to_json(d.correlation_id)),
            d.recorded_at
        from entry r
        join decisions d on d.tenant_id = r.tenant_id and d.id = r.id
        join settings s on s.tenant_id = r.tenant_id
        where r.tenant_id = target and d.decision <> 'ALLOW'
            and severity_rank(d.severity) >= severity_rank(s.alert_min_severity)
        order by d.sequence;
    end loop;
end
$$;
revoke execute on function record_group from public;
grant execute on function record_group to govern_app;
