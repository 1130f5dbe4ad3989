//! Review submissions and review records. Their format is internal: approvals reference both by ID, and
//! their digests detect changes.

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId, TenantId},
    json::Value,
    policy::{ReviewComment, ReviewVerdict},
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    members::{Members as _, members},
};

/// A draft revision sealed for review.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The tenant of the policy.
    pub tenant_id: TenantId,
    /// The policy of the version.
    pub policy_id: PolicyId,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The number of the version.
    pub version: u32,
    /// The ID of the submission.
    pub submission_id: SubmissionId,
    /// The sequence number among the submissions of the version.
    pub sequence: u32,
    /// The draft revision.
    pub candidate_revision: u32,
    /// Digest of [`rules`](super::rules).
    pub rules_digest: &'a str,
    /// The rules in authored order, with all their members.
    pub rules: &'a Value,
    /// The reason for the version.
    pub change_reason: Option<&'a str>,
    /// The requested changes that this submission addresses.
    pub answers_record_id: Option<ReviewRecordId>,
    /// The user or API key that sealed it.
    pub sealed_by: &'a str,
    /// The time of sealing.
    pub sealed_at: Timestamp,
}

members! {
    Submission<'a> where 'a {
        tenant_id, policy_id, policy_version_id, version, submission_id, sequence,
        candidate_revision, rules_digest, rules, change_reason, answers_record_id, sealed_by,
        sealed_at,
    }
}

/// Returns the canonical review submission. Its digest is the `submission_digest`.
pub fn submission(submission: &Submission<'_>) -> CanonicalJson {
    let object = ObjectBuilder::with_schema("service-review-submission/v1");
    submission.write_members(object).canonical()
}

/// A reviewer's verdict on a submission.
#[derive(Clone, Copy, Debug)]
pub struct ReviewRecord<'a> {
    /// The tenant of the policy.
    pub tenant_id: TenantId,
    /// The ID of the record.
    pub record_id: ReviewRecordId,
    /// The reviewed submission.
    pub submission_id: SubmissionId,
    /// Digest of the reviewed [`submission`].
    pub submission_digest: &'a str,
    /// The verdict of the reviewer.
    pub verdict: ReviewVerdict,
    /// Comments on single rules or clauses.
    pub comments: &'a [ReviewComment],
    /// A comment on the whole submission.
    pub note: Option<&'a str>,
    /// The user who recorded it.
    pub recorded_by: &'a str,
    /// The time of recording.
    pub recorded_at: Timestamp,
}

/// Returns the canonical review record. Its digest is the `record_digest`.
pub fn review_record(record: &ReviewRecord<'_>) -> CanonicalJson {
    let comments: Vec<JsonPart<'_>> = record.comments.iter().map(comment).collect();
    ObjectBuilder::with_schema("service-review-record/v1")
        .member("tenant_id", record.tenant_id.to_string())
        .member("record_id", record.record_id.to_string())
        .member("submission_id", record.submission_id.to_string())
        .member("submission_digest", record.submission_digest)
        .member("verdict", record.verdict.as_str())
        .member("comments", comments)
        .optional("note", record.note)
        .member("recorded_by", record.recorded_by)
        .member("recorded_at", record.recorded_at.to_string())
        .canonical()
}

fn comment(comment: &ReviewComment) -> JsonPart<'_> {
    ObjectBuilder::default()
        .optional("rule_code", comment.rule_code.as_deref())
        .optional("unit_id", comment.unit_id.as_deref())
        .member("text", comment.text.as_str())
        .into()
}
