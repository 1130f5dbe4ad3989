drop trigger checkpoints_are_logged on audit_checkpoints;
drop trigger approvals_are_logged on policy_approvals;
drop trigger seals_are_logged on chain_seals;
drop trigger receipts_are_logged on decisions;
drop function log_audit_checkpoint, audit_checkpoint_digest, log_digest, log_decisions;
drop table log_checkpoints, log_nodes, log_entries, log_trees, log_pending;
