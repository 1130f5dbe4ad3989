//! Reviews: what was sealed for them, and what reviewers recorded.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    id::{PolicyVersionId, ReviewRecordId, SubmissionId},
    json::Value,
    read::{At, Errors, Members, Read, id, list, prose, text, word},
    time::Timestamp,
};

/// How many comments a review record holds.
pub const COMMENTS_MAX: usize = 1_000;

/// What a reviewer found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum ReviewVerdict {
    /// It may be ratified as it was sealed.
    Accept,
    /// It must change, or be explained; the next seal answers this record.
    Return,
}

impl ReviewVerdict {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Accept, Self::Return];

    /// The words of the wire.
    pub const WORDS: [&'static str; 2] = ["ACCEPT", "RETURN"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPT",
            Self::Return => "RETURN",
        }
    }
}

impl fmt::Display for ReviewVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ReviewVerdict {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == text).ok_or(())
    }
}

/// The body of `seal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seal {
    /// The return that this submission answers: required after a return, and refused otherwise.
    pub answers_record_id: Option<ReviewRecordId>,
}

impl Read for Seal {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let answers_record_id = members.optional("answers_record_id", id);
        members.finish()?;
        Some(Self { answers_record_id })
    }
}

/// A revision of a version, sealed for review. It does not change, whatever becomes of the draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Submission {
    /// The id.
    pub id: SubmissionId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// Its number among the submissions of the version, from 1.
    pub sequence: u32,
    /// The `draft_revision` that was sealed.
    pub candidate_revision: u32,
    /// Digest of the sealed rules (receipts, section 3).
    pub rules_digest: String,
    /// Digest of the sealed object.
    pub submission_digest: String,
    /// Who sealed it: a person or a key.
    pub sealed_by: String,
    /// When.
    pub sealed_at: Timestamp,
    /// The return that it answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answers_record_id: Option<ReviewRecordId>,
    /// What reviewers recorded about it: at most one record. Shown in the list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub records: Option<Vec<ReviewRecord>>,
}

/// A remark of a reviewer, on a rule, a clause, or the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewComment {
    /// The rule that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_code: Option<String>,
    /// The clause that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit_id: Option<String>,
    /// The remark.
    pub text: String,
}

impl Read for ReviewComment {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let rule_code = members.optional("rule_code", text(1, 100));
        let unit_id = members.optional("unit_id", text(1, 200));
        let text = members.required("text", text(1, 65_536));
        members.finish()?;
        Some(Self { rule_code, unit_id, text: text? })
    }
}

/// The body of `records`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(example = json!({
    "verdict": "RETURN",
    "comments": [{"rule_code": "AMOUNT", "text": "The limit is per day, not per payment."}],
    "note": "One remark, otherwise good.",
})))]
pub struct ReviewDraft {
    /// What the reviewer found.
    pub verdict: ReviewVerdict,
    /// Remarks; absent means none.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub comments: Vec<ReviewComment>,
    /// Words about the whole.
    pub note: Option<String>,
}

impl Read for ReviewDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let verdict = members.required("verdict", word(&ReviewVerdict::WORDS));
        let comments = members.optional("comments", list(COMMENTS_MAX, ReviewComment::read));
        let note = members.optional("note", prose);
        members.finish()?;
        Some(Self { verdict: verdict?, comments: comments.unwrap_or_default(), note })
    }
}

/// What a reviewer recorded about a submission. There is at most one, and it never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewRecord {
    /// The id.
    pub id: ReviewRecordId,
    /// What was reviewed.
    pub submission_id: SubmissionId,
    /// What was found.
    pub verdict: ReviewVerdict,
    /// Remarks.
    pub comments: Vec<ReviewComment>,
    /// Words about the whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Who recorded it: a person.
    pub recorded_by: String,
    /// When.
    pub recorded_at: Timestamp,
    /// Digest of the record.
    pub record_digest: String,
}
