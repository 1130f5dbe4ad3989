drop function record_group;
do $$
declare
    name regclass;
begin
    foreach name in array array['decisions', 'decision_rules', 'audit_events', 'audit_personal',
        'audit_checkpoints']::regclass[]
    loop
        execute format('drop policy group_insert on %s', name);
    end loop;
end
$$;
drop function current_group;
alter table decisions
    drop constraint decisions_unique_sequence,
    add constraint decisions_unique_sequence unique (tenant_id, sequence),
    add foreign key (tenant_id, snapshot_id) references policy_snapshots;
create index decisions_by_time on decisions (tenant_id, sequence desc, recorded_at);
alter table audit_events
    add constraint audit_events_unique_id unique (tenant_id, event_id),
    add constraint audit_events_unique_prev unique (tenant_id, prev);

-- Records one tenant's part of a group of decisions. A group is one statement that calls this function for
-- each of its tenants in one round trip and one transaction. The calls are in the order of the tenant IDs,
-- so that concurrent groups cannot deadlock. Each call has its own arrays, because plpgsql copies a whole
-- array to read a part of it.
--
-- The function has the rights of its caller and sets the tenant, so row-level security applies. The caller
-- has evaluated the decisions and linked their audit events to the head it last read. If the head has changed
-- since, or if one of the idempotency keys was used before, the function stores nothing and returns the head
-- and the records stored under these keys.
--
-- Optional texts are passed as empty strings; a present text is never empty.
create function record_group(
    wait_for_head    boolean,       -- otherwise a tenant whose head is locked is skipped
    target_tenant    uuid,
    -- The head that the records are linked to.
    seq              bigint,
    hash             text,
    counter          bigint,
    -- One element per record.
    ids              uuid[],
    keys             text[],
    request_digests  text[],
    decision_types   text[],
    verdicts         text[],
    correlation_ids  text[],
    policies         uuid[],
    versions         integer[],
    snapshots        uuid[],
    actors           text[],
    evaluated        text[],        -- policy IDs; arrays in text form
    violated         text[],        -- rule codes; arrays in text form
    severities       text[],
    shadow_conversions boolean[],   -- whether shadow mode made the verdict milder
    times            timestamptz[],
    records          text[],
    contexts         text[],
    integrities      text[],
    statements       text[],
    receipt_digests  text[],
    signatures       text[],
    kids             text[],
    -- One element per audit event.
    event_ids        uuid[],
    event_actors     text[],
    event_actor_ids  text[],
    events           text[],
    event_hashes     text[],
    event_prevs      text[],
    personals        text[],
    -- The chain of a single record. The caller locks the head of the chain and inserts the link.
    chain            uuid default null,
    step             integer default null,
    parent           uuid default null
)
-- No rows if everything was stored.
returns table (
    head_seq         bigint,        -- null if the head is locked, and in rows with an existing key
    head_hash        text,
    head_counter     bigint,
    existing_key     text,          -- a key that was used before, and the record stored under it
    existing_id      uuid,
    existing_request text,
    existing_record  text
)
language plpgsql
-- A session may have planned a statement while the tables were small; such a plan must suit large tables.
set enable_seqscan = off
as $$
declare
    size         integer := cardinality(ids);
    seq_now      bigint;
    hash_now     text;
    counter_now  bigint;
    is_duplicate boolean := false;
