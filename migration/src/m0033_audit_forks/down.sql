alter table audit_events drop constraint audit_events_unique_prev;
