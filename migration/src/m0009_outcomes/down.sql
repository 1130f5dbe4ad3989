create index decisions_by_policy on decisions (tenant_id, policy_id, sequence desc);
drop index decisions_by_time;
create index decisions_by_time on decisions using brin (recorded_at);
drop index decisions_by_snapshot;
drop trigger policies_are_indexed on policy_snapshots;
drop function index_snapshots();
drop table snapshot_policies;
drop trigger rules_are_indexed on decisions;
drop function index_decisions();
drop table decision_rules;
drop table outcomes;
drop index decisions_by_chain;
alter table decisions
    drop constraint decisions_state_what_was_signed,
    drop constraint decisions_place_in_chain,
    alter column statement set not null,
    alter column integrity set not null,
    drop column receipt_schema_version,
    drop column parent_decision_id,
    drop column chain_step,
    drop column chain_id;
