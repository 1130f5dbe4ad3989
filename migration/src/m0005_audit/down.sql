drop table audit_checkpoints, audit_personal, audit_events;
drop function create_audit_checkpoint;
