drop table policy_snapshots;
drop table policy_versions;
drop table policies;
