//! What changed in a version since an earlier submission or version.

use contract::policy::ReviewSubmission;
use governance::{
    Cx,
    authoring::policy::{self, version::ChangesSince},
};
use leptos::prelude::RenderHtml;

use super::{
    markup::{self, ChangesSinceReview, Submission},
    view::comparisons,
};
use crate::{
    comment::{load as comment_load, view::Discussion},
    problem::Problem,
    request::{self, directory, into_problem},
    review::{
        record::SubmissionLine,
        view::{self as review_view, Change, LastReview},
        words as strings,
    },
    rule::view::RuleLine,
    text::url,
    version::view::VersionPage,
};

/// Returns the summary of what the author submits, as HTML: the changes since the returned revision or,
/// without one, since the active version.
pub(crate) async fn submission(cx: &Cx, version: &VersionPage) -> Result<String, Problem> {
    let (id, number) = (version.policy, version.version);
    let details = request::version(cx, id, number).await?;
    let returned = into_problem(details.since_request(cx).await)?;
    let mut unanswered = 0;
    let (base, diff) = if let Some(ChangesSince { submission, diff }) = returned {
        let discussion = discussion_of(cx, version, &submission).await?;
        unanswered = discussion.unanswered_count();
        let revision = submission.candidate_revision;
        (
            strings::changes_since(&strings::revision(
                earlier_version(version, &submission),
                revision,
            )),
            diff,
        )
    } else {
        let diff = into_problem(details.diff(cx, None).await)?;
        let base = diff.against.map(|version| strings::changes_since(&format!("v{version}")));
        (base.unwrap_or_else(|| strings::NEW_RULES.to_owned()), diff)
    };
    let findings = version.clauses.iter().flat_map(|clauses| &clauses.lines);
    let submission = Submission {
        base,
        rules: comparisons(&diff, details.version.rules.as_deref().unwrap_or_default()),
        compare: url::compare(version.tenant, id, number),
        reason: version.change_reason.clone(),
        unanswered,
        findings: findings.map(|line| line.findings.len()).sum(),
    };
    Ok(markup::submission(submission).to_html())
}

/// The user's last review, and the rules of the version that differ from the reviewed ones or are equal.
pub(crate) struct SinceReview {
    pub(crate) review: LastReview,
    pub(crate) changes: Vec<Change>,
    pub(crate) same: Vec<RuleLine>,
}

/// Returns what changed since the last review of the user. `None` without a review of an earlier revision.
pub(crate) async fn since_review(
    cx: &Cx,
    version: &VersionPage,
    discussion: &Discussion,
) -> Result<Option<SinceReview>, Problem> {
    let (id, number) = (version.policy, version.version);
    let details = request::version(cx, id, number).await?;
    let since = into_problem(details.since_own_review(cx).await)?;
    let Some(ChangesSince { submission, diff }) = since else { return Ok(None) };
    let earlier = earlier_version(version, &submission);
    let own;
    let discussion = if earlier.is_some() {
        own = discussion_of(cx, version, &submission).await?;
        &own
    } else {
        discussion
    };
    let revision = strings::revision(earlier, submission.candidate_revision);
    let names = &directory(cx).await?.names;
    let Some(record) = SubmissionLine::new(submission, names).record else { return Ok(None) };
    let page = earlier.map(|earlier| url::version(version.tenant, id, earlier));
    let page = page.unwrap_or_default();
    let mut replies = Vec::new();
    for thread in &discussion.threads {
        for reply in thread.replies.iter().filter(|reply| reply.at > record.at) {
            let address = format!("{page}#comment-{}", reply.id);
            replies.push((thread.subject.label(), address, reply.clone()));
        }
    }
    let rules = details.version.rules.as_deref().unwrap_or_default();
    let since = ChangesSinceReview {
        review: strings::own_review(record.verdict, &revision),
        rules: comparisons(&diff, rules),
        compare: url::compare(version.tenant, id, number),
        replies,
    };
    let differing = review_view::changes(&diff, rules, policy::rule_digest);
    Ok(Some(SinceReview {
        review: LastReview { revision, changes: markup::changes_since_review(since).to_html() },
        same: review_view::same(&differing, rules),
        changes: differing,
    }))
}

/// Returns the number of the version of a submission, if it is an earlier draft.
fn earlier_version(version: &VersionPage, submission: &ReviewSubmission) -> Option<u32> {
    Some(submission.version).filter(|number| *number != version.version)
}

/// Returns the comments on the version of a submission.
async fn discussion_of(
    cx: &Cx,
    version: &VersionPage,
    submission: &ReviewSubmission,
) -> Result<Discussion, Problem> {
    let stored = policy::version::read(cx, version.policy, submission.version).await;
    let stored = into_problem(stored)?;
    comment_load::threads(cx, version.tenant, &stored, version.clauses.as_ref()).await
}
