-- Queues a delivery of each new alert to each matching subscription, in the transaction of the alert. An
-- alert about dead deliveries is not sent to the subscription they belong to.
create or replace function queue_webhook_deliveries() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    with queued as (
        insert into webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, is_quiet,
            next_attempt_at, created_at)
        select a.tenant_id, gen_random_uuid(), s.id, a.id,
            alert_body(a.id, a.alert_type, a.severity, a.message, a.decision_id, a.created_at),
            a.alert_type = 'webhook_dead', a.created_at, a.created_at
        from new_alerts a
        join webhook_subscriptions s on s.tenant_id = a.tenant_id and s.is_active
        where severity_rank(a.severity) >= severity_rank(s.severity_min)
            and (s.decision_types = '{}' or a.decision_type = any (s.decision_types))
            and (a.alert_type <> 'webhook_dead'
                or a.data::json ->> 'subscription_id' is distinct from s.id::text)
        order by a.sequence, s.sequence
        returning tenant_id, id, subscription_id, next_attempt_at)
    insert into outbox (tenant_id, id, subscription_id, due_at)
        select tenant_id, id, subscription_id, next_attempt_at from queued;
    return null;
end
$$;

drop function alert_body(text, uuid, uuid, text, text, text, uuid, timestamptz), alert_json;
alter table webhook_subscriptions drop column envelope;
