//! What a reviewer marks, writes and records; and what was recorded before.

use contract::policy::ReviewVerdict;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{beside::behind, diff::ChangeView, remarks};
use crate::{
    api::review::RecordReview,
    text::{between_tags, words},
    ui::{
        code::Digest,
        field::TextArea,
        icon::{Icon, icon},
        problem::ProblemNote,
        time::Minute,
    },
    view::review::{Change, RecordLine, ReviewPage, SealedLine},
};

/// The changes with a mark and a remark each, and the verdict below them: one plain form.
#[component]
pub(super) fn ReviewFields(page: ReviewPage) -> impl IntoView {
    let ReviewPage { version, changes, sealed, draft, kept, .. } = page;
    let submission = sealed.first().map(|sealed| sealed.id.to_string()).unwrap_or_default();
    let revision = version.revision;
    let seen = changes.iter().filter(|change| draft.viewed.contains(&change.mark)).count();
    let total = changes.len();
    let count = words::review::viewed(seen, total);
    let remarks = remarks(&sealed);
    let problem = kept.map(|kept| view! { <ProblemNote problem=kept.problem/> });
    let empty = changes.is_empty().then(|| {
        view! { <p class="text-muted">{words::review::NOTHING}</p> }
    });
    let (viewed, comments, clauses) = (draft.viewed, draft.comments, version.clauses);
    let change = move |change: Change| {
        let mark = change.mark.clone();
        let is_viewed = viewed.contains(&mark);
        let text = comments.get(&change.code).cloned().unwrap_or_default();
        let name = format!("form[comments][{}]", change.code);
        let is_open = !text.is_empty();
        let behind = behind(clauses.as_ref(), &change);
        view! {
            <ChangeView change remarks=remarks.clone() revision behind>
                <label class="tick">
                    <input type="checkbox" name="form[viewed][]" value=mark checked=is_viewed data-key="v"/>
                    <span>{words::review::VIEWED}</span>
                </label>
                <details class="disclosure" open=is_open>
                    <summary data-key="c">{words::review::COMMENT}</summary>
                    <textarea name=name rows="2" aria-label=words::review::COMMENT>
                        {between_tags(text)}
                    </textarea>
                </details>
            </ChangeView>
        }
    };
    // The marks are kept by the same press that sets them, so it works without scripts.
    let all = (seen < total).then(|| {
        view! {
            <p>
                <button name="form[all]" value="yes" data-key="V">
                    {words::review::MARK_ALL}
                </button>
            </p>
        }
    });
    view! {
        <form method="post" action=RecordReview::url() class="stack">
            {problem}
            <input type="hidden" name="place[tenant]" value=version.tenant.to_string()/>
            <input type="hidden" name="place[policy]" value=version.policy.to_string()/>
            <input type="hidden" name="place[version]" value=version.version/>
            <input type="hidden" name="place[submission]" value=submission/>
            <input type="hidden" name="form[revision]" value=revision/>
            <input type="hidden" name="form[digest]" value=version.rules_digest/>
            <section class="stack" aria-label=words::review::CHANGES>
                {empty} {changes.into_iter().map(change).collect_view()}
            </section>
            <section class="card stack" aria-labelledby="verdict">
                <div class="card-head">
                    <h2 id="verdict">{words::review::VERDICT}</h2>
                    <p class="text-xs text-muted">{count}</p>
                </div>
                {all}
                <TextArea
                    label=words::review::NOTE
                    hint=words::review::NOTE_HINT
                    name="form[note]"
                    id="review-note".to_owned()
                    value=draft.note
                    maxlength=65_536
                    required=false
                />
                <div class="row end">
                    <button name="form[verdict]" value="">
                        {words::review::KEEP}
                    </button>
                    <button name="form[verdict]" value=ReviewVerdict::Return.as_str() data-key="b">
                        {words::review::RETURN}
                    </button>
                    <button class="primary" name="form[verdict]" value=ReviewVerdict::Accept.as_str() data-key="a">
                        {words::review::ACCEPT}
                    </button>
                </div>
            </section>
        </form>
    }
}

/// What was sealed, newest first, and what was recorded about it.
#[component]
pub(super) fn SealedList(sealed: Vec<SealedLine>, revision: u32) -> impl IntoView {
    let line = move |line: SealedLine| {
        let outdated = (line.revision != revision).then_some(words::review::OUTDATED);
        let record = match line.record {
            Some(record) => view! { <Recorded record/> }.into_any(),
            None => view! { <p>{words::review::WAITS}</p> }.into_any(),
        };
        view! {
            <li>
                <p class="font-semibold tabular-nums">
                    "r" {line.revision} {outdated.map(|word| view! { ", " {word} })}
                </p>
                <p class="text-xs text-muted">
                    <Minute at=line.at/>
                    {line.by.map(|by| view! { " " {words::BY} " " <bdi>{by}</bdi> })}
                </p>
                {record}
            </li>
        }
    };
    let shown = if sealed.is_empty() {
        view! { <p class="text-muted">{words::review::NOTHING_SEALED}</p> }.into_any()
    } else {
        view! { <ol class="timeline">{sealed.into_iter().map(line).collect_view()}</ol> }.into_any()
    };
    view! {
        <section class="card">
            <h2>{words::review::EARLIER}</h2>
            {shown}
        </section>
    }
}

/// A record: what was found, by whom, in which words.
#[component]
pub(in crate::page) fn Recorded(record: RecordLine) -> impl IntoView {
    let (tone, drawing) = match record.verdict {
        ReviewVerdict::Accept => ("allow", Icon::Allow),
        ReviewVerdict::Return => ("warn", Icon::Warn),
    };
    let remark = |(code, text): (Option<String>, String)| {
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
            <span class=format!("badge {tone}")>{icon(drawing)} {record.verdict.as_str()}</span>
        </p>
        <p class="text-xs text-muted">
            <Minute at=record.at/>
            {record.by.map(|by| view! { " " {words::BY} " " <bdi>{by}</bdi> })}
        </p>
        {record.note.map(|note| view! { <p class="quote"><bdi>{note}</bdi></p> })}
        <ul class="plain-list">{record.comments.into_iter().map(remark).collect_view()}</ul>
        <Digest digest=record.digest what=words::review::RECORD/>
    }
}
