//! What changed in a version since an earlier submission or version: the rules that differ, one line each, and the
//! replies to comments.

use governance::authoring::policy::{self, version::ChangesSince};
use islands::editor::words;
use page_kit::prelude::*;
use rules::rule::view::RuleLine;

use super::{
    change::{Change, PropertyChange, RuleComparison, changes, comparisons, same},
    rule::marked,
};
use crate::{
    comment::{self, Discussion, Entry},
    version::{Version, submission::SubmissionLine},
};

/// The maximum number of rules that a summary lists.
const RULES_MAX: usize = 20;

/// Renders the summary of what the author submits, before the author confirms it: the changes since the returned
/// revision or, without one, since the active version.
pub(crate) async fn submission(cx: &Cx, version: &Version) -> Result<AnyView, Problem> {
    let details = &version.details;
    let mut unanswered = 0;
    let returned = details.since_request(cx).await?;
    let (title, diff) = if let Some(ChangesSince { submission, diff }) = returned {
        unanswered = discussion_of(cx, version, &submission).await?.unanswered_count();
        let earlier = earlier_version(version, &submission);
        let revision = revision(earlier, submission.candidate_revision);
        (format!("Changes since {revision}"), diff)
    } else {
        let diff = details.diff(cx, None).await?;
        let base = diff.against.map(|version| format!("Changes since v{version}"));
        (base.unwrap_or_else(|| "New rules".to_owned()), diff)
    };
    let rules = comparisons(&diff, version.own().rules.as_deref().unwrap_or_default());
    let reason = version.own().change_reason.clone().map(|reason| {
        view! {
            <h3>{words::REASON}</h3>
            {quote(reason)}
        }
    });
    let clauses = version.clauses.iter().flat_map(|clauses| &clauses.lines);
    let findings: usize = clauses.map(|line| line.findings.len()).sum();
    let findings = (findings > 0).then(|| {
        let text = count(findings, "lint finding", "lint findings");
        view! { <p class="text-muted">{text}</p> }
    });
    let unanswered = (unanswered > 0).then(|| {
        let comments = count(unanswered, "comment has", "comments have");
        let text = format!("{comments} no reply. You can submit without a reply.");
        note(Tone::Warn, None, text)
    });
    Ok(any_view! {
        <section class="stack">
            <h3>{title}</h3>
            {list(&rules, version)}
            {reason}
            {findings}
            {unanswered}
        </section>
    })
}

/// What changed since the user's last review of a version, which concerns an earlier revision.
pub(crate) struct SinceReview {
    /// The name of the reviewed revision, such as "r1".
    pub(crate) revision: String,
    pub(crate) summary: AnyView,
    /// The rules of the version that differ from the reviewed ones.
    pub(crate) changes: Vec<Change>,
    /// The rules that are equal to the reviewed ones.
    pub(crate) same: Vec<RuleLine>,
}

