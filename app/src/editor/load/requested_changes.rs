//! The request for changes to a version, with its comments.

use contract::policy::{PolicyVersion, ReviewSubmission, VersionStatus};
use governance::{
    Cx,
    authoring::policy::{self, version::VersionDetails},
};
use leptos::prelude::RenderHtml;

use crate::{
    clause::view::Clauses,
    comment::{self, CommentAct, Discussion},
    comparison::changes,
    editor::view::{EditorTarget, RequestedChanges},
    member::names::{Names, known},
    problem::Problem,
    request::{directory, into_problem},
    review::requested_changes::{ChangeRequest, REJECTED, change_request},
    rule::view::RuleLine,
    version::submission::SubmissionLine,
};

/// A request for changes, before the open rule is known.
pub(super) struct RequestWithComments {
    request: ChangeRequest,
    /// The revision that was returned, if it is one of this version.
    returned_revision: Option<u32>,
    is_submitted: bool,
    discussion: Discussion,
}

impl RequestWithComments {
    /// Returns the request that the next submission of a version addresses: a review record, or the rejection of
    /// a version that is a draft again.
    pub(super) async fn read(
        cx: &Cx,
        target: &EditorTarget,
        details: &VersionDetails,
    ) -> Result<Option<Self>, Problem> {
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
        let earlier = if is_own {
            None
        } else {
            Some(into_problem(policy::version::read(cx, target.policy, number).await)?)
        };
        let commented = earlier.as_ref().unwrap_or(version);
        let discussion = comment::threads(cx, target.tenant, commented, clauses.as_ref()).await?;
        // Comments on an earlier draft can only be replied to.
        let rules = rules.iter().filter(|_| is_own).map(|rule| rule.code.clone()).collect();
        let discussion = Discussion { rules, ..discussion };
        Ok(Some(Self {
            request,
            returned_revision: revision.filter(|_| is_own),
            is_submitted: version.status == VersionStatus::Submitted,
            discussion,
        }))
    }

    /// Returns the first rule with an open comment.
    pub(super) fn first_rule<'l>(&self, lines: &'l [RuleLine]) -> Option<&'l str> {
        let is_open = |line: &&RuleLine| self.discussion.open_threads(&line.code) > 0;
        lines.iter().find(is_open).map(|line| line.code.as_str())
    }

    /// Returns the parts of the page `page` with the rule of `target` open.
    pub(super) async fn render(
        self,
        page: String,
        target: &EditorTarget,
        lines: &[RuleLine],
    ) -> RequestedChanges {
        let discussion = comment::with_page(self.discussion, page).await;
        let rules = lines.iter().map(|line| {
            (line.code.clone(), target.rule(&line.code), discussion.open_threads(&line.code))
        });
        let rules = rules.filter(|(_, _, open)| *open > 0).collect();
        let note = change_request(ChangeRequest { rules, ..self.request });
        RequestedChanges {
            note: note.to_html(),
            threads: comment::of_rule(&discussion, &target.was).to_html(),
            comments: comment::section(&discussion, &[&target.was]).to_html(),
            submit_value: CommentAct::Submit(target.version).word(),
            returned_revision: self.returned_revision,
            is_submitted: self.is_submitted,
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
