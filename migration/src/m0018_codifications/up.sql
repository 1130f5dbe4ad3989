-- The clauses that a draft's rules come from: one row for each revision that changed them, so that
-- whoever reviews a revision reads what stood with it. `block` is what was sent, `record` what is
-- answered; both null say that the revision took the codification away. The rows of a deleted draft
-- stay; its number is not given out again.

create table codifications (
    tenant_id      uuid not null references tenants,
    policy_id      uuid not null,
    version        integer not null check (version >= 1),
    draft_revision integer not null check (draft_revision >= 1),
    block          text,
    record         text,
    created_at     timestamptz not null,
    primary key (tenant_id, policy_id, version, draft_revision),
    constraint codifications_whole check ((block is null) = (record is null))
);
grant select, insert on codifications to govern_app;
grant select on codifications to govern_verify;

alter table codifications enable row level security, force row level security;
create policy of_tenant on codifications
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

create trigger rows_are_kept before update or delete on codifications
    for each row execute function refuse_change();
create trigger table_is_kept before truncate on codifications
    for each statement execute function refuse_change();
alter table codifications
    enable always trigger rows_are_kept, enable always trigger table_is_kept;
