-- Submissions of log checkpoints to a public Rekor instance. One submission is pending at a time; the next
-- one covers all entries logged in the meantime.
create table log_rekor (
    tree        smallint not null,
    size        bigint not null,
    dialect     text not null check (dialect in ('v1', 'v2')),
    begun_at    timestamptz not null,
    attempts    integer not null default 0,
    -- The time of the next attempt; during an attempt, the time at which it counts as failed.
    due_at      timestamptz not null,
    failure     text,
    proof       text,
    recorded_at timestamptz,
    primary key (tree, size),
    constraint log_rekor_checkpoint
        foreign key (tree, size) references log_checkpoints (tree, size),
    constraint log_rekor_proof_all_or_none check ((proof is null) = (recorded_at is null))
);
create unique index log_rekor_one_pending on log_rekor ((true)) where proof is null;
grant select, insert, update (dialect, attempts, due_at, failure, proof, recorded_at)
    on log_rekor to govern_app;
grant select on log_rekor to govern_verify;

create trigger prevent_proof_changes before update on log_rekor
    for each row when (old.proof is not null) execute function reject_change();
create trigger prevent_row_changes before delete on log_rekor
    for each row execute function reject_change();
create trigger prevent_truncate before truncate on log_rekor
    for each statement execute function reject_change();
alter table log_rekor
    enable always trigger prevent_proof_changes,
    enable always trigger prevent_row_changes,
    enable always trigger prevent_truncate;
