drop trigger a_seed_is_kept on log_trees;
alter table log_trees drop column seed, drop column seed_key;
grant select on log_trees to govern_verify;
