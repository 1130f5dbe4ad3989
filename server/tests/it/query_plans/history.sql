-- A history of 50,000 decisions over 60 days, as copies of the newest decision, and what belongs to them. One in four
-- is denied and has an alert and a delivery, one in ten has an outcome, and 2,000 chains have three decisions each.
-- No trigger runs. The copies are linked to nothing and not signed, so only their number and order are real.

set session_replication_role = replica;

create temp table history as
    select d.tenant_id, d.id as pattern, h.audit_seq + n as seq, n,
        md5('decision ' || n)::uuid as id, n % 4 = 0 as is_denied,
        case when n % 25 < 3 then md5('chain ' || n / 25)::uuid end as chain_id, n % 25 + 1 as step,
        d.recorded_at - (50000 - n) * interval '104 seconds' as at
    from (select * from decisions order by sequence desc limit 1) d
    join tenant_heads h using (tenant_id)
    cross join generate_series(1, 50000) as n;

insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest, decision_type, decision,
    correlation_id, policy_id, policy_version, snapshot_id, actor_id, policy_ids, rule_codes, severity,
    shadow_converted, recorded_at, texts, receipt_digest, receipt_schema_version, chain_id, chain_step)
    select h.tenant_id, h.id, h.seq, 'history-' || h.n, d.request_digest, d.decision_type,
        case when h.is_denied then 'DENY' else 'ALLOW' end, 'history-' || h.n, d.policy_id, d.policy_version,
        d.snapshot_id, 'agent-' || h.n % 16, d.policy_ids,
        case when h.is_denied then array['MAX'] else '{}' end, case when h.is_denied then 'high' end,
        h.n % 500 = 1, h.at, d.texts, d.receipt_digest, 1, h.chain_id,
        case when h.chain_id is not null then h.step end
    from history h join decisions d on d.tenant_id = h.tenant_id and d.id = h.pattern;
insert into decision_rules (tenant_id, rule_code, sequence, snapshot_id)
    select h.tenant_id, 'MAX', h.seq, d.snapshot_id
    from history h join decisions d on d.tenant_id = h.tenant_id and d.id = h.id where h.is_denied;
insert into public_ids (id, tenant_id, kind) select id, tenant_id, 'decision' from history;
insert into outcomes (tenant_id, decision_id, sequence, status, recorded_at, record)
    select tenant_id, id, seq, (array['accepted', 'overridden'])[1 + n % 3 % 2], at, '{}'
    from history where n % 10 = 0;

insert into audit_events (tenant_id, seq, event_id, occurred_at, action, actor_type, actor_id, object_type,
    object_id, event, hash, prev)
    select h.tenant_id, h.seq, md5('event ' || h.n)::uuid, h.at, e.action, e.actor_type, e.actor_id,
        e.object_type, h.id::text, e.event, sha256(('hash ' || h.n)::bytea), sha256(('hash ' || h.n - 1)::bytea)
    from history h
    join decisions d on d.tenant_id = h.tenant_id and d.id = h.pattern
    join audit_events e on e.tenant_id = d.tenant_id and e.seq = d.sequence;
insert into audit_personal (tenant_id, seq, personal)
    select h.tenant_id, h.seq, p.personal
    from history h
    join decisions d on d.tenant_id = h.tenant_id and d.id = h.pattern
    join audit_personal p on p.tenant_id = d.tenant_id and p.seq = d.sequence;
insert into audit_checkpoints (tenant_id, seq, hash)
    select tenant_id, seq, sha256(('hash ' || n)::bytea) from history where seq % 256 = 0;
update tenant_heads h set audit_seq = l.seq, audit_hash = sha256('hash 50000')
    from history l where l.n = 50000 and h.tenant_id = l.tenant_id;

insert into alerts (tenant_id, id, alert_type, severity, message, decision_id, decision_type, policy_ids,
    rule_codes, data, created_at, acknowledged_at, acknowledged_by)
    select h.tenant_id, md5('alert ' || h.n)::uuid, 'policy_violation', 'high', 'history', h.id, d.decision_type,
        d.policy_ids, '{MAX}', '{"policy_code":"PAY-01","rule_codes":["MAX"],"decision_type":"payment"}', h.at,
        case when h.n < 5000 then h.at end, case when h.n < 5000 then 'history' end
    from history h join decisions d on d.tenant_id = h.tenant_id and d.id = h.pattern
    where h.is_denied order by h.seq;
insert into webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, status, attempt_count,
    attempts_total, delivered_at, created_at)
    select h.tenant_id, md5('delivery ' || h.n)::uuid, s.id, md5('alert ' || h.n)::uuid, '{}', 'delivered', 1, 1,
        h.at, h.at
    from history h join webhook_subscriptions s on s.tenant_id = h.tenant_id
    where h.is_denied order by h.seq;
insert into webhook_attempts (tenant_id, delivery_id, number, attempt, at, duration_ms, status_code)
    select tenant_id, md5('delivery ' || n)::uuid, 1, 1, at, 12, 200 from history where is_denied;

insert into chains (tenant_id, id, links, head, highest_step)
    select distinct tenant_id, chain_id, 3, repeat('0', 64), 3 from history where chain_id is not null;
insert into public_ids (id, tenant_id, kind) select id, tenant_id, 'chain' from chains on conflict do nothing;
insert into chain_links (tenant_id, chain_id, position, step, decision_id, sequence, link, hash, prev)
    select tenant_id, chain_id, step, step, id, seq, '{}', encode(sha256(('link ' || n)::bytea), 'hex'),
        case when step = 1 then '' else encode(sha256(('link ' || n - 1)::bytea), 'hex') end
    from history where chain_id is not null;

-- A closed tree of another log.
insert into log_entries (tree, index, data, leaf_hash)
    select 9, n - 1, '{}', sha256(('leaf ' || n)::bytea) from history;
insert into log_nodes (tree, level, index, hash)
    select 9, 1, n - 1, sha256(('node ' || n)::bytea) from generate_series(1, 195) as n;

insert into decision_hours (tenant_id, hour, decision, is_shadow, decisions)
    select tenant_id, date_trunc('hour', at), case when is_denied then 'DENY' else 'ALLOW' end, false, count(*)
    from history group by 1, 2, 3
    on conflict do nothing;
insert into policy_hours (tenant_id, policy_id, hour, version, decision, is_shadow, decisions)
    select h.tenant_id, d.policy_id, h.hour, 1, h.decision, false, h.decisions
    from decision_hours h join (select distinct tenant_id, policy_id from decisions) d using (tenant_id)
    on conflict do nothing;
insert into rule_hours (tenant_id, hour, policy_id, version, rule_code, is_shadow, evaluated, violated, na,
    outcomes, overridden)
    select tenant_id, hour, policy_id, 1, 'MAX', false, sum(decisions),
        coalesce(sum(decisions) filter (where decision = 'DENY'), 0), 0, 0, 0
    from policy_hours group by tenant_id, hour, policy_id
    on conflict do nothing;
insert into latency_hours (tenant_id, hour, step, decisions)
    select tenant_id, hour, 40, sum(decisions) from decision_hours group by tenant_id, hour
    on conflict do nothing;
insert into rollup_cursors (tenant_id, sequence) select tenant_id, audit_seq from tenant_heads
    on conflict (tenant_id) do update set sequence = excluded.sequence;

set session_replication_role = default;