begin
    perform set_config('app.tenant', target_tenant::text, true);
    if wait_for_head then
        select h.audit_seq, h.audit_hash, h.activation_counter
            into seq_now, hash_now, counter_now
            from tenant_heads h where h.tenant_id = target_tenant for update;
    else
        select h.audit_seq, h.audit_hash, h.activation_counter
            into seq_now, hash_now, counter_now
            from tenant_heads h where h.tenant_id = target_tenant for update skip locked;
    end if;
    if seq_now is null and wait_for_head then
        raise exception 'tenant % has no head', target_tenant;
    end if;
    if (seq_now, hash_now, counter_now) = (seq, hash, counter) then
        -- The unique index detects used keys. A query for them before the insert could run with a plan
        -- for empty tables and read all rows of the tenant.
        begin
            insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
                decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
                actor_id, policy_ids, rule_codes, severity, shadow_converted, recorded_at, record,
                context, integrity, statement, receipt_digest, signature, kid, chain_id, chain_step,
                parent_decision_id)
            select target_tenant, r.id, seq_now + r.ordinal, r.key, r.request_digest,
                r.decision_type, r.verdict, r.correlation_id, r.policy, r.version, r.snapshot,
                nullif(r.actor, ''), r.evaluated::uuid[], r.violated::text[], nullif(r.severity, ''),
                r.is_converted, r.recorded_at, r.record, r.context, r.integrity, r.statement,
                r.receipt_digest, nullif(r.signature, ''), nullif(r.kid, ''), chain, step, parent
            from unnest(ids, keys, request_digests, decision_types, verdicts, correlation_ids, policies,
                versions, snapshots, actors, evaluated, violated, severities, shadow_conversions, times,
                records, contexts, integrities, statements, receipt_digests, signatures, kids)
                with ordinality as r(id, key, request_digest, decision_type, verdict, correlation_id,
                    policy, version, snapshot, actor, evaluated, violated, severity, is_converted,
                    recorded_at, record, context, integrity, statement, receipt_digest, signature, kid,
                    ordinal);

            insert into public_ids (id, tenant_id, kind)
            select r.id, target_tenant, 'decision' from unnest(ids) as r(id);

            insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type,
                actor_id, object_type, object_id, event, hash, prev)
            select target_tenant, seq_now + r.ordinal, r.event_id, r.occurred_at, 'decision.record',
                r.actor_type, r.actor_id, 'decision', r.id::text, r.event, r.hash, r.prev
            from unnest(ids, event_ids, times, event_actors, event_actor_ids, events, event_hashes,
                event_prevs)
                with ordinality as r(id, event_id, occurred_at, actor_type, actor_id, event, hash, prev,
                    ordinal);

            insert into audit_personal (tenant_id, seq, personal)
            select target_tenant, seq_now + r.ordinal, r.personal
            from unnest(personals) with ordinality as r(personal, ordinal)
            where r.personal <> '';

            update tenant_heads
            set audit_seq = seq_now + size, audit_hash = event_hashes[size]
            where tenant_id = target_tenant;
            return;
        exception when unique_violation then
            is_duplicate := true;
        end;
    end if;

    if seq_now is not null then
        return query select null::bigint, null::text, null::bigint,
            k.key, d.id, d.request_digest, d.record
        from unnest(keys) as k(key) cross join lateral (
            select * from decisions
            where tenant_id = target_tenant and idempotency_key = k.key limit 1) d;
        if is_duplicate and not found then
            raise exception 'decisions of tenant % violate a unique constraint other than their keys',
                target_tenant;
        end if;
    end if;
    return query select seq_now, hash_now, counter_now, null::text, null::uuid, null::text, null::text;
end
$$;
revoke execute on function record_group from public;
grant execute on function record_group to govern_app;


-- Creates the alerts of new decisions without a further round trip, and at no cost if every verdict is
-- ALLOW.
create or replace function create_decision_alerts() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    if not exists (select from new_decisions where decision <> 'ALLOW') then
        return null;
    end if;
    insert into alerts (tenant_id, id, alert_type, severity, message, decision_id, decision_type,
        policy_ids, rule_codes, data, created_at)
    select d.tenant_id, gen_random_uuid(),
        case d.decision when 'ALERT' then 'shadow_violation' else 'policy_violation' end,
        d.severity,
        format('Policy %s returned %s for decision %s.', policy.code, d.decision, d.id),
        d.id, d.decision_type,
        array(select distinct (violation ->> 'policy_id')::uuid
            from jsonb_array_elements(parsed.body #> '{result,violations}') as violation),
        d.rule_codes,
        format('{"policy_code":%s,"rule_codes":%s,"decision_type":%s,"correlation_id":%s}',
            to_json(policy.code), array_to_json(d.rule_codes), to_json(d.decision_type),
            to_json(d.correlation_id)),
        d.recorded_at
    from new_decisions d
    join settings s on s.tenant_id = d.tenant_id
    -- `offset` prevents inlining, so the record is parsed once.
    cross join lateral (select d.record::jsonb as body offset 0) parsed
    cross join lateral (select parsed.body #>> '{policy,code}' as code) policy
    where d.decision <> 'ALLOW'
        and severity_rank(d.severity) >= severity_rank(s.alert_min_severity)
    order by d.sequence;
    return null;
end
$$;
