alter table users
    drop constraint users_email_check,
    add constraint users_email_check check (email = lower(email));
drop table removed_members;
