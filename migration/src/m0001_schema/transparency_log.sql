-- The transparency log: pending digests, trees, entries, nodes and checkpoints. These tables contain digests
-- and public keys only. They belong to no tenant and have no row-level security.

-- Digests to be logged. A row is inserted in the transaction of the event it belongs to, and deleted in the
-- transaction that logs it.
create table log_pending (
    id        bigint generated always as identity primary key,
    kind      text not null check (kind in
        ('receipt', 'chain_seal', 'policy_approval', 'trust_registry', 'audit_checkpoint')),
    digest    bytea not null constraint log_pending_digest_format check (octet_length(digest) = 32),
    due_since timestamptz not null default now()
);
grant select, insert, delete on log_pending to govern_app;

-- At most one tree is open. Only the holder of the lease writes, and each holder has its own epoch, so a
-- process that lost the lease cannot write. `planned_ids` are the rows of `log_pending` of the next batch: a
-- process that takes over the lease writes the same batch, and therefore signs the same root.
create table log_trees (
    number      smallint primary key check (number >= 1),
    origin      text not null constraint log_trees_unique_origin unique,
    tree_id     text not null,
    vkey        text not null,
    size        bigint not null default 0 check (size >= 0),
    root        text not null,
    began_at    timestamptz not null,
    frozen_at   timestamptz,
    -- True if a signed checkpoint exists that the database does not contain. Nothing is signed then.
    is_halted   boolean not null default false,
    epoch       bigint not null default 0,
    holder      uuid,
    held_until  timestamptz,
    planned_ids bigint[]
);
create unique index log_trees_one_open on log_trees ((true)) where frozen_at is null;
grant select, insert,
    update (size, root, frozen_at, is_halted, epoch, holder, held_until, planned_ids)
    on log_trees to govern_app;
grant select on log_trees to govern_verify;

create trigger enforce_tree_growth before update on log_trees
    for each row when (old.frozen_at is not null or new.size < old.size
        or old.is_halted and not new.is_halted)
    execute function reject_change();
create trigger prevent_tree_deletion before delete on log_trees
    for each row execute function reject_change();
create trigger prevent_truncate before truncate on log_trees
    for each statement execute function reject_change();
alter table log_trees
    enable always trigger enforce_tree_growth,
    enable always trigger prevent_tree_deletion,
    enable always trigger prevent_truncate;

-- `data` is the leaf, byte for byte. A leaf is logged once across all trees.
create table log_entries (
    tree      smallint not null,
    index     bigint not null check (index >= 0),
    data      text not null,
    leaf_hash bytea not null,
    primary key (tree, index),
    constraint log_entries_unique_leaf unique (leaf_hash)
);

-- The hashes of 256 entries (level 1), of 256 of those (level 2), and so on. A tile of level 0 consists of
-- leaf hashes, and a tile of a higher level of these nodes, so a growing tile is never rewritten.
create table log_nodes (
    tree  smallint not null,
    level smallint not null check (level between 1 and 7),
    index bigint not null check (index >= 0),
    hash  bytea not null,
    primary key (tree, level, index)
);

-- Signed checkpoints. An entry is permanently anchored under the first checkpoint that includes it.
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

call enforce_append_only('log_entries', 'log_nodes', 'log_checkpoints');

-- The triggers below queue the digests in the transaction of their events, without a further round trip; `record_group`
-- queues those of receipts. The digests of seals, approvals and trust registries are texts.
create function queue_digest_for_log() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest) values (tg_argv[0], decode(new.digest, 'hex'));
    return null;
end
$$;
create trigger queue_seal_for_log after insert on chain_seals
    for each row execute function queue_digest_for_log('chain_seal');
create trigger queue_approval_for_log after insert on policy_approvals
    for each row execute function queue_digest_for_log('policy_approval');

-- Returns the digest of an audit checkpoint (receipts, section 14). Canonical JSON orders members by name,
-- and the tag identifies the tenant without naming it.
create function audit_checkpoint_digest(tenant_id uuid, salt text, seq bigint, hash text) returns text
    language sql stable
    set search_path = pg_catalog
as $$
    select encode(sha256(convert_to(format(
        '{"count":%s,"hash":"%s","schema":"service-audit-checkpoint/v1","seq":%s,"tenant_tag":"%s"}',
        seq, hash, seq,
        encode(sha256(convert_to(format(
            '{"salt":"%s","schema":"service-tenant-tag/v1","tenant_id":"%s"}',
            salt, tenant_id), 'UTF8')), 'hex')), 'UTF8')), 'hex')
$$;
create function queue_checkpoint_for_log() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    insert into log_pending (kind, digest)
        select 'audit_checkpoint', decode(audit_checkpoint_digest(
            new.tenant_id, audit_salt, new.seq, encode(new.hash, 'hex')), 'hex')
        from tenant_heads where tenant_id = new.tenant_id;
    return null;
end
$$;
create trigger queue_checkpoint_for_log after insert on audit_checkpoints
    for each row execute function queue_checkpoint_for_log();

revoke execute on function queue_digest_for_log, audit_checkpoint_digest, queue_checkpoint_for_log
    from public;
grant execute on function audit_checkpoint_digest to govern_app, govern_verify;
