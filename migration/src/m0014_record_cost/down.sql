drop function record_group;
alter table audit_personal add foreign key (tenant_id, seq) references audit_events;

-- Writes decisions in groups: those of several tenants in one transaction, and in one round trip.
--
-- It has the rights of its caller, and row security holds: each part of a group is written as its own
-- tenant. The caller has made the decisions and linked their audit events to the head that it
-- remembers. For a tenant whose head is another by now, or that knows one of the keys already, nothing
-- is written; the answer says where the head is and what was stored under those keys. Heads are
-- locked in the order of `tenants`, which is that of the ids, so that groups never wait in a circle.
--
-- Texts that may be absent are empty then: none of them can be empty when it is there.
create function record_group(
    waits            boolean,       -- for heads that somebody holds; else such tenants are left out
    -- Of each tenant: how many records, and the head that they were linked to and decided at.
    tenants          uuid[],
    sizes            integer[],
    seqs             bigint[],
    hashes           text[],
    counters         bigint[],
    -- Of each record, tenant by tenant.
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
returns table (
    of_tenant     uuid,             -- a tenant for which nothing was written
    at_seq        bigint,           -- its head; null when somebody holds it, and beside a known key
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
    since   integer := 1;
    until   integer;
    seq_now bigint;
    hash_now text;
    counter_now bigint;
    is_free boolean;
begin
    for part in 1 .. cardinality(tenants) loop
        of_tenant := tenants[part];
        until := since + sizes[part] - 1;
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
        is_free := seq_now is not null;
        if is_free then
            for known_key, known_id, known_request, known_record in
                select d.idempotency_key, d.id, d.request_digest, d.record
                from decisions d
                where d.tenant_id = of_tenant and d.idempotency_key = any (keys[since:until])
            loop
                is_free := false;
                return next;
            end loop;
        end if;
        if is_free and (seq_now, hash_now, counter_now)
                = (seqs[part], hashes[part], counters[part]) then
            insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
                decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
                actor_id, policy_ids, rule_codes, recorded_at, record, context, integrity,
                statement, receipt_digest, signature, kid)
            select of_tenant, r.id, seq_now + r.place, r.key, r.request_digest,
                r.decision_type, r.verdict, r.correlation_id, r.policy, r.version, r.snapshot,
                nullif(r.actor, ''), r.looked_at::uuid[], r.violated::text[], r.moment, r.record,
                r.context, r.integrity, r.statement, r.receipt_digest,
                nullif(r.signature, ''), nullif(r.kid, '')
            from unnest(ids[since:until], keys[since:until], request_digests[since:until],
                decision_types[since:until], verdicts[since:until], correlation_ids[since:until],
                deciding[since:until], versions[since:until], snapshots[since:until],
                actors[since:until], looked_at[since:until], violated[since:until],
                moments[since:until], records[since:until], contexts[since:until],
                integrities[since:until], statements[since:until], receipt_digests[since:until],
                signatures[since:until], kids[since:until])
                with ordinality as r(id, key, request_digest, decision_type, verdict,
                    correlation_id, policy, version, snapshot, actor, looked_at, violated, moment,
                    record, context, integrity, statement, receipt_digest, signature, kid, place);

            insert into public_ids (id, tenant_id, kind)
            select r.id, of_tenant, 'decision' from unnest(ids[since:until]) as r(id);

            insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type,
                actor_id, object_type, object_id, event, hash, prev)
            select of_tenant, seq_now + r.place, r.event_id, r.moment, 'decision.record',
                r.actor_type, r.actor_id, 'decision', r.id::text, r.event, r.hash, r.prev
            from unnest(ids[since:until], event_ids[since:until], moments[since:until],
                event_actors[since:until], event_actor_ids[since:until], events[since:until],
                event_hashes[since:until], event_prevs[since:until])
                with ordinality
                    as r(id, event_id, moment, actor_type, actor_id, event, hash, prev, place);

            insert into audit_personal (tenant_id, seq, personal)
            select of_tenant, seq_now + r.place, r.personal
            from unnest(personals[since:until]) with ordinality as r(personal, place)
            where r.personal <> '';

            update tenant_heads
            set audit_seq = seq_now + sizes[part], audit_hash = event_hashes[until]
            where tenant_id = of_tenant;
        else
            return query select of_tenant, seq_now, hash_now, counter_now,
                null::text, null::uuid, null::text, null::text;
        end if;
        since := until + 1;
    end loop;
end
$$;
revoke execute on function record_group from public;
grant execute on function record_group to govern_app;
