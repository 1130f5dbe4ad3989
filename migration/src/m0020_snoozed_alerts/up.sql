-- Every page counts the snoozed alerts, which are few of the open alerts.
create index alerts_snoozed on alerts (tenant_id, snoozed_until)
    where acknowledged_at is null and snoozed_until is not null;
