//! The comments on a version: their threads, next to the rules and in a section of their own. `form` stores them.
//!
//! All fields and buttons belong to one form, which the section contains. So threads can be inside the form of
//! a review, and one submission preserves the text of all fields.

mod form;

use contract::{email::mentioned_emails, policy::Comment};
use governance::authoring::policy::version::comment::{self, CommentThread};
use page_kit::{prelude::*, text::errors::describe, ui::note::undo_notice};
use rules::clause::view::Clauses;

pub(crate) use self::form::CommentAct;
use self::form::{NEW_COMMENT, Unsent, reply_field, resolved_key, unsent_key};
use crate::version::Version;

pub(crate) const TITLE: &str = "Comments";

/// The threads of a version, as a page shows them.
#[derive(Clone, Debug)]
pub(crate) struct Discussion {
    pub(crate) tenant: TenantId,
    pub(crate) policy: PolicyId,
    pub(crate) version: u32,
    /// The page that contains the form.
    pub(crate) page: String,
    /// Oldest first.
    pub(crate) threads: Vec<Thread>,
    /// The codes of the rules that a new comment can concern.
    pub(crate) rules: Vec<String>,
    /// The input that was not stored yet.
    pub(crate) unsent: Unsent,
    /// The thread that the user has just resolved. The page offers to reopen it.
    pub(crate) resolved: Option<CommentId>,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) first: Entry,
    pub(crate) replies: Vec<Entry>,
    pub(crate) subject: Subject,
    /// Whether the rule was changed after the first entry.
    pub(crate) is_outdated: bool,
    /// Whether the first entry is part of a review record.
    pub(crate) is_in_record: bool,
    /// The user who resolved the thread, and the time.
    pub(crate) resolved: Option<(String, Timestamp)>,
}

impl Thread {
    fn is_open(&self) -> bool {
        self.resolved.is_none()
    }
}

/// A comment.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) id: CommentId,
    pub(crate) by: String,
    pub(crate) at: Timestamp,
    /// The draft revision that was commented on.
    pub(crate) revision: u32,
    pub(crate) text: String,
}

/// What a thread concerns.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    Version,
    /// A rule, by its code.
    Rule(String),
    /// A clause, by its location in the document.
    Clause(String),
}

impl Subject {
    /// Creates the subject of a comment. Clauses are named by their location, if the version has them.
    pub(crate) fn new(
        rule: Option<String>,
        unit: Option<String>,
        clauses: Option<&Clauses>,
    ) -> Self {
        let location = |unit: String| {
            let line =
                clauses.and_then(|clauses| clauses.lines.iter().find(|line| line.unit == unit));
            line.map_or(unit, |line| line.locator.clone())
        };
        match (rule, unit) {
            (Some(code), _) => Self::Rule(code),
            (None, Some(unit)) => Self::Clause(location(unit)),
            (None, None) => Self::Version,
        }
    }

    /// Returns its name, such as "Rule EXP-LIMIT".
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Version => "This version".to_owned(),
            Self::Rule(code) => format!("Rule {code}"),
            Self::Clause(location) => format!("Clause {location}"),
        }
    }

    /// Returns whether it is the rule with this code.
    pub(crate) fn is_rule(&self, code: &str) -> bool {
        matches!(self, Self::Rule(own) if own == code)
    }
}

impl Discussion {
    /// Returns the threads that concern a rule.
    pub(crate) fn of_rule(&self, code: &str) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(move |thread| thread.subject.is_rule(code))
    }

    /// Returns the threads that concern none of these rules.
    pub(crate) fn without_rules(&self, codes: &[&str]) -> impl Iterator<Item = &Thread> {
        let is_other = |thread: &&Thread| match &thread.subject {
            Subject::Rule(code) => !codes.contains(&code.as_str()),
            Subject::Version | Subject::Clause(_) => true,
        };
        self.threads.iter().filter(is_other)
    }

    /// Returns the number of open threads of review records without a reply.
    pub(crate) fn unanswered_count(&self) -> usize {
        let is_unanswered =
            |thread: &&Thread| thread.is_in_record && thread.is_open() && thread.replies.is_empty();
        self.threads.iter().filter(is_unanswered).count()
    }

    /// Returns the number of open threads.
    pub(crate) fn open_count(&self) -> usize {
        self.threads.iter().filter(|thread| thread.is_open()).count()
    }

    /// Returns the number of comments, with replies.
    pub(crate) fn count(&self) -> usize {
        self.threads.iter().map(|thread| 1 + thread.replies.len()).sum()
    }

    /// Returns the number of open threads that concern a rule.
    pub(crate) fn open_threads(&self, code: &str) -> usize {
        self.of_rule(code).filter(|thread| thread.is_open()).count()
    }
}

/// Returns the threads of a version for `page`, with the input that was not stored.
pub(crate) async fn discussion(
    cx: &Cx,
    version: &Version,
    page: String,
) -> Result<Discussion, Problem> {
    let clauses = version.clauses.as_ref();
    let discussion = threads(cx, version.tenant, version.own(), clauses).await?;
    let rules = version.rules.rules.iter().map(|rule| rule.code.clone()).collect();
    Ok(with_page(Discussion { rules, ..discussion }, page).await)
}

