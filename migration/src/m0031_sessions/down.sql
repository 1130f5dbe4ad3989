drop table sign_in_networks;
alter table session_digests
    drop column session_id,
    drop column password_generation,
    drop column signed_in_at,
    drop column seen_at,
    drop column network,
    drop column user_agent;
drop trigger password_is_numbered on users;
drop function number_password;
alter table users drop column password_generation;
