drop index policies_active, policies_by_group;
alter table policies drop constraint policies_group_exists;
drop table policy_groups;
