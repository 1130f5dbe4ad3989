//! The review submissions of a version and their records.

use contract::{
    id::SubmissionId,
    policy::{ReviewComment, ReviewSubmission, ReviewVerdict},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::{
    member::names::{Names, known},
    policy::view::{Step, StepKind},
};

/// A review submission and its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionLine {
    pub id: SubmissionId,
    pub sequence: u32,
    /// The sealed revision.
    pub revision: u32,
    /// The name of the user who sealed it.
    pub by: Option<String>,
    /// The ID of the user who sealed it.
    pub by_id: Option<String>,
    /// The time of sealing.
    pub at: Timestamp,
    pub record: Option<RecordLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    pub id: String,
    pub verdict: ReviewVerdict,
    /// The note on the whole version.
    pub note: Option<String>,
    /// The comments: the rule's code, if any, and the text.
    pub comments: Vec<(Option<String>, String)>,
    /// The name of the reviewer.
    pub by: Option<String>,
    /// The ID of the reviewer.
    pub by_id: String,
    pub at: Timestamp,
    pub digest: String,
}

impl SubmissionLine {
    /// Returns its events, oldest first: the submission and the review.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let submitted = Step {
            what: StepKind::Submitted,
            revision: Some(self.revision),
            at: self.at,
            by: self.by.clone(),
        };
        let reviewed = self.record.as_ref().map(|record| Step {
            what: record.verdict.into(),
            revision: Some(self.revision),
            at: record.at,
            by: record.by.clone(),
        });
        std::iter::once(submitted).chain(reviewed)
    }

    /// Creates the line of a submission, with the names of users.
    pub fn new(submission: ReviewSubmission, names: &Names) -> Self {
        let record = submission.records.into_iter().flatten().next();
        Self {
            id: submission.id,
            sequence: submission.sequence,
            revision: submission.candidate_revision,
            by_id: Some(submission.sealed_by.clone()),
            by: known(Some(submission.sealed_by), names),
            at: submission.sealed_at,
            record: record.map(|record| RecordLine {
                id: record.id.to_string(),
                verdict: record.verdict,
                note: record.note,
                comments: record.comments.into_iter().map(comment_parts).collect(),
                by_id: record.recorded_by.clone(),
                by: known(Some(record.recorded_by), names),
                at: record.recorded_at,
                digest: record.record_digest,
            }),
        }
    }
}

fn comment_parts(comment: ReviewComment) -> (Option<String>, String) {
    (comment.rule_code.or(comment.unit_id), comment.text)
}
