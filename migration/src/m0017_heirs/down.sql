drop index tenant_heads_by_ancestor;
alter table tenant_heads
    drop constraint tenant_heads_few_ancestors,
    drop constraint tenant_heads_no_ring,
    drop column ancestors;
