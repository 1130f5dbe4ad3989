-- Decision chains: their heads, links and seals.

-- The head of a chain, locked to append a link or to seal the chain. A verifier checks `chain_links` and
-- `chain_seals`; the head states how many links there must be.
create table chains (
    tenant_id    uuid not null references tenants,
    id           uuid not null,
    links        integer not null default 0 check (links >= 0),
    head         text not null default '',
    highest_step integer not null default 0 check (highest_step >= 0),
    is_sealed    boolean not null default false,
    primary key (tenant_id, id),
    constraint chains_head_matches_links check ((head = '') = (links = 0)),
    constraint chains_sealed_not_empty check (links > 0 or not is_sealed)
);
grant select, insert, update (links, head, highest_step, is_sealed) on chains to govern_app;
grant select on chains to govern_verify;

create trigger prevent_sealed_chain_changes before update on chains
    for each row when (old.is_sealed) execute function reject_change();
alter table chains enable always trigger prevent_sealed_chain_changes;

-- `link` is the hashed and signed object, byte for byte; the other columns are for queries. `prev` of
-- the first link is empty, not null, so that a chain has one start. `sequence` is that of the decision: a
-- list shows a chain at the position of its first decision.
--
-- A link is inserted with its decision while the chain's head is locked, and is never deleted. The check
-- of a foreign key would slow down every record and never find an error.
create table chain_links (
    tenant_id   uuid not null,
    chain_id    uuid not null,
    position    integer not null check (position >= 1),
    step        integer not null check (step between 1 and 999999),
    decision_id uuid not null,
    sequence    bigint not null,
    link        text not null,
    hash        text not null,
    prev        text not null,
    signature   text,
    kid         text,
    primary key (tenant_id, chain_id, position),
    constraint chain_links_unique_step unique (tenant_id, chain_id, step),
    constraint chain_links_unique_prev unique (tenant_id, chain_id, prev),
    constraint chain_links_unique_decision unique (tenant_id, decision_id),
    constraint chain_links_one_start check ((prev = '') = (position = 1)),
    constraint chain_links_signature_all_or_none check ((signature is null) = (kid is null))
);
create unique index chain_links_first on chain_links (tenant_id, sequence desc) where position = 1;

create table chain_seals (
    tenant_id uuid not null,
    chain_id  uuid not null,
    seal      text not null,
    digest    text not null,
    signature text,
    kid       text,
    sealed_at timestamptz not null,
    primary key (tenant_id, chain_id),
    foreign key (tenant_id, chain_id) references chains,
    constraint chain_seals_signature_all_or_none check ((signature is null) = (kid is null))
);
grant select, insert on chain_links, chain_seals to govern_app;
grant select on chain_links, chain_seals to govern_verify;

call enforce_tenant_isolation('chains', 'chain_links', 'chain_seals');
call enforce_append_only('chain_links', 'chain_seals');
