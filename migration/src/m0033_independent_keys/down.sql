alter table log_trees
    add column seed bytea,
    add column seed_key integer check (seed_key >= 1),
    add constraint log_trees_sealed_or_not check ((seed is null) = (seed_key is null));
grant update (seed, seed_key) on log_trees to govern_app;

revoke select on log_trees from govern_verify;
grant select (number, origin, tree_id, vkey, size, root, began_at, frozen_at, is_doubted, epoch, holder,
    held_until, planned) on log_trees to govern_verify;

create trigger a_seed_is_kept before update on log_trees
    for each row when (old.seed is not null
        and (new.seed is distinct from old.seed or new.seed_key is distinct from old.seed_key))
    execute function refuse_change();
alter table log_trees enable always trigger a_seed_is_kept;
