//! What is reviewed, and what reviewers record. Ours alone: approvals name both by id, and their digests
//! show that neither was changed.

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId},
    json::Value,
    policy::{ReviewComment, ReviewVerdict},
    time::Timestamp,
};

use crate::canon::{Canonical, Members, Part};

/// A revision of a version as it is sealed for review.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Whose policy it is.
    pub tenant_id: TenantId,
    /// The policy.
    pub policy_id: PolicyId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// The submission.
    pub submission_id: SubmissionId,
    /// Its number among those of the version.
    pub sequence: u32,
    /// The revision of the draft.
    pub candidate_revision: u32,
    /// Digest of [`rules`](super::rules).
    pub rules_digest: &'a str,
    /// The rules in authored order, with all their members.
    pub rules: &'a Value,
    /// Why the version was made.
    pub change_reason: Option<&'a str>,
    /// The return that it answers.
    pub answers_record_id: Option<ReviewRecordId>,
    /// Who sealed it: a person or a key.
    pub sealed_by: &'a str,
    /// When.
    pub sealed_at: Timestamp,
}

/// The sealed object.
pub fn submission(sealed: &Submission<'_>) -> Canonical {
    Members::schema("service-review-submission/v1")
        .with("tenant_id", sealed.tenant_id.to_string())
        .with("policy_id", sealed.policy_id.to_string())
        .with("policy_version_id", sealed.policy_version_id.to_string())
        .with("version", sealed.version)
        .with("submission_id", sealed.submission_id.to_string())
        .with("sequence", sealed.sequence)
        .with("candidate_revision", sealed.candidate_revision)
        .with("rules_digest", sealed.rules_digest)
        .with("rules", sealed.rules)
        .maybe("change_reason", sealed.change_reason)
        .maybe("answers_record_id", sealed.answers_record_id.map(|id| id.to_string()))
        .with("sealed_by", sealed.sealed_by)
        .with("sealed_at", sealed.sealed_at.to_string())
        .canonical()
}

/// What a reviewer records about a submission.
#[derive(Clone, Copy, Debug)]
pub struct ReviewRecord<'a> {
    /// Whose policy it is.
    pub tenant_id: TenantId,
    /// The record.
    pub record_id: ReviewRecordId,
    /// What was reviewed.
    pub submission_id: SubmissionId,
    /// Digest of [`submission`]: the record is about these bytes.
    pub submission_digest: &'a str,
    /// What was found.
    pub verdict: ReviewVerdict,
    /// Remarks.
    pub comments: &'a [ReviewComment],
    /// Words about the whole.
    pub note: Option<&'a str>,
    /// The person.
    pub recorded_by: &'a str,
    /// When.
    pub recorded_at: Timestamp,
}

/// The record, and `record_digest`.
pub fn review_record(record: &ReviewRecord<'_>) -> Canonical {
    let comments: Vec<Part<'_>> = record.comments.iter().map(comment).collect();
    Members::schema("service-review-record/v1")
        .with("tenant_id", record.tenant_id.to_string())
        .with("record_id", record.record_id.to_string())
        .with("submission_id", record.submission_id.to_string())
        .with("submission_digest", record.submission_digest)
        .with("verdict", record.verdict.as_str())
        .with("comments", comments)
        .maybe("note", record.note)
        .with("recorded_by", record.recorded_by)
        .with("recorded_at", record.recorded_at.to_string())
        .canonical()
}

fn comment(comment: &ReviewComment) -> Part<'_> {
    Members::default()
        .maybe("rule_code", comment.rule_code.as_deref())
        .maybe("unit_id", comment.unit_id.as_deref())
        .with("text", comment.text.as_str())
        .into()
}
