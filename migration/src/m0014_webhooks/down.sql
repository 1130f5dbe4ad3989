drop trigger queue_webhook_deliveries on alerts;
drop function queue_webhook_deliveries, alert_body, format_timestamp;
drop table outbox, webhook_attempts, webhook_deliveries, webhook_subscriptions;
