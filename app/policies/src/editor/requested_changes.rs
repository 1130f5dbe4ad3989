//! The changes that a reviewer requested, with their comments.

use governance::authoring::policy::{self, version::VersionDetails};
use islands::editor::{
    Submission,
    view::{EditorPage, EditorTarget},
    words,
};
use page_kit::prelude::*;
use rules::clause::view::Clauses;

use crate::{
    comment::{self, CommentAct, Discussion},
    comparison::changes,
    review::requested_changes::{ChangeRequest, REJECTED, change_request},
    version::{actions::UNCHANGED, submission::SubmissionLine},
};

/// The request that the next submission of a version addresses.
pub(super) struct RequestedChanges {
    request: ChangeRequest,
    /// The revision that was returned, if it is one of this version. It cannot be submitted again.
    returned_revision: Option<u32>,
    /// Whether the version is still submitted, so that the first change recalls it.
    pub(super) is_submitted: bool,
    discussion: Discussion,
    /// The code of the open rule.
    code: String,
}

/// Returns the request that the next submission of a version addresses: a review record, or the rejection of
/// a version that is a draft again.
pub(super) async fn read(
    cx: &Cx,
    target: &EditorTarget,
    details: &VersionDetails,
) -> Result<Option<RequestedChanges>, Problem> {
    let (version, submission) = (&details.version, details.requested_changes().cloned());
    if submission.is_none() && version.rejected_at.is_none() {
        return Ok(None);
    }
    let names = &directory(cx).await?.names;
    let number = submission.as_ref().map_or(target.version, |submission| submission.version);
    let is_own = number == target.version;
    let revision = submission.as_ref().map(|submission| submission.candidate_revision);
    let request = match submission {
        Some(submission) => review(submission, version, names),
        None => rejection(version, names),
    };
    let Some(request) = request else { return Ok(None) };
    let clauses = version.codification_record.clone();
    let rules = version.rules.as_deref().unwrap_or_default();
    let clauses = clauses.map(|record| Clauses::of(*record, rules));
    let earlier =
        if is_own { None } else { Some(policy::version::read(cx, target.policy, number).await?) };
    let commented = earlier.as_ref().unwrap_or(version);
    let discussion = comment::threads(cx, target.tenant, commented, clauses.as_ref()).await?;
    // Comments on an earlier draft can only be replied to.
    let rules = rules.iter().filter(|_| is_own).map(|rule| rule.code.clone()).collect();
    let discussion = Discussion { rules, ..discussion };
    Ok(Some(RequestedChanges {
        request,
        returned_revision: revision.filter(|_| is_own),
        is_submitted: version.status == VersionStatus::Submitted,
        discussion,
        code: String::new(),
    }))
}

impl RequestedChanges {
    /// Returns the first rule with an open comment.
    pub(super) fn first_rule<'l>(&self, rules: &'l [Rule]) -> Option<&'l str> {
        let is_open = |rule: &&Rule| self.discussion.open_threads(&rule.code) > 0;
        rules.iter().find(is_open).map(|rule| rule.code.as_str())
    }

    /// Adds the addresses of `page`, and the comments that the user has typed on it.
    pub(super) async fn on_page(self, page: &EditorPage) -> Self {
        let EditorPage { target, lines, .. } = page;
        let own = target.rule(&target.was);
        let discussion = comment::with_page(self.discussion, own).await;
        let rules = lines.iter().map(|line| {
            (line.code.clone(), target.rule(&line.code), discussion.open_threads(&line.code))
        });
        let rules = rules.filter(|(_, _, open)| *open > 0).collect();
        let request = ChangeRequest { rules, ..self.request };
        Self { request, discussion, code: target.was.clone(), ..self }
    }

    /// Renders who requested them, when and why.
    pub(super) fn note(&self) -> AnyView {
        any_view! { <div>{change_request(self.request.clone())}</div> }
    }

    /// Renders the announcement that the first change recalls the version, for a page without scripts.
    pub(super) fn recall_note(&self) -> Option<AnyView> {
        self.is_submitted.then(|| note(Tone::Warn, None, words::RECALLS))
    }

    /// Renders the comments on the open rule.
    pub(super) fn threads(&self) -> Option<AnyView> {
        let mut threads = self.discussion.of_rule(&self.code).peekable();
        threads.peek()?;
        let threads = comment::of_rule(&self.discussion, &self.code);
        Some(any_view! { <div class="rule-threads">{threads}</div> })
    }

    /// Renders the other comments, and the form of all comments.
    pub(super) fn comments(&self) -> AnyView {
        let comments = comment::section(&self.discussion, &[&self.code]);
        any_view! { <div>{comments}</div> }
    }

    /// Returns how version `number` is submitted.
    pub(super) fn submission(&self, number: u32) -> Submission {
        Submission::Comments {
            value: CommentAct::Submit(number).word(),
            returned_revision: self.returned_revision,
            unchanged: UNCHANGED.to_owned(),
        }
    }
}

/// Returns the review record of a returned submission, of `version` or of an earlier draft.
fn review(
    submission: ReviewSubmission,
    version: &PolicyVersion,
    names: &Names,
) -> Option<ChangeRequest> {
    let earlier = Some(submission.version).filter(|number| *number != version.version);
    let revision = changes::revision(earlier, submission.candidate_revision);
    let record = SubmissionLine::new(submission, names).record?;
    Some(ChangeRequest {
        event: format!("requested changes to {revision}"),
        by: record.by,
        at: record.at,
        text: record.note,
        rules: Vec::new(),
    })
}

/// Returns the rejection of a draft that was not submitted since.
fn rejection(version: &PolicyVersion, names: &Names) -> Option<ChangeRequest> {
    let at = version.rejected_at.filter(|_| version.status == VersionStatus::Draft)?;
    let is_last = version.submitted_at.is_none_or(|submitted| submitted <= at);
    is_last.then(|| ChangeRequest {
        event: REJECTED.to_owned(),
        by: known(version.rejected_by.clone(), names),
        at,
        text: version.rejection_reason.clone(),
        rules: Vec::new(),
    })
}
