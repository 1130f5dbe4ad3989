drop index policy_versions_one_successor;
alter table policy_versions
    drop constraint policy_versions_lineage_named,
    drop column lineage_set_aside,
    drop column has_unknown_maker;
create unique index policy_versions_one_successor
    on policy_versions (tenant_id, policy_id, lineage_previous) where lineage_previous is not null;
alter table settings drop column human_changes_only;
