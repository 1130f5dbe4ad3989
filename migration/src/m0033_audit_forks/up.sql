-- No two events of a log have the same predecessor, so the log cannot fork. The head row prevents it in the service;
-- the constraint also prevents it for every other writer.
alter table audit_events add constraint audit_events_unique_prev unique (tenant_id, prev);
