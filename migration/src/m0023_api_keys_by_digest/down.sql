drop function api_keys_by_digest;
