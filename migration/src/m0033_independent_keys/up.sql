-- The key of a tree comes from the key provider and is derived from no other key, so no seed is stored. A
-- tree whose key was derived from a signing key is frozen, and another one begun.
drop trigger a_seed_is_kept on log_trees;
alter table log_trees drop column seed, drop column seed_key;

-- The rows of trees hold no secrets: the auditor reads them whole.
revoke select on log_trees from govern_verify;
grant select on log_trees to govern_verify;
