//! The review submissions of a version and their records.

use contract::policy::ReviewComment;
use page_kit::prelude::*;

pub(crate) const NO_SUBMISSIONS: &str = "Nothing submitted for review yet.";

/// What the digest of a record is called.
pub(crate) const DIGEST: &str = "Record digest";

/// A review submission and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubmissionLine {
    pub(crate) id: SubmissionId,
    pub(crate) sequence: u32,
    /// The sealed revision.
    pub(crate) revision: u32,
    /// The name of the user who sealed it.
    pub(crate) by: Option<String>,
    /// The ID of the user who sealed it.
    pub(crate) by_id: Option<String>,
    /// The time of sealing.
    pub(crate) at: Timestamp,
    pub(crate) record: Option<RecordLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordLine {
    pub(crate) id: String,
    pub(crate) verdict: ReviewVerdict,
    /// The note on the whole version.
    pub(crate) note: Option<String>,
    /// The comments: the rule's code, if any, and the text.
    pub(crate) comments: Vec<(Option<String>, String)>,
    /// The name of the reviewer.
    pub(crate) by: Option<String>,
    /// The ID of the reviewer.
    pub(crate) by_id: String,
    pub(crate) at: Timestamp,
    pub(crate) digest: String,
}

impl SubmissionLine {
    /// Creates the line of a submission, with the names of users.
    pub(crate) fn new(submission: ReviewSubmission, names: &Names) -> Self {
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

/// Renders the submissions, newest first, each with its review record.
pub(crate) fn submission_list(
    submissions: &[SubmissionLine],
    revision: u32,
    stage: VersionStage,
) -> AnyView {
    let newest = submissions.first().map(|submission| submission.id);
    let item = |line: &SubmissionLine| {
        let is_waiting = stage == VersionStage::WaitingForReview && newest == Some(line.id);
        let no_record = if is_waiting { verdict::stage(stage) } else { "Not reviewed" };
        let record = match &line.record {
            Some(record) => record.details(),
            None => any_view! { <p>{no_record}</p> },
        };
        view! {
            <li>
                <p class="font-semibold tabular-nums">
                    "r" {line.revision} {(line.revision != revision).then_some(", outdated")}
                </p>
                <p class="text-xs text-muted">{minute_by(line.at, line.by.clone())}</p>
                {record}
            </li>
        }
    };
    let content = if submissions.is_empty() {
        any_view! { <p class="text-muted">{NO_SUBMISSIONS}</p> }
    } else {
        any_view! { <ol class="timeline">{submissions.iter().map(item).collect_view()}</ol> }
    };
    any_view! {
        <section class="card">
            <h2>"Previous submissions"</h2>
            {content}
        </section>
    }
}

impl RecordLine {
    pub(crate) fn details(&self) -> AnyView {
        let (tone, drawing) = match self.verdict {
            ReviewVerdict::Accept => ("allow", Icon::Allow),
            ReviewVerdict::Return => ("warn", Icon::Warn),
        };
        let comment = |(code, text): &(Option<String>, String)| {
            view! {
                <li>
                    <bdi class="rule-code">{code.clone()}</bdi>
                    " "
                    <bdi>{text.clone()}</bdi>
                </li>
            }
        };
        any_view! {
            <p>
                <span class=format!("status {tone}")>{icon(drawing)} {self.verdict.as_str()}</span>
            </p>
            <p class="text-xs text-muted">{minute_by(self.at, self.by.clone())}</p>
            {self.note.clone().map(quote)}
            <ul class="plain-list">{self.comments.iter().map(comment).collect_view()}</ul>
            {digest_code(self.digest.clone(), DIGEST)}
        }
    }
}
