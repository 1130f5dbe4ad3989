drop table mail_counts;
drop index mail_outbox_by_turn;
drop index mail_outbox_by_turn_of;
alter table mail_outbox
    drop column is_routine,
    drop column turn_of,
    drop column turn;
