//! The threads of comments on a version, next to the rules and in a section of their own.
//!
//! All fields and buttons belong to one form, which the section contains. So threads can be inside the form of
//! a review, and one submission preserves the text of all fields.

use contract::{email::mentioned_emails, time::Timestamp};
use leptos::prelude::*;

use super::{
    view::{CommentAct, Discussion, Entry, NEW_COMMENT, Thread, reply_field},
    words, words as strings,
};
use crate::{
    text::{between_tags, errors::describe, messages, time, url},
    ui::{
        icon::{Icon, icon},
        inline_code::quoted,
        note::{Tone, note, undo_notice},
    },
};

/// The ID of the form.
const FORM: &str = "comments";

/// Renders the threads of a rule, or nothing if it has none.
pub(crate) fn of_rule(discussion: &Discussion, code: &str) -> AnyView {
    let threads = discussion.of_rule(code);
    let threads: Vec<AnyView> = threads.map(|one| thread(one, discussion)).collect();
    let section = (!threads.is_empty()).then(|| view! { <div class="threads">{threads}</div> });
    section.into_any()
}

/// Renders the section with the form, the threads that are not next to one of the rules `shown`, and the
/// fields of a new comment.
pub(crate) fn section(discussion: &Discussion, shown: &[&str]) -> AnyView {
    let problem = discussion.unsent.problem.as_ref().map(|problem| {
        let text = describe(problem);
        note(
            Tone::Deny,
            Some("alert"),
            view! {
                {quoted(&text.text)}
                " "
                {text.next}
            },
        )
    });
    let item = |one: &Thread| {
        view! {
            <div>
                <h3 class="thread-subject">
                    <bdi>{one.subject.label()}</bdi>
                </h3>
                {thread(one, discussion)}
            </div>
        }
    };
    let items: Vec<_> = discussion.without_rules(shown).map(item).collect();
    let none = discussion.threads.is_empty();
    let none = none.then(|| view! { <p class="text-muted">{strings::NONE}</p> });
    view! {
        <section class="card stack" id="discussion" aria-labelledby="discussion-title">
            <div class="card-head">
                <h2 id="discussion-title">{strings::TITLE}</h2>
                <p class="text-xs text-muted">{strings::NOTE}</p>
            </div>
            {problem}
            {none}
            {items}
            <form id=FORM method="post" action=url::COMMENT class="stack" data-once="">
                <input type="hidden" name="tenant" value=discussion.tenant.to_string() />
                <input type="hidden" name="policy" value=discussion.policy.to_string() />
                <input type="hidden" name="version" value=discussion.version />
                <input type="hidden" name="form[page]" value=discussion.page.clone() />
                {new_comment(discussion)}
            </form>
        </section>
    }
    .into_any()
}

/// Renders a thread. A resolved thread is closed. If the user has just resolved it, a notice offers to reopen it.
fn thread(thread: &Thread, discussion: &Discussion) -> AnyView {
    let entries = std::iter::once(&thread.first).chain(&thread.replies);
    let marks = view! {
        {thread
            .is_in_record
            .then(|| view! { <span class="plain">{icon(Icon::Seal)} {strings::IN_RECORD}</span> })}
        {thread.is_outdated.then(|| view! { <span class="tag">{strings::OUTDATED}</span> })}
    };
    let mut marks = Some(marks.into_any());
    let entries = entries.map(|one| entry(one, marks.take())).collect_view();
    let id = thread.first.id;
    let Some((by, at)) = thread.resolved.clone() else {
        let label = strings::reply_to(&thread.first.by);
        let unsent = discussion.unsent.text(&reply_field(id));
        return view! {
            <div class="thread">
                {entries} <div class="reply">
                    <textarea
                        form=FORM
                        name=format!("form[texts][{}]", reply_field(id))
                        rows="1"
                        maxlength="4000"
                        aria-label=label
                    >
                        {between_tags(unsent)}
                    </textarea>
                    <div class="row">
                        <button form=FORM name="form[act]" value=CommentAct::Reply(id).word()>
                            {strings::REPLY}
                        </button>
                        <button form=FORM name="form[act]" value=CommentAct::Resolve(id).word()>
                            {strings::RESOLVE}
                        </button>
                    </div>
                </div>
            </div>
        }
        .into_any();
    };
    // The button belongs to the form of comments, so the text of its other fields is preserved.
    let notice = (discussion.resolved == Some(id)).then(|| {
        let undo = view! {
            <button form=FORM name="form[act]" value=CommentAct::Reopen(id).word() data-key="z">
                {messages::UNDO}
            </button>
        };
        undo_notice(strings::RESOLVED, undo)
    });
    view! {
        {notice}
        <details class="thread disclosure">
            <summary>{strings::RESOLVED_BY} " " <bdi>{by}</bdi> ", " {minute(at)}</summary>
            {entries}
            <div class="row">
                <button form=FORM name="form[act]" value=CommentAct::Reopen(id).word()>
                    {strings::REOPEN}
                </button>
            </div>
        </details>
    }
    .into_any()
}

fn entry(entry: &Entry, marks: Option<AnyView>) -> AnyView {
    view! {
        <div class="comment-entry" id=format!("comment-{}", entry.id) data-comment="" tabindex="-1">
            <p>
                <bdi class="font-semibold">{entry.by.clone()}</bdi>
                " "
                <span class="text-muted">
                    {strings::on_revision(entry.revision)} ", " {minute(entry.at)}
                </span>
                " "
                {marks}
            </p>
            <p class="comment-text" dir="auto">
                {with_mentions(&entry.text)}
            </p>
        </div>
    }
    .into_any()
}

fn minute(at: Timestamp) -> AnyView {
    view! { <time datetime=at.to_string()>{time::minute(at)}</time> }.into_any()
}

/// Emphasizes the words of a text that mention a member.
fn with_mentions(text: &str) -> AnyView {
    let word = |word: &str| {
        if word.contains('@') && !mentioned_emails(word).is_empty() {
            view! { <b class="mention">{word.to_owned()}</b> }.into_any()
        } else {
            word.to_owned().into_any()
        }
    };
    text.split_inclusive(char::is_whitespace).map(word).collect_view().into_any()
}

/// The fields of a new comment: the text, and what it concerns.
fn new_comment(discussion: &Discussion) -> AnyView {
    let unsent = &discussion.unsent;
    let option = |code: &String| {
        let is_selected = *code == unsent.rule;
        view! {
            <option value=code.clone() selected=is_selected>
                {strings::rule(code)}
            </option>
        }
    };
    let about = (!discussion.rules.is_empty()).then(|| {
        view! {
            <label class="field">
                <span>{strings::ABOUT}</span>
                <select name="form[rule]">
                    <option value="">{strings::VERSION}</option>
                    {discussion.rules.iter().map(option).collect_view()}
                </select>
            </label>
        }
    });
    view! {
        {about}
        <div class="field">
            <label for="new-comment">{strings::NEW}</label>
            <textarea
                id="new-comment"
                name=format!("form[texts][{NEW_COMMENT}]")
                rows="3"
                maxlength="4000"
                aria-describedby="new-comment-hint"
            >
                {between_tags(unsent.text(NEW_COMMENT))}
            </textarea>
            <small id="new-comment-hint" class="text-muted">
                {words::MENTION_HINT}
            </small>
        </div>
        <div class="row">
            <button name="form[act]" value=CommentAct::New.word() data-default="">
                {strings::ADD}
            </button>
        </div>
    }
    .into_any()
}
