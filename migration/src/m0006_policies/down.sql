drop table snapshot_policies, policy_snapshots, codifications, policy_versions, policies, policy_groups;
drop function index_snapshot_policies;
