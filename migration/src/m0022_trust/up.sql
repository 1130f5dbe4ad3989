-- The trust registry of the service: every version, as its root keys signed it.

-- It belongs to no tenant and holds public keys only. `envelope` is what was signed and is answered,
-- byte for byte; the other columns find it. The number of a version is taken once: of two processes
-- that issue one at the same time, the store refuses the second.
create table trust_registries (
    version  integer primary key check (version >= 1),
    envelope text not null,
    digest   text not null
);
grant select, insert on trust_registries to govern_app;
grant select on trust_registries to govern_verify;

create trigger rows_are_kept before update or delete on trust_registries
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on trust_registries
    for each statement execute function refuse_change();
create trigger versions_are_logged after insert on trust_registries
    for each row execute function log_digest('trust_registry');
alter table trust_registries
    enable always trigger rows_are_kept, enable always trigger table_is_kept;
