-- The line of tenants above each one, nearest first: whose inheritable policies govern it too. It stands
-- in the head, which is read before a tenant is chosen, so that a row of an ancestor need not be seen to
-- know who the ancestors are; and so that a change of what they hand down finds those whom it reaches.
-- Lines never change: parents do not, and tenants do not go.
alter table tenant_heads
    add column ancestors uuid[] not null default '{}',
    add constraint tenant_heads_few_ancestors check (cardinality(ancestors) <= 8),
    add constraint tenant_heads_no_ring check (tenant_id <> all (ancestors));

-- The bound ends a line that was damaged into a ring: whoever stands in one gets no line.
alter table tenants no force row level security;
with recursive line as (
    select tenant_id, parent_tenant_id as above, array[]::uuid[] as ancestors from tenants
    union all
    select line.tenant_id, next.parent_tenant_id, line.ancestors || next.tenant_id
    from line join tenants next on next.tenant_id = line.above
    where cardinality(line.ancestors) <= 8)
update tenant_heads set ancestors = line.ancestors
    from line where line.tenant_id = tenant_heads.tenant_id and line.above is null
        and line.ancestors <> '{}';
alter table tenants force row level security;

create index tenant_heads_by_ancestor on tenant_heads using gin (ancestors);
