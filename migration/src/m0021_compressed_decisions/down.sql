-- SQL cannot decompress texts. The owner sees the rows of all tenants for this check.
alter table decisions no force row level security;
do $$
begin
    if exists (select from decisions where substr(texts, 1, 4) = '\x28b52ffd') then
        raise exception 'decisions with compressed texts cannot be converted to the previous schema';
    end if;
end
$$;
alter table decisions force row level security;

drop function record_group;
drop index audit_events_by_object;
create index audit_events_by_object on audit_events (tenant_id, object_id, seq);

alter table decisions reset (toast_tuple_target);
alter table decisions rename column texts to record;
alter table decisions add column context text, add column integrity text, add column statement text;
alter table decisions
    alter column record type text using split_part(convert_from(record, 'UTF8'), E'\n', 1),
    alter column context type text using split_part(convert_from(record, 'UTF8'), E'\n', 2),
    alter column integrity type text using nullif(split_part(convert_from(record, 'UTF8'), E'\n', 3), ''),
    alter column statement type text using nullif(split_part(convert_from(record, 'UTF8'), E'\n', 4), '');
alter table decisions
    alter column context set not null,
    add constraint decisions_signed_content_present check (
        receipt_schema_version = 1 or (integrity is not null and statement is not null));
do $$
begin
    alter table decisions
        alter column record set compression lz4,
        alter column context set compression lz4,
        alter column integrity set compression lz4,
        alter column statement set compression lz4;
exception
    when feature_not_supported then
        null;
end
$$;

create function index_decision_rules() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
        select distinct tenant_id, rule_code, sequence, snapshot_id
        from new_decisions, unnest(rule_codes) as rule_code;
    return null;
end
$$;
create trigger index_decision_rules after insert on decisions
    referencing new table as new_decisions
    for each statement execute function index_decision_rules();

create function queue_receipt_for_log() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest)
        select 'receipt', receipt_digest from new_decisions order by sequence;
    return null;
end
$$;
create trigger queue_receipt_for_log after insert on decisions
    referencing new table as new_decisions
    for each statement execute function queue_receipt_for_log();

-- Creates the alerts of new decisions without a further round trip, and at no cost if every verdict is ALLOW. The
-- alerts of each tenant are created with its rights, because a group can read no rows.
create function create_decision_alerts() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
declare
    target uuid;
begin
    for target in select distinct tenant_id from new_decisions where decision <> 'ALLOW' loop
        perform set_config('app.tenant', target::text, true);
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
        where d.tenant_id = target and d.decision <> 'ALLOW'
            and severity_rank(d.severity) >= severity_rank(s.alert_min_severity)
        order by d.sequence;
    end loop;
    return null;
end
$$;
create trigger create_decision_alerts after insert on decisions
    referencing new table as new_decisions
    for each statement execute function create_decision_alerts();
revoke execute on function index_decision_rules, queue_receipt_for_log, create_decision_alerts from public;

-- Records a group of decisions of one or more tenants in one round trip and one transaction.
--
-- The function has the rights of its caller and sets the group, so row-level security applies. The caller has
-- evaluated the decisions and linked their audit events to the head it last read. If the head of a tenant has
-- changed since, the function stores nothing for this tenant and returns its head. A tenant whose head is locked is
-- skipped. A known idempotency key violates a unique constraint, and then nothing is stored.
--
-- Optional texts are passed as empty strings; a present text is never empty.
create function record_group(
    wait_for_heads   boolean,       -- otherwise a tenant whose head is locked is skipped
    -- One element per tenant: the head that its records are linked to, and the head after them.
    tenants          uuid[],
    seqs             bigint[],
    hashes           text[],
    counters         bigint[],
    last_seqs        bigint[],
    last_hashes      text[],
    -- One element per record, ordered by tenant and sequence number. The event has the same sequence number.
    tenant_ids       uuid[],
    sequences        bigint[],
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
-- The tenants for which nothing was stored.
returns table (
    tenant_id        uuid,
    head_seq         bigint,        -- null if the head is locked
    head_hash        text,
    head_counter     bigint
)
language plpgsql
-- A session may have planned a statement while the tables were small; such a plan must suit large tables.
set enable_seqscan = off
-- Planning this statement again for each group takes longer than running it.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
    perform set_config('app.group', tenants::text, true);
    -- Heads are locked in the order of the IDs, so that concurrent groups cannot deadlock.
    if wait_for_heads then
        perform from tenant_heads h where h.tenant_id = any (tenants) order by h.tenant_id for update;
    end if;
    return query
    with expected as materialized (
        select * from unnest(tenants, seqs, hashes, counters, last_seqs, last_hashes)
            as e(tenant_id, seq, hash, counter, last_seq, last_hash)
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
        select r.*
        from unnest(tenant_ids, sequences, ids, keys, request_digests, decision_types, verdicts,
            correlation_ids, policies, versions, snapshots, actors, evaluated, violated, severities,
            shadow_conversions, times, records, contexts, integrities, statements, receipt_digests,
            signatures, kids, event_ids, event_actors, event_actor_ids, events, event_hashes,
            event_prevs, personals)
            as r(tenant_id, sequence, id, key, request_digest, decision_type, verdict,
                correlation_id, policy, version, snapshot, actor, evaluated, violated, severity,
                is_converted, recorded_at, record, context, integrity, statement, receipt_digest,
                signature, kid, event_id, event_actor, event_actor_id, event, event_hash,
                event_prev, personal)
        where r.tenant_id in (select u.tenant_id from unchanged u)
    ), decision as (
        insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
            decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
            actor_id, policy_ids, rule_codes, severity, shadow_converted, recorded_at, record,
            context, integrity, statement, receipt_digest, signature, kid, chain_id, chain_step,
            parent_decision_id)
        select r.tenant_id, r.id, r.sequence, r.key, r.request_digest, r.decision_type, r.verdict,
            r.correlation_id, r.policy, r.version, r.snapshot, nullif(r.actor, ''),
            r.evaluated::uuid[], r.violated::text[], nullif(r.severity, ''), r.is_converted,
            r.recorded_at, r.record, r.context, r.integrity, r.statement, r.receipt_digest,
            nullif(r.signature, ''), nullif(r.kid, ''), chain, step, parent
        from entry r
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
end
$$;
revoke execute on function record_group from public;
grant execute on function record_group to govern_app;
