-- Indexes for the list of alerts of a tenant with a long history.

-- The open and the snoozed alerts are counted on every page of the console. The columns after `sequence` are for counts
-- that do not read the rows.
drop index alerts_open;
create index alerts_open on alerts (tenant_id, sequence desc) include (snoozed_until)
    where acknowledged_at is null;

-- One index per filter of the list, in its order. A rare severity or type is found without reading all alerts.
create index alerts_by_severity on alerts (tenant_id, severity, sequence desc);
create index alerts_by_type on alerts (tenant_id, alert_type, sequence desc);
create index alerts_snoozed on alerts (tenant_id, snoozed_until)
    where acknowledged_at is null and snoozed_until is not null;
create index alerts_acknowledged on alerts (tenant_id, sequence desc) where acknowledged_at is not null;
