//! The changed rules of a review: the index, each rule before and after, and the form with marks and comments.

use page_kit::{
    prelude::*,
    text::difference::{Run, Side, of_side},
};
use rules::rule::view::RuleLine;

use super::{
    Review,
    clauses::{clauses_for, rule_clauses},
    form::{RecordReview, SaveReviewDraft},
};
use crate::{
    comment::{self, Discussion},
    comparison::{Change, ChangeKind, description, marked, member},
    version::INACTIVE,
};

/// The ID of the form. The bar with the buttons of the verdicts is outside.
const FORM: &str = "review";

const VIEWED: &str = "Viewed";

/// Returns the ID of the element of a changed rule.
fn anchor(code: &str) -> String {
    format!("change-{code}")
}

/// Renders the changes: as a form for a user who can record a review now, else with the reason why not. `has_summary`
/// states whether a summary of the changes since the last review precedes them.
pub(super) fn list(review: &Review, discussion: &Discussion, has_summary: bool) -> AnyView {
    // The summary says so itself.
    let is_empty = review.changes.is_empty() && !has_summary;
    let empty = is_empty.then(|| {
        view! { <p class="text-muted">"The rules are identical to the active version."</p> }
    });
    let may_record = review.may_record();
    let change = |change: &Change| {
        let controls =
            may_record.then(|| (viewed_field(review, change), comment_field(review, change)));
        change_view(review, discussion, change, controls)
    };
    let changes = view! {
        <section class="stack" aria-label="Changes">
            {empty}
            {review.changes.iter().map(change).collect_view()}
        </section>
    };
    if may_record {
        return form(review, changes.into_any());
    }
    let reason = review.blocked_reason.filter(|_| review.is_reviewer);
    let reason = reason.map(|reason| view! { <p class="text-muted">{reason}</p> });
    any_view! {
        {reason}
        {changes}
    }
}

/// Renders a changed rule, side by side, or stacked in a narrow window. `controls` are the field that marks it as viewed
/// and the field for a comment.
fn change_view(
    review: &Review,
    discussion: &Discussion,
    change: &Change,
    controls: Option<(AnyView, AnyView)>,
) -> AnyView {
    let code = change.code.clone();
    let members: Vec<_> = change.members.iter().map(|name| member(name)).collect();
    let members = members.join(", ");
    let position_change = change.moved.map(|(from, to)| format!("{from} → {to}"));
    let has_comments = discussion.of_rule(&code).next().is_some();
    let comments = has_comments.then(|| {
        let threads = comment::of_rule(discussion, &code);
        view! { <div>{threads}</div> }
    });
    let clauses = clauses_for(review.version.clauses.as_ref(), change).map(rule_clauses);
    let is_codified = clauses.is_some();
    let words = change.words();
    let is_changed = change.kind == ChangeKind::Changed;
    let side = |heading: &'static str, rule: &Option<RuleLine>, side: Side| {
        let words = words.as_ref().map(|words| of_side(words, side));
        rule.clone().map(|rule| side_view(is_changed.then_some(heading), rule, words))
    };
    let (viewed, comment) = controls.unzip();
    any_view! {
        <article
            class="card change"
            id=anchor(&code)
            aria-label=code.clone()
            data-row
            tabindex="-1"
        >
            <div class="rule-head">
                <div>
                    {change.kind.mark()} <bdi class="rule-code">{code.clone()}</bdi>
                    <bdi class="font-semibold">{change.name()}</bdi>
                    <span class="plain">{members} {position_change}</span>
                </div>
                {viewed}
            </div>
            <div class:aside=is_codified>
                <div>
                    <div class="sides comparison">
                        {side("Before", &change.before, Side::Before)}
                        {side("After", &change.after, Side::After)}
                    </div>
                    {comments}
                    {comment}
                </div>
                {clauses}
            </div>
        </article>
    }
}