/// Returns what changed since the last review of the user. `None` without a review of an earlier revision.
pub(crate) async fn since_review(
    cx: &Cx,
    version: &Version,
    discussion: &Discussion,
) -> Result<Option<SinceReview>, Problem> {
    let since = version.details.since_own_review(cx).await?;
    let Some(ChangesSince { submission, diff }) = since else { return Ok(None) };
    let earlier = earlier_version(version, &submission);
    let own;
    let discussion = if earlier.is_some() {
        own = discussion_of(cx, version, &submission).await?;
        &own
    } else {
        discussion
    };
    let revision = revision(earlier, submission.candidate_revision);
    let names = &directory(cx).await?.names;
    let Some(record) = SubmissionLine::new(submission, names).record else { return Ok(None) };
    let page = earlier.map(|earlier| url::version(version.tenant, version.policy, earlier));
    let page = page.unwrap_or_default();
    let replies = discussion.threads.iter().flat_map(|thread| {
        let new = thread.replies.iter().filter(|reply| reply.at > record.at);
        new.map(|entry| reply(&thread.subject.label(), &page, entry))
    });
    let replies: Vec<_> = replies.collect();
    let replies = (!replies.is_empty()).then(|| {
        view! {
            <h3>"Replies"</h3>
            <ul class="plain-list stack">{replies}</ul>
        }
    });
    let review = match record.verdict {
        ReviewVerdict::Accept => format!("You accepted {revision}."),
        ReviewVerdict::Return => format!("You requested changes to {revision}."),
    };
    let rules = version.own().rules.as_deref().unwrap_or_default();
    let summary = view! {
        <section class="card stack" aria-labelledby="since-review">
            <div class="card-head">
                <h2 id="since-review">"Since your last review"</h2>
                <p class="text-xs text-muted">{review}</p>
            </div>
            {list(&comparisons(&diff, rules), version)}
            {replies}
        </section>
    };
    let changes = changes(&diff, rules, policy::rule_digest);
    let same = same(&changes, rules);
    Ok(Some(SinceReview { revision, summary: summary.into_any(), changes, same }))
}

/// Renders a reply to the thread `subject` on `page`.
fn reply(subject: &str, page: &str, entry: &Entry) -> AnyView {
    let href = format!("{page}#comment-{}", entry.id);
    any_view! {
        <li>
            <p>
                <bdi class="font-semibold">{entry.by.clone()}</bdi>
                " "
                <a href=href>
                    <bdi>{format!("replied on {subject}")}</bdi>
                </a>
                ", "
                <time datetime=entry.at.to_string()>{time::minute(entry.at)}</time>
            </p>
            <p class="comment-text" dir="auto">
                {entry.text.clone()}
            </p>
        </li>
    }
}

/// Returns the name of a revision, with the version if it is an earlier one: "r6" or "v1, r6".
pub(crate) fn revision(earlier: Option<u32>, revision: u32) -> String {
    match earlier {
        Some(version) => format!("v{version}, r{revision}"),
        None => format!("r{revision}"),
    }
}

/// Returns the number of the version of a submission, if it is an earlier draft.
fn earlier_version(version: &Version, submission: &ReviewSubmission) -> Option<u32> {
    Some(submission.version).filter(|number| *number != version.version)
}

/// Returns the comments on the version of a submission.
async fn discussion_of(
    cx: &Cx,
    version: &Version,
    submission: &ReviewSubmission,
) -> Result<Discussion, Problem> {
    let stored = policy::version::read(cx, version.policy, submission.version).await?;
    comment::threads(cx, version.tenant, &stored, version.clauses.as_ref()).await
}

/// Renders one line per rule that differs. Further rules are behind the link to the comparison with the active version.
fn list(rules: &[RuleComparison], version: &Version) -> AnyView {
    let compare = url::compare(version.tenant, version.policy, version.version);
    let more = rules.len().saturating_sub(RULES_MAX);
    let more = (more > 0).then(|| format!("{}.", count(more, "more rule", "more rules")));
    let empty = rules.is_empty().then(|| {
        view! { <p class="text-muted">"No rule has changed."</p> }
    });
    let rows = rules.iter().take(RULES_MAX).map(line).collect_view();
    any_view! {
        {empty}
        <ul class="plain-list comparison">{rows}</ul>
        <p>{more} " " <a href=compare>"Compare"</a></p>
    }
}

fn line(rule: &RuleComparison) -> AnyView {
    let property = |PropertyChange { label, runs }: &PropertyChange| {
        view! { <li>{label.clone()} ": " {marked(runs.clone())}</li> }
    };
    any_view! {
        <li>
            <p>
                {rule.change.kind.mark()} " "
                <bdi class="rule-code">{rule.change.code.clone()}</bdi> " "
                <bdi>{rule.change.name()}</bdi>
            </p>
            <ul class="plain-list">{rule.properties.iter().map(property).collect_view()}</ul>
        </li>
    }
}
