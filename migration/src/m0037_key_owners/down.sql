revoke update (owner) on key_digests from govern_app;
revoke update (created_by) on api_keys from govern_app;
drop index api_keys_of_owner;
alter table api_keys
    drop constraint api_keys_parent,
    drop column parent_key_id,
    drop column owner;
