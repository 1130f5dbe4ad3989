//! Review submissions and review records.

use crate::{
    id::{PolicyVersionId, ReviewRecordId, SubmissionId},
    read::{list, long_text, text},
    time::Timestamp,
};

/// The maximum number of comments of a review record.
pub const COMMENTS_MAX: usize = 1_000;

string_enum! {
    /// The verdict of a reviewer.
    pub enum ReviewVerdict {
        /// The sealed revision can be ratified.
        Accept = "ACCEPT",
        /// Changes or explanations are required. The next review submission must reference this record.
        Return = "RETURN",
    }
}

/// The body of a request that creates a review submission.
#[body(Copy, Default, Eq)]
pub struct SealRequest {
    /// The ID of the review record that requested changes. Required if the previous submission was returned,
    /// and rejected otherwise.
    pub answers_record_id: Option<ReviewRecordId>,
}

/// A review submission: an immutable, sealed copy of one draft revision.
#[wire(Eq)]
pub struct ReviewSubmission {
    /// The ID of the submission.
    pub id: SubmissionId,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The version number.
    pub version: u32,
    /// The sequence number among the submissions of the version, from 1.
    pub sequence: u32,
    /// The `draft_revision` that was sealed.
    pub candidate_revision: u32,
    /// The digest of the sealed rules (receipts, section 3).
    pub rules_digest: String,
    /// The digest of the sealed object.
    pub submission_digest: String,
    /// The ID of the user or API key that sealed the revision.
    pub sealed_by: String,
    /// The time at which the revision was sealed.
    pub sealed_at: Timestamp,
    /// The ID of the review record whose requested changes this submission addresses.
    pub answers_record_id: Option<ReviewRecordId>,
    /// The review records of the submission: at most one. Present in lists.
    pub records: Option<Vec<ReviewRecord>>,
}

/// A comment of a reviewer on a rule, a clause or the whole version.
#[wire(Eq, FromJson)]
pub struct ReviewComment {
    /// The code of the rule that the comment concerns.
    #[json(with = text(1, 100))]
    pub rule_code: Option<String>,
    /// The ID of the clause that the comment concerns.
    #[json(with = text(1, 200))]
    pub unit_id: Option<String>,
    /// The text of the comment.
    #[json(with = text(1, 65_536))]
    pub text: String,
}

/// The body of a request that creates a review record.
#[body(Eq)]
#[cfg_attr(feature = "openapi", schema(example = json!({
    "verdict": "RETURN",
    "comments": [{"rule_code": "AMOUNT", "text": "The limit is per day, not per payment."}],
    "note": "One remark, otherwise good.",
})))]
pub struct ReviewDraft {
    /// The verdict of the reviewer.
    pub verdict: ReviewVerdict,
    /// The comments; absent means none.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    #[json(default, with = list(COMMENTS_MAX, ReviewComment::from_json))]
    pub comments: Vec<ReviewComment>,
    /// A note on the whole version.
    #[json(with = long_text)]
    pub note: Option<String>,
}

/// A review record: the immutable verdict of a reviewer on a submission. A submission has at most one.
#[wire(Eq)]
pub struct ReviewRecord {
    /// The ID of the record.
    pub id: ReviewRecordId,
    /// The ID of the submission.
    pub submission_id: SubmissionId,
    /// The verdict of the reviewer.
    pub verdict: ReviewVerdict,
    /// The comments of the reviewer.
    pub comments: Vec<ReviewComment>,
    /// A note on the whole version.
    pub note: Option<String>,
    /// The ID of the reviewer.
    pub recorded_by: String,
    /// The time of the record.
    pub recorded_at: Timestamp,
    /// The digest of the record.
    pub record_digest: String,
}
