drop table mail_outbox, sign_in_networks, session_digests, account_links, users;
drop function increment_password_generation;
