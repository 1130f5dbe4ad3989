drop index audit_events_by_action, audit_events_by_actor, audit_events_by_object,
    audit_events_by_object_type, audit_events_by_time;
alter table audit_personal drop column email;
drop trigger every_256th_is_a_checkpoint on audit_events;
drop function checkpoint_event;
drop table audit_checkpoints;
alter table tenant_heads drop column audit_salt;
