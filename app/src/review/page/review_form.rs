//! The form of a review, and the list of earlier submissions with their records.

use contract::policy::{ReviewVerdict, VersionStage};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{clauses::clauses_for, diff::ChangeView, no_changes};
use crate::{
    review::{
        act::{RecordReview, SaveReviewDraft},
        record::{RecordLine, SubmissionLine},
        view::{Change, ReviewPage},
        words,
    },
    text::{between_tags, verdict},
    ui::{
        code::Digest,
        field::TextArea,
        icon::{Icon, icon},
        problem::ProblemNote,
        quote::quote,
        time::MinuteBy,
    },
};

/// The ID of the form. The bar with the buttons of the verdicts is outside.
pub(super) const FORM: &str = "review";

/// The changes, each with a mark and a remark, and the general note below: one plain form.
#[component]
pub(super) fn ReviewFields(page: ReviewPage) -> impl IntoView {
    let empty = no_changes(&page);
    let others = unshown_fields(&page);
    let may_mark_all = page.draft.viewed_count(&page.changes) < page.changes.len();
    let ReviewPage { version, scope, changes, sealed, draft, rejected, threads, .. } = page;
    let submission = sealed.first().map(|sealed| sealed.id.to_string()).unwrap_or_default();
    let revision = version.revision;
    let problem = rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> });
    let (viewed, comments, clauses) = (draft.viewed, draft.comments, version.clauses);
    let change = move |change: Change| {
        let mark = change.mark.clone();
        let is_viewed = viewed.contains(&mark);
        let text = comments.get(&change.code).cloned().unwrap_or_default();
        let name = format!("form[comments][{}]", change.code);
        let rule_clauses = clauses_for(clauses.as_ref(), &change);
        let comments = threads.get(&change.code).cloned();
        let viewed = view! {
            <label class="checkbox">
                <input
                    type="checkbox"
                    name="form[viewed][]"
                    value=mark
                    checked=is_viewed
                    data-key="v"
                />
                <span>{words::VIEWED}</span>
            </label>
        };
        view! {
            <ChangeView change comments rule_clauses viewed=Some(viewed.into_any())>
                <CommentField name text />
            </ChangeView>
        }
    };
    // One request sets and stores all marks, which works without scripts.
    let mark_all = may_mark_all.then(|| {
        view! {
            <p>
                <button name="form[all]" value="yes" data-key="V">
                    {words::MARK_ALL}
                </button>
            </p>
        }
    });
    view! {
        <form
            id=FORM
            method="post"
            action=RecordReview::url()
            class="stack"
            data-autosave=SaveReviewDraft::url()
        >
            {problem}
            <input type="hidden" name="place[tenant]" value=version.tenant.to_string() />
            <input type="hidden" name="place[policy]" value=version.policy.to_string() />
            <input type="hidden" name="place[version]" value=version.version />
            <input type="hidden" name="place[submission]" value=submission />
            <input type="hidden" name="place[changes]" value=scope.word() />
            <input type="hidden" name="form[revision]" value=revision />
            <input type="hidden" name="form[digest]" value=version.rules_digest />
            {others}
            <section class="stack" aria-label=words::CHANGES>
                {empty}
                {changes.into_iter().map(change).collect_view()}
            </section>
            <section class="card stack" aria-labelledby="verdict">
                <div class="card-head">
                    <h2 id="verdict">{words::VERDICT}</h2>
                    <p class="text-xs text-muted" role="status" data-saved=words::DRAFT_SAVED></p>
                </div>
                {mark_all}
                <TextArea
                    label=words::NOTE
                    hint=words::NOTE_HINT
                    name="form[note]"
                    id="review-note".to_owned()
                    value=draft.note
                    maxlength=65_536
                    required=false
                />
                <div class="row end">
                    <button name="form[verdict]" value="" data-default="">
                        {words::SAVE_DRAFT}
                    </button>
                </div>
            </section>
        </form>
    }
}

