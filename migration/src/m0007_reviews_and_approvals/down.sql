drop table policy_approvals, review_records, review_submissions;
