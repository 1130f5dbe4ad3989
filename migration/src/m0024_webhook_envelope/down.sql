drop trigger queue_webhook_deliveries on alerts;
drop function queue_webhook_deliveries;
drop function alert_body, alert_json;
alter table webhook_subscriptions drop column envelope;

-- Returns the request body that reports an alert (specification, "Delivery").
create function alert_body(id uuid, alert_type text, severity text, message text, decision_id uuid,
    created_at timestamptz) returns text
    language sql stable
    return format('{"event":"alert.created","timestamp":"%s","alert":{"id":"%s","alert_type":"%s",'
            '"severity":"%s","message":%s,%s"created_at":"%s"}}',
        format_timestamp(created_at), id, alert_type, severity, to_json(message),
        coalesce('"decision_id":"' || decision_id || '",', ''), format_timestamp(created_at));

-- Queues a delivery of each new alert to each matching subscription, in the transaction of the alert. An
-- alert about dead deliveries is not sent to the subscription they belong to.
create function queue_webhook_deliveries() returns trigger
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
create trigger queue_webhook_deliveries after insert on alerts
    referencing new table as new_alerts
    for each statement execute function queue_webhook_deliveries();
revoke execute on function queue_webhook_deliveries from public;
