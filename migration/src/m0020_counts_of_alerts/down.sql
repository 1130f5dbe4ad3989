drop index alerts_acknowledged, alerts_snoozed, alerts_by_type, alerts_by_severity, alerts_open;
create index alerts_open on alerts (tenant_id, sequence desc) where acknowledged_at is null;