/// Renders one side. `words` is its sentence with the marked differences, if both sides are shown.
fn side_view(heading: Option<&'static str>, rule: RuleLine, words: Option<Vec<Run>>) -> AnyView {
    let text = match words {
        Some(words) => marked(words),
        None => sentence(rule.sentence),
    };
    let inactive = (!rule.is_active).then_some(INACTIVE);
    any_view! {
        <div>
            {heading.map(|heading| view! { <h3 class="text-xs text-muted">{heading}</h3> })}
            <p class="row">{severity_chip(rule.severity)} <span class="plain">{inactive}</span></p>
            <p>{text}</p> {description(rule.description)}
        </div>
    }
}

fn viewed_field(review: &Review, change: &Change) -> AnyView {
    let checked = review.draft.viewed.contains(&change.mark);
    any_view! {
        <label class="checkbox">
            <input
                type="checkbox"
                name="form[viewed][]"
                value=change.mark.clone()
                checked=checked
                data-key="v"
            />
            <span>{VIEWED}</span>
        </label>
    }
}

/// Renders the field for the reviewer's comment on a rule. The summary of a closed comment shows whether it contains
/// text.
fn comment_field(review: &Review, change: &Change) -> AnyView {
    let name = format!("form[comments][{}]", change.code);
    let text = review.draft.comments.get(&change.code).cloned().unwrap_or_default();
    let label = "Comment on this rule";
    // The placeholder lets the style sheet detect an empty field.
    any_view! {
        <details class="disclosure comment" data-comment-field="">
            <summary data-key="c">
                {label} " " <span class="badge low">"Draft comment"</span>
            </summary>
            <textarea name=name rows="2" placeholder=" " aria-label=label>
                {between_tags(text)}
            </textarea>
        </details>
    }
}

/// Renders the changes, each with a mark and a remark, and the general note below: one plain form.
fn form(review: &Review, changes: AnyView) -> AnyView {
    let version = &review.version;
    let draft = &review.draft;
    let problem = review.rejected.as_ref().map(|rejected| rejected.problem.clone());
    let problem = problem.map(problem_note);
    let may_mark_all = draft.viewed_count(&review.changes) < review.changes.len();
    // One request sets and stores all marks, which works without scripts.
    let mark_all = may_mark_all.then(|| {
        view! {
            <p>
                <button name="form[all]" value="yes" data-key="V">
                    "Mark all as viewed"
                </button>
            </p>
        }
    });
    any_view! {
        <form
            id=FORM
            method="post"
            action=RecordReview::url()
            class="stack"
            data-autosave=SaveReviewDraft::url()
        >
            {problem}
            {target_fields(review)}
            <input type="hidden" name="place[changes]" value=review.scope.as_str() />
            <input type="hidden" name="form[revision]" value=version.revision() />
            <input type="hidden" name="form[digest]" value=version.own().rules_digest.clone() />
            {unshown_fields(review)}
            {changes}
            <section class="card stack" aria-labelledby="verdict">
                <div class="card-head">
                    <h2 id="verdict">"Your review"</h2>
                    <p class="text-xs text-muted" role="status" data-saved="Review draft saved"></p>
                </div>
                {mark_all}
                <TextArea
                    label="General note"
                    hint="Stored permanently with the review. Requesting changes requires a note or a comment."
                    name="form[note]"
                    id="review-note".to_owned()
                    value=draft.note.clone()
                    maxlength=65_536
                    required=false
                />
                <div class="row end">
                    <button name="form[verdict]" value="" data-default="">
                        "Save review draft"
                    </button>
                </div>
            </section>
        </form>
    }
}

/// Renders the version and the submission that a form is about, as hidden fields.
pub(super) fn target_fields(review: &Review) -> AnyView {
    let version = &review.version;
    let submission = version.submissions.first().map(|newest| newest.id.to_string());
    any_view! {
        <input type="hidden" name="place[tenant]" value=version.tenant.to_string() />
        <input type="hidden" name="place[policy]" value=version.policy.to_string() />
        <input type="hidden" name="place[version]" value=version.version />
        <input type="hidden" name="place[submission]" value=submission.unwrap_or_default() />
    }
}

