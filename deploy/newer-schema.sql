-- A schema one version ahead of this one, as a newer version leaves it: it only adds. deploy/test-newer-schema and
-- server/tests/it/newer_schema.rs use it.
begin;
set local role govern_owner;
alter table decisions add column newer text, add column newer_count bigint not null default 0;
alter table audit_events add column newer text;
alter table policies add column newer boolean not null default false;
alter table log_trees add column newer boolean not null default false;
create table newer_things (tenant_id uuid not null, id uuid not null, primary key (tenant_id, id));
create index decisions_newer on decisions (tenant_id, newer) where newer is not null;
insert into seaql_migrations (version, applied_at) values ('m9998_newer', extract(epoch from now())::bigint);
commit;