/// The marks and comments of the changes that the page leaves out, so that the form preserves them.
fn unshown_fields(page: &ReviewPage) -> impl IntoView + use<> {
    let is_shown = |is_same: &dyn Fn(&Change) -> bool| page.changes.iter().any(is_same);
    let viewed = page.draft.viewed.iter().filter(|mark| !is_shown(&|one| one.mark == **mark));
    let viewed = viewed.map(|mark| ("form[viewed][]".to_owned(), mark.clone()));
    let comments =
        page.draft.written_comments().filter(|(code, _)| !is_shown(&|one| one.code == *code));
    let comments =
        comments.map(|(code, text)| (format!("form[comments][{code}]"), text.to_owned()));
    viewed
        .chain(comments)
        .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
        .collect_view()
}

/// The reviewer's comment on a rule. The summary of a closed comment shows whether it contains text.
#[component]
fn CommentField(name: String, text: String) -> impl IntoView {
    // The placeholder lets the style sheet detect an empty field.
    view! {
        <details class="disclosure comment" data-comment-field="">
            <summary data-key="c">
                {words::COMMENT} " " <span class="badge low">{words::HAS_COMMENT}</span>
            </summary>
            <textarea name=name rows="2" placeholder=" " aria-label=words::COMMENT>
                {between_tags(text)}
            </textarea>
        </details>
    }
}

/// The submissions, newest first, each with its review record.
#[component]
pub(crate) fn SubmissionList(
    sealed: Vec<SubmissionLine>,
    revision: u32,
    stage: VersionStage,
) -> impl IntoView {
    let newest = sealed.first().map(|sealed| sealed.id);
    let item = move |line: SubmissionLine| {
        let is_waiting = stage == VersionStage::WaitingForReview && newest == Some(line.id);
        let no_record = if is_waiting { verdict::stage(stage) } else { words::NOT_REVIEWED };
        let outdated = (line.revision != revision).then_some(words::OUTDATED);
        let record = match line.record {
            Some(record) => view! { <RecordDetails record /> }.into_any(),
            None => view! { <p>{no_record}</p> }.into_any(),
        };
        view! {
            <li>
                <p class="font-semibold tabular-nums">
                    "r" {line.revision}
                    {outdated
                        .map(|text| {
                            view! {
                                ", "
                                {text}
                            }
                        })}
                </p>
                <p class="text-xs text-muted">
                    <MinuteBy at=line.at by=line.by />
                </p>
                {record}
            </li>
        }
    };
    let content = if sealed.is_empty() {
        view! { <p class="text-muted">{words::NO_SUBMISSIONS}</p> }.into_any()
    } else {
        view! { <ol class="timeline">{sealed.into_iter().map(item).collect_view()}</ol> }.into_any()
    };
    view! {
        <section class="card">
            <h2>{words::SUBMISSIONS}</h2>
            {content}
        </section>
    }
}

#[component]
pub(crate) fn RecordDetails(record: RecordLine) -> impl IntoView {
    let (tone, drawing) = match record.verdict {
        ReviewVerdict::Accept => ("allow", Icon::Allow),
        ReviewVerdict::Return => ("warn", Icon::Warn),
    };
    let comment = |(code, text): (Option<String>, String)| {
        view! {
            <li>
                <bdi class="rule-code">{code}</bdi>
                " "
                <bdi>{text}</bdi>
            </li>
        }
    };
    view! {
        <p>
            <span class=format!("status {tone}")>{icon(drawing)} {record.verdict.as_str()}</span>
        </p>
        <p class="text-xs text-muted">
            <MinuteBy at=record.at by=record.by />
        </p>
        {record.note.map(quote)}
        <ul class="plain-list">{record.comments.into_iter().map(comment).collect_view()}</ul>
        <Digest digest=record.digest what=words::RECORD />
    }
}