/// Renders the marks and comments of the changes that the page leaves out, so that the form preserves them.
fn unshown_fields(review: &Review) -> AnyView {
    let draft = &review.draft;
    let is_shown = |is_same: &dyn Fn(&Change) -> bool| review.changes.iter().any(is_same);
    let viewed = draft.viewed.iter().filter(|mark| !is_shown(&|one| one.mark == **mark));
    let viewed = viewed.map(|mark| ("form[viewed][]".to_owned(), mark.clone()));
    let comments = draft.written_comments().filter(|(code, _)| !is_shown(&|one| one.code == *code));
    let comments =
        comments.map(|(code, text)| (format!("form[comments][{code}]"), text.to_owned()));
    viewed
        .chain(comments)
        .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
        .collect_view()
        .into_any()
}

/// Renders the links to the changed rules, each with its kind of change and whether the reviewer has viewed it.
pub(super) fn index(review: &Review) -> AnyView {
    let title = count(review.changes.len(), "changed rule", "changed rules");
    let item = |change: &Change| {
        let (symbol, kind, tone) = change.kind.appearance();
        let is_viewed = review.draft.viewed.contains(&change.mark);
        view! {
            <li>
                <a href=format!("#{}", anchor(&change.code))>
                    <span class=format!("change-kind {tone}")>
                        <span aria-hidden="true">{symbol}</span>
                        <span class="sr-only">{kind}</span>
                    </span>
                    <span class="grow">
                        <bdi class="rule-code">{change.code.clone()}</bdi>
                        <bdi class="block">{change.name()}</bdi>
                    </span>
                    <span class="seen" data-seen=change.mark.clone() hidden=!is_viewed>
                        {icon(Icon::Tick)}
                        <span class="sr-only">{VIEWED}</span>
                    </span>
                </a>
            </li>
        }
    };
    any_view! {
        <nav class="rule-index" aria-label="Changed rules">
            <p class="font-semibold">{title}</p>
            <ul class="plain-list">{review.changes.iter().map(item).collect_view()}</ul>
        </nav>
    }
}

/// Renders the bar at the bottom: the numbers of viewed rules and of open comments, and the buttons of both verdicts.
/// They belong to the form of the review, so the bar stays in view below the whole page.
pub(super) fn bar(review: &Review, open_comments: usize) -> AnyView {
    let (viewed, all) = review.viewed;
    // Scripts insert the number.
    let text = format!("Viewed {{count}} of {all}");
    any_view! {
        <div class="review-bar">
            {(all > 0).then(|| ring(viewed, all))} <p class="review-state">
                <b class="tabular-nums" data-viewed=viewed data-viewed-text=text>
                    {format!("Viewed {viewed} of {all}")}
                </b>
                <a href="#discussion">{count(open_comments, "open comment", "open comments")}</a>
                <a href="#review-note">"Note"</a>
            </p>
            <button
                form=FORM
                name="form[verdict]"
                value=ReviewVerdict::Return.as_str()
                data-key="b"
            >
                {icon(Icon::Pen)}
                "Request changes"
                <kbd class="with-scripts" aria-hidden="true">
                    "b"
                </kbd>
            </button>
            <button
                form=FORM
                class="primary"
                name="form[verdict]"
                value=ReviewVerdict::Accept.as_str()
                data-key="a"
            >
                {icon(Icon::Tick)}
                {format!("Accept v{}", review.version.version)}
                <kbd class="with-scripts" aria-hidden="true">
                    "a"
                </kbd>
            </button>
        </div>
    }
}

/// Renders the part of the rules that is viewed, as a ring. Scripts update the first number of its dashes.
fn ring(viewed: usize, all: usize) -> AnyView {
    any_view! {
        <svg class="viewed-ring" viewBox="0 0 36 36" width="28" height="28" aria-hidden="true">
            <circle cx="18" cy="18" r="15"></circle>
            <circle
                class="on"
                cx="18"
                cy="18"
                r="15"
                pathLength=all
                stroke-dasharray=format!("{viewed} {all}")
            ></circle>
        </svg>
    }
}
