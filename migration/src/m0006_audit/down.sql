drop table audit_personal;
drop table audit_events;
