drop trigger queue_checkpoint_for_log on audit_checkpoints;
drop trigger queue_approval_for_log on policy_approvals;
drop trigger queue_seal_for_log on chain_seals;
drop trigger queue_receipt_for_log on decisions;
drop function queue_checkpoint_for_log, audit_checkpoint_digest, queue_digest_for_log,
    queue_receipt_for_log;
drop table log_checkpoints, log_nodes, log_entries, log_trees, log_pending;
