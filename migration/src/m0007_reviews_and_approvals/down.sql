drop table policy_approvals, comment_mentions, version_comments, review_drafts, review_records,
    review_submissions;
