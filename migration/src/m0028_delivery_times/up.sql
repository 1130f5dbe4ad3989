-- How deliveries have gone since a moment is looked up with each view of the webhooks: not by reading all
-- that were ever sent.
create index webhook_deliveries_by_time on webhook_deliveries (tenant_id, created_at)
    include (subscription_id, status);