/// Returns the threads of a version, without a page. `clauses` are those of the version.
pub(crate) async fn threads(
    cx: &Cx,
    tenant: TenantId,
    version: &PolicyVersion,
    clauses: Option<&Clauses>,
) -> Result<Discussion, Problem> {
    let threads = comment::threads(cx, version).await?;
    let names = &directory(cx).await?.names;
    Ok(Discussion {
        tenant,
        policy: version.policy_id,
        version: version.version,
        page: String::new(),
        threads: threads.into_iter().map(|one| named_thread(one, clauses, names)).collect(),
        rules: Vec::new(),
        unsent: Unsent::default(),
        resolved: None,
    })
}

/// Returns the threads for `page`, with the input that was not stored and the thread that was resolved.
pub(crate) async fn with_page(discussion: Discussion, page: String) -> Discussion {
    let unsent = take_result(&unsent_key(&page)).await.unwrap_or_default();
    let resolved = take_result(&resolved_key(&page)).await;
    Discussion { page, unsent, resolved, ..discussion }
}

fn named_thread(thread: CommentThread, clauses: Option<&Clauses>, names: &Names) -> Thread {
    let CommentThread { first, replies, is_outdated } = thread;
    let name = |id: UserId| known(Some(id.to_string()), names).unwrap_or_default();
    let entry = |comment: Comment| Entry {
        id: comment.id,
        by: name(comment.author),
        at: comment.created_at,
        revision: comment.draft_revision,
        text: comment.text,
    };
    Thread {
        subject: Subject::new(first.rule_code.clone(), first.unit_id.clone(), clauses),
        is_outdated,
        is_in_record: first.record_id.is_some(),
        resolved: first.resolved_by.map(name).zip(first.resolved_at),
        first: entry(first),
        replies: replies.into_iter().map(entry).collect(),
    }
}

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
    let none = none.then(|| view! { <p class="text-muted">"No comments yet."</p> });
    any_view! {
        <section class="card stack" id="discussion" aria-labelledby="discussion-title">
            <div class="card-head">
                <h2 id="discussion-title">{TITLE}</h2>
                <p class="text-xs text-muted">
                    "Replies and new comments are not part of a review record."
                </p>
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
}

/// Renders a thread. A resolved thread is closed. If the user has just resolved it, a notice offers to reopen it.
fn thread(thread: &Thread, discussion: &Discussion) -> AnyView {
    let entries = std::iter::once(&thread.first).chain(&thread.replies);
    let marks = view! {
        {thread
            .is_in_record
            .then(|| view! { <span class="plain">{icon(Icon::Seal)} "In review record"</span> })}
        {thread.is_outdated.then(|| view! { <span class="tag">"Outdated"</span> })}
    };
    let mut marks = Some(marks.into_any());
    let entries = entries.map(|one| entry(one, marks.take())).collect_view();
    let id = thread.first.id;
    let Some((by, at)) = thread.resolved.clone() else {
        let label = format!("Reply to {}", isolated(&thread.first.by));
        let unsent = discussion.unsent.text(&reply_field(id));
        return any_view! {
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
                            "Reply"
                        </button>
                        <button form=FORM name="form[act]" value=CommentAct::Resolve(id).word()>
                            "Resolve"
                        </button>
                    </div>
                </div>
            </div>
        };
    };
    // The button belongs to the form of comments, so the text of its other fields is preserved.
    let notice = (discussion.resolved == Some(id)).then(|| {
        let undo = view! {
            <button form=FORM name="form[act]" value=CommentAct::Reopen(id).word() data-key="z">
                {messages::UNDO}
            </button>
        };
        undo_notice("Comment resolved.", undo)
    });
    any_view! {
        {notice}
        <details class="thread disclosure">
            <summary>"Resolved by " <bdi>{by}</bdi> ", " {plain_minute(at)}</summary>
            {entries}
            <div class="row">
                <button form=FORM name="form[act]" value=CommentAct::Reopen(id).word()>
                    "Reopen"
                </button>
            </div>
        </details>
    }
}

fn entry(entry: &Entry, marks: Option<AnyView>) -> AnyView {
    any_view! {
        <div class="comment-entry" id=format!("comment-{}", entry.id) data-comment="" tabindex="-1">
            <p>
                <bdi class="font-semibold">{entry.by.clone()}</bdi>
                " "
                <span class="text-muted">
                    {format!("on r{}", entry.revision)} ", " {plain_minute(entry.at)}
                </span>
                " "
                {marks}
            </p>
            <p class="comment-text" dir="auto">
                {with_mentions(&entry.text)}
            </p>
        </div>
    }
}

fn plain_minute(at: Timestamp) -> AnyView {
    any_view! { <time datetime=at.to_string()>{time::minute(at)}</time> }
}

/// Emphasizes the words of a text that mention a member.
fn with_mentions(text: &str) -> AnyView {
    let word = |word: &str| {
        if word.contains('@') && !mentioned_emails(word).is_empty() {
            any_view! { <b class="mention">{word.to_owned()}</b> }
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
                {format!("Rule {code}")}
            </option>
        }
    };
    let about = (!discussion.rules.is_empty()).then(|| {
        view! {
            <label class="field">
                <span>"About"</span>
                <select name="form[rule]">
                    <option value="">"This version"</option>
                    {discussion.rules.iter().map(option).collect_view()}
                </select>
            </label>
        }
    });
    any_view! {
        {about}
        <div class="field">
            <label for="new-comment">"New comment"</label>
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
                "Write @ and the email of a member to mention that member, for example @ines@acme.example."
            </small>
        </div>
        <div class="row">
            <button name="form[act]" value=CommentAct::New.word() data-default="">
                "Comment"
            </button>
        </div>
    }
}
