-- The trust registry of the service: every version, signed by its root keys.

-- The registry belongs to no tenant and contains public keys only. `envelope` is the signed response, byte
-- for byte; the other columns are for queries. The primary key rejects the second of two
-- processes that issue the same version.
create table trust_registries (
    version  integer primary key check (version >= 1),
    envelope text not null,
    digest   text not null
);
grant select, insert on trust_registries to govern_app;
grant select on trust_registries to govern_verify;

call enforce_append_only('trust_registries');

create trigger queue_registry_version_for_log after insert on trust_registries
    for each row execute function queue_digest_for_log('trust_registry');
