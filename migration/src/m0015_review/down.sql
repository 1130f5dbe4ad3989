drop table capability_grants, policy_approvals;
alter table review_submissions drop constraint review_submissions_tenant_id_answers_record_id_fkey;
drop table review_records, review_submissions;
drop trigger rules_are_fixed on policy_versions;
drop trigger closed_is_kept on policy_versions;
alter table policy_versions
    drop constraint policy_versions_lineage_falls,
    drop constraint policy_versions_lineage;
drop index policy_versions_one_successor;
alter table policy_versions drop column lineage_previous;
