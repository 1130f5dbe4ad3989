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
    personals        text[]
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
                statement, receipt_digest, signature, kid)
            select of_tenant, r.id, seq_now + r.place, r.key, r.request_digest,
                r.decision_type, r.verdict, r.correlation_id, r.policy, r.version, r.snapshot,
                nullif(r.actor, ''), r.looked_at::uuid[], r.violated::text[], r.moment, r.record,
                r.context, r.integrity, r.statement, r.receipt_digest,
                nullif(r.signature, ''), nullif(r.kid, '')
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

drop table chain_seals, chain_links, chains;
