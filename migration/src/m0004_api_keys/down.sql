drop function record_key_use;
drop table operator_keys, key_digests, api_keys;
