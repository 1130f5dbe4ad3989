//! What changed since an earlier submission: the rules that differ, one line each, and the replies.

use leptos::prelude::*;

use super::view::{PropertyChange, RuleComparison};
use crate::{
    comment::view::Entry,
    editor::words as editor_words,
    policy::words as policy_words,
    review::words as strings,
    text::{
        difference::{Run, Side},
        sentence::Piece,
        time,
    },
    ui::{
        note::{Tone, note},
        quote::quote,
    },
};

/// The maximum number of rules that a summary lists.
const RULES_MAX: usize = 20;

/// What the author of a version submits.
#[derive(Debug)]
pub(crate) struct Submission {
    /// What the rules are compared with.
    pub(crate) base: String,
    pub(crate) rules: Vec<RuleComparison>,
    /// The page that compares the version with the active one.
    pub(crate) compare: String,
    pub(crate) reason: Option<String>,
    /// The number of comments of reviewers without a reply.
    pub(crate) unanswered: usize,
    /// The number of lint findings of the clauses.
    pub(crate) findings: usize,
}

/// Renders the summary of a submission, before the author confirms it.
pub(crate) fn submission(submission: Submission) -> AnyView {
    let Submission { base, rules, compare, reason, unanswered, findings } = submission;
    let reason = reason.map(|reason| {
        view! {
            <h3>{editor_words::REASON}</h3>
            {quote(reason)}
        }
    });
    let findings =
        (findings > 0).then(|| view! { <p class="text-muted">{strings::findings(findings)}</p> });
    let unanswered =
        (unanswered > 0).then(|| note(Tone::Warn, None, strings::unanswered(unanswered)));
    view! {
        <section class="stack">
            <h3>{base}</h3>
            {list(&rules, &compare)}
            {reason}
            {findings}
            {unanswered}
        </section>
    }
    .into_any()
}

/// What changed since the last review of the user.
#[derive(Debug)]
pub(crate) struct ChangesSinceReview {
    /// The review, such as "You requested changes to r1".
    pub(crate) review: String,
    pub(crate) rules: Vec<RuleComparison>,
    /// The page that compares the version with the active one.
    pub(crate) compare: String,
    /// The replies since the review: the thread, its address, and the reply.
    pub(crate) replies: Vec<(String, String, Entry)>,
}

/// Renders what changed since the last review of the user.
pub(crate) fn changes_since_review(changes: ChangesSinceReview) -> AnyView {
    let reply = |(subject, href, entry): (String, String, Entry)| {
        view! {
            <li>
                <p>
                    <bdi class="font-semibold">{entry.by}</bdi>
                    " "
                    <a href=href>
                        <bdi>{strings::replied_on(&subject)}</bdi>
                    </a>
                    ", "
                    <time datetime=entry.at.to_string()>{time::minute(entry.at)}</time>
                </p>
                <p class="comment-text" dir="auto">
                    {entry.text}
                </p>
            </li>
        }
    };
    let replies = (!changes.replies.is_empty()).then(|| {
        view! {
            <h3>{strings::REPLIES}</h3>
            <ul class="plain-list stack">
                {changes.replies.into_iter().map(reply).collect_view()}
            </ul>
        }
    });
    view! {
        <section class="card stack" aria-labelledby="since-review">
            <div class="card-head">
                <h2 id="since-review">{strings::SINCE_REVIEW}</h2>
                <p class="text-xs text-muted">{changes.review}</p>
            </div>
            {list(&changes.rules, &changes.compare)}
            {replies}
        </section>
    }
    .into_any()
}

/// Renders one line per rule that differs. Further rules are behind the link to the comparison.
fn list(rules: &[RuleComparison], compare: &str) -> AnyView {
    let more = rules.len().saturating_sub(RULES_MAX);
    let more = (more > 0).then(|| strings::more_rules(more));
    let rows = rules.iter().take(RULES_MAX).map(line).collect_view();
    let empty = rules.is_empty().then(|| {
        view! { <p class="text-muted">{strings::SAME_SINCE}</p> }
    });
    view! {
        {empty}
        <ul class="plain-list comparison">{rows}</ul>
        <p>{more} " " <a href=compare.to_owned()>{policy_words::COMPARE}</a></p>
    }
    .into_any()
}

fn line(rule: &RuleComparison) -> AnyView {
    let (mark, label, tone) = rule.kind.appearance();
    let name = rule.after.as_ref().or(rule.before.as_ref()).and_then(|rule| rule.name.clone());
    let property = |property: &PropertyChange| {
        let PropertyChange { label, runs } = property.clone();
        view! { <li>{label} ": " {marked(runs)}</li> }
    };
    let properties = rule.properties.iter().map(property).collect_view();
    view! {
        <li>
            <p>
                <span class=format!("status {tone}")>
                    <span aria-hidden="true" class="font-mono">
                        {mark}
                    </span>
                    {label}
                </span>
                " "
                <bdi class="rule-code">{rule.code.clone()}</bdi>
                " "
                <bdi>{name}</bdi>
            </p>
            <ul class="plain-list">{properties}</ul>
        </li>
    }
    .into_any()
}

/// Renders parts of two versions. Removed parts are `del`, added parts are `ins`.
pub(crate) fn marked(runs: Vec<Run>) -> AnyView {
    let part = |run: Run| {
        let content = match run.piece {
            Piece::Words(text) => view! { <bdi>{text}</bdi> }.into_any(),
            Piece::Field(text) => view! { <bdi class="field-name">{text}</bdi> }.into_any(),
            Piece::Value(text) => view! { <bdi class="value">{text}</bdi> }.into_any(),
        };
        match run.side {
            Side::Both => content,
            Side::Before => view! { <del>{content}</del> }.into_any(),
            Side::After => view! { <ins>{content}</ins> }.into_any(),
        }
    };
    runs.into_iter().map(part).collect_view().into_any()
}
