-- The transparency log: what waits for it, its trees, and what stands in them. Digests and public keys
-- only: nothing here tells of a tenant, and all of it stands outside row security.

-- What is to be logged. A row is written in the transaction of the act that it tells of, and goes in the
-- transaction that logs it.
create table log_pending (
    id        bigint generated always as identity primary key,
    kind      text not null check (kind in
        ('receipt', 'chain_seal', 'policy_approval', 'trust_registry', 'audit_checkpoint')),
    digest    text not null constraint log_pending_is_a_digest check (digest ~ '^[0-9a-f]{64}$'),
    due_since timestamptz not null default now()
);
grant select, insert, delete on log_pending to govern_app;

-- The trees; one of them is open. Who holds the lease writes, and each holder has an epoch of its own, so
-- that nobody writes who has lost it. `planned` are the rows of `log_pending` that the next entries are
-- made of: whoever goes on after a holder that died makes the same batch, and so the same root.
create table log_trees (
    number     smallint primary key check (number >= 1),
    origin     text not null constraint log_trees_unique_origin unique,
    tree_id    text not null,
    vkey       text not null,
    size       bigint not null default 0 check (size >= 0),
    root       text not null,
    began_at   timestamptz not null,
    frozen_at  timestamptz,
    -- Somebody remembers signing what is not here: nothing is signed any more.
    is_doubted boolean not null default false,
    epoch      bigint not null default 0,
    holder     uuid,
    held_until timestamptz,
    planned    bigint[]
);
create unique index log_trees_one_open on log_trees ((true)) where frozen_at is null;
grant select, insert,
    update (size, root, frozen_at, is_doubted, epoch, holder, held_until, planned)
    on log_trees to govern_app;
grant select on log_trees to govern_verify;

create trigger a_tree_grows before update on log_trees
    for each row when (old.frozen_at is not null or new.size < old.size
        or old.is_doubted and not new.is_doubted)
    execute function refuse_change();
create trigger trees_are_kept before delete on log_trees
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on log_trees
    for each statement execute function refuse_change();
alter table log_trees enable always trigger a_tree_grows, enable always trigger trees_are_kept,
    enable always trigger table_is_kept;

-- `data` is the leaf, byte for byte. An entry is logged once, in whatever tree.
create table log_entries (
    tree      smallint not null,
    index     bigint not null check (index >= 0),
    data      text not null,
    leaf_hash bytea not null,
    primary key (tree, index),
    constraint log_entries_once unique (leaf_hash)
);

-- The hashes over 256 entries (level 1), 256 of those (level 2), … Tiles consist of them, and those of
-- level 0 of leaf hashes: so no tile is ever written twice, however often it grew.
create table log_nodes (
    tree  smallint not null,
    level smallint not null check (level between 1 and 7),
    index bigint not null check (index >= 0),
    hash  bytea not null,
    primary key (tree, level, index)
);

-- What was signed. An entry is anchored under the first checkpoint that reaches it, for ever.
create table log_checkpoints (
    tree      smallint not null,
    size      bigint not null check (size >= 0),
    epoch     bigint not null,
    note      text not null,
    signed_at timestamptz not null,
    primary key (tree, size)
);
grant select, insert on log_entries, log_nodes, log_checkpoints to govern_app;
grant select on log_entries, log_nodes, log_checkpoints to govern_verify;

do $$
declare
    name text;
begin
    foreach name in array array['log_entries', 'log_nodes', 'log_checkpoints'] loop
        execute format('create trigger rows_are_kept before update or delete on %I
            for each row execute function refuse_change()', name);
        execute format('create trigger table_is_kept before truncate on %I
            for each statement execute function refuse_change()', name);
        execute format('alter table %I enable always trigger rows_are_kept,
            enable always trigger table_is_kept', name);
    end loop;
end
$$;

-- What is written is due to be logged, whoever writes it: the row comes with the act, in its transaction
-- and without a further round trip.
create function log_decisions() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest)
        select 'receipt', receipt_digest from written order by sequence;
    return null;
end
$$;
create trigger receipts_are_logged after insert on decisions
    referencing new table as written
    for each statement execute function log_decisions();

create function log_digest() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest) values (tg_argv[0], new.digest);
    return null;
end
$$;
create trigger seals_are_logged after insert on chain_seals
    for each row execute function log_digest('chain_seal');
create trigger approvals_are_logged after insert on policy_approvals
    for each row execute function log_digest('policy_approval');

-- The digest of a checkpoint of a tenant's audit log (receipts, section 14): the canonical text has its
-- members in the order of their names, and the tag stands for the tenant without naming it.
create function audit_checkpoint_digest(of_tenant uuid, salt text, seq bigint, hash text) returns text
    language sql stable
    set search_path = pg_catalog
as $$
    select encode(sha256(convert_to(format(
        '{"count":%s,"hash":"%s","schema":"service-audit-checkpoint/v1","seq":%s,"tenant_tag":"%s"}',
        seq, hash, seq,
        encode(sha256(convert_to(format(
            '{"salt":"%s","schema":"service-tenant-tag/v1","tenant_id":"%s"}',
            salt, of_tenant), 'UTF8')), 'hex')), 'UTF8')), 'hex')
$$;
create function log_audit_checkpoint() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest)
        select 'audit_checkpoint',
            audit_checkpoint_digest(new.tenant_id, audit_salt, new.seq, new.hash)
        from tenant_heads where tenant_id = new.tenant_id;
    return null;
end
$$;
create trigger checkpoints_are_logged after insert on audit_checkpoints
    for each row execute function log_audit_checkpoint();

revoke execute on function log_decisions, log_digest, audit_checkpoint_digest, log_audit_checkpoint
    from public;
grant execute on function audit_checkpoint_digest to govern_app, govern_verify;

-- What is here already. Row security shows one tenant at a time, to its owner too.
do $$
declare
    head record;
begin
    for head in select tenant_id, audit_salt from tenant_heads order by tenant_id loop
        perform set_config('app.tenant', head.tenant_id::text, true);
        insert into log_pending (kind, digest)
            select 'policy_approval', digest from policy_approvals
                where tenant_id = head.tenant_id order by ratified_at;
        insert into log_pending (kind, digest)
            select 'receipt', receipt_digest from decisions
                where tenant_id = head.tenant_id order by sequence;
        insert into log_pending (kind, digest)
            select 'chain_seal', digest from chain_seals
                where tenant_id = head.tenant_id order by sealed_at;
        insert into log_pending (kind, digest)
            select 'audit_checkpoint',
                audit_checkpoint_digest(head.tenant_id, head.audit_salt, seq, hash)
                from audit_checkpoints where tenant_id = head.tenant_id order by seq;
    end loop;
    perform set_config('app.tenant', '', true);
end
$$;
