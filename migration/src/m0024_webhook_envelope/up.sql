-- The form of the bodies of a subscription: that of the service, or CloudEvents 1.0 in structured mode.
alter table webhook_subscriptions
    add column envelope text not null default 'govern' check (envelope in ('govern', 'cloudevents'));

-- Returns the alert as a receiver gets it (specification, "Delivery").
create function alert_json(id uuid, alert_type text, severity text, message text, decision_id uuid,
    created_at timestamptz) returns text
    language sql stable
    return format('{"id":"%s","alert_type":"%s","severity":"%s","message":%s,%s"created_at":"%s"}',
        id, alert_type, severity, to_json(message),
        coalesce('"decision_id":"' || decision_id || '",', ''), format_timestamp(created_at));

-- Returns the request body that reports an alert. A repeated CloudEvents event has the same source and ID: the
-- tenant and the alert. The function without an envelope stays for servers of the version before.
create function alert_body(envelope text, tenant_id uuid, id uuid, alert_type text, severity text,
    message text, decision_id uuid, created_at timestamptz) returns text
    language sql stable
    return case envelope
        when 'cloudevents' then
            format('{"specversion":"1.0","id":"%s","source":"urn:uuid:%s","type":"govern.alert.created",'
                '"subject":"alerts/%s","time":"%s","datacontenttype":"application/json","data":%s}',
                id, tenant_id, id, format_timestamp(created_at),
                alert_json(id, alert_type, severity, message, decision_id, created_at))
        else
            format('{"event":"alert.created","timestamp":"%s","alert":%s}', format_timestamp(created_at),
                alert_json(id, alert_type, severity, message, decision_id, created_at))
    end;

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
            alert_body(s.envelope, a.tenant_id, a.id, a.alert_type, a.severity, a.message, a.decision_id,
                a.created_at),
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
