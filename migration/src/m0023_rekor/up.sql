-- Checkpoints of the log that are on record at Rekor, or are to be. One is under way at a time: the next
-- one covers whatever the log took in meanwhile. Nothing here tells of a tenant.
create table log_rekor (
    tree        smallint not null,
    size        bigint not null,
    dialect     text not null check (dialect in ('v1', 'v2')),
    begun_at    timestamptz not null,
    attempts    integer not null default 0,
    -- When it is tried next; while it is being tried, when that counts as given up.
    due_at      timestamptz not null,
    failure     text,
    proof       text,
    recorded_at timestamptz,
    primary key (tree, size),
    constraint log_rekor_of_a_checkpoint
        foreign key (tree, size) references log_checkpoints (tree, size),
    constraint log_rekor_proven_when_recorded check ((proof is null) = (recorded_at is null))
);
create unique index log_rekor_one_under_way on log_rekor ((true)) where proof is null;
grant select, insert, update (dialect, attempts, due_at, failure, proof, recorded_at)
    on log_rekor to govern_app;
grant select on log_rekor to govern_verify;

create trigger what_is_proven_stays before update on log_rekor
    for each row when (old.proof is not null) execute function refuse_change();
create trigger rows_are_kept before delete on log_rekor
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on log_rekor
    for each statement execute function refuse_change();
alter table log_rekor enable always trigger what_is_proven_stays,
    enable always trigger rows_are_kept, enable always trigger table_is_kept;
