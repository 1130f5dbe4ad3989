//! Review submissions and review records.

use serde::{Deserialize, Serialize};

use crate::{
    id::{PolicyVersionId, ReviewRecordId, SubmissionId},
    json::Value,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, enum_value, id, list, long_text, text},
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SealRequest {
    /// The ID of the review record that requested changes. Required if the previous submission was returned,
    /// and rejected otherwise.
    pub answers_record_id: Option<ReviewRecordId>,
}

impl FromJson for SealRequest {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let answers_record_id = members.optional("answers_record_id", id);
        members.finish()?;
        Some(Self { answers_record_id })
    }
}

/// A review submission: an immutable, sealed copy of one draft revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answers_record_id: Option<ReviewRecordId>,
    /// The review records of the submission: at most one. Present in lists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub records: Option<Vec<ReviewRecord>>,
}

/// A comment of a reviewer on a rule, a clause or the whole version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewComment {
    /// The code of the rule that the comment concerns.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_code: Option<String>,
    /// The ID of the clause that the comment concerns.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit_id: Option<String>,
    /// The text of the comment.
    pub text: String,
}

impl FromJson for ReviewComment {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let rule_code = members.optional("rule_code", text(1, 100));
        let unit_id = members.optional("unit_id", text(1, 200));
        let text = members.required("text", text(1, 65_536));
        members.finish()?;
        Some(Self { rule_code, unit_id, text: text? })
    }
}

/// The body of a request that creates a review record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    pub comments: Vec<ReviewComment>,
    /// A note on the whole version.
    pub note: Option<String>,
}

impl FromJson for ReviewDraft {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let verdict = members.required("verdict", enum_value);
        let comments = members.optional("comments", list(COMMENTS_MAX, ReviewComment::from_json));
        let note = members.optional("note", long_text);
        members.finish()?;
        Some(Self { verdict: verdict?, comments: comments.unwrap_or_default(), note })
    }
}

/// A review record: the immutable verdict of a reviewer on a submission. A submission has at most one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// The ID of the reviewer.
    pub recorded_by: String,
    /// The time of the record.
    pub recorded_at: Timestamp,
    /// The digest of the record.
    pub record_digest: String,
}
