drop index alerts_webhook_dead;
drop trigger deliveries_are_queued on alerts;
drop function queue_deliveries;
drop function alert_body;
drop function wire_time;
drop table outbox;
drop table webhook_attempts;
drop table webhook_deliveries;
drop table webhook_subscriptions;
