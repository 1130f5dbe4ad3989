drop table session_digests;
drop table key_digests;
drop table api_keys;
