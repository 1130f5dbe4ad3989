//! The comments on a version, in threads, and the form that changes them.

use std::collections::BTreeMap;

use contract::{
    id::{CommentId, PolicyId, TenantId},
    json::{Object, Value},
    policy::CommentDraft,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{clause::view::Clauses, problem::Problem, rule::view::RuleLine, text::url};

/// The threads of a version, as a page shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discussion {
    pub tenant: TenantId,
    pub policy: PolicyId,
    pub version: u32,
    /// The page that contains the form.
    pub page: String,
    /// Oldest first.
    pub threads: Vec<Thread>,
    /// The codes of the rules that a new comment can concern.
    pub rules: Vec<String>,
    /// The input that was not stored yet.
    pub unsent: UnsentComments,
    /// The thread that the user has just resolved. The page offers to reopen it.
    pub resolved: Option<CommentId>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    pub first: Entry,
    pub replies: Vec<Entry>,
    pub subject: Subject,
    /// Whether the rule was changed after the first entry.
    pub is_outdated: bool,
    /// Whether the first entry is part of a review record.
    pub is_in_record: bool,
    /// The user who resolved the thread, and the time.
    pub resolved: Option<(String, Timestamp)>,
}

impl Thread {
    fn is_open(&self) -> bool {
        self.resolved.is_none()
    }
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub id: CommentId,
    pub by: String,
    pub at: Timestamp,
    /// The draft revision that was commented on.
    pub revision: u32,
    pub text: String,
}

/// What a thread concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    Version,
    /// A rule, by its code.
    Rule(String),
    /// A clause, by its location in the document.
    Clause(String),
}

impl Subject {
    /// Creates the subject of a comment. Clauses are named by their location, if the version has them.
    pub fn new(rule: Option<String>, unit: Option<String>, clauses: Option<&Clauses>) -> Self {
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
            Self::Version => words::VERSION.to_owned(),
            Self::Rule(code) => words::rule(code),
            Self::Clause(location) => words::clause(location),
        }
    }

    /// Returns whether it is the rule with this code.
    pub fn is_rule(&self, code: &str) -> bool {
        matches!(self, Self::Rule(own) if own == code)
    }
}

impl Discussion {
    /// Returns the threads that concern a rule.
    pub fn of_rule(&self, code: &str) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(move |thread| thread.subject.is_rule(code))
    }

    /// Returns the threads that concern none of these rules.
    pub fn without_rules(&self, codes: &[&str]) -> impl Iterator<Item = &Thread> {
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
    pub fn open_count(&self) -> usize {
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

    /// Returns the codes of rules for the choices of a form.
    pub fn rule_codes(rules: &[RuleLine]) -> Vec<String> {
        rules.iter().map(|rule| rule.code.clone()).collect()
    }
}

/// The pressed button of the form of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentAct {
    New,
    Reply(CommentId),
    Resolve(CommentId),
    Reopen(CommentId),
    /// Stores the texts of all fields and opens the page that submits this version.
    Submit(u32),
}

/// The name of the field with the text of a new comment.
pub const NEW_COMMENT: &str = "new";

/// Returns the name of the field with the text of a reply to the thread `id`. It starts with a letter: the form
/// decoder reads a name that starts with a digit as the index of a list.
pub fn reply_field(id: CommentId) -> String {
    format!("reply-{id}")
}

impl CommentAct {
    /// Returns the value of its button.
    pub fn word(self) -> String {
        match self {
            Self::New => NEW_COMMENT.to_owned(),
            Self::Reply(id) => format!("reply:{id}"),
            Self::Resolve(id) => format!("resolve:{id}"),
            Self::Reopen(id) => format!("reopen:{id}"),
            Self::Submit(version) => format!("submit:{version}"),
        }
    }

    /// Reads the value of a button.
    pub fn read(word: &str) -> Option<Self> {
        if word == NEW_COMMENT {
            return Some(Self::New);
        }
        let (act, id) = word.split_once(':')?;
        if act == "submit" {
            return id.parse().ok().map(Self::Submit);
        }
        let id = id.parse().ok()?;
        match act {
            "reply" => Some(Self::Reply(id)),
            "resolve" => Some(Self::Resolve(id)),
            "reopen" => Some(Self::Reopen(id)),
            _ => None,
        }
    }

    /// Returns the name of its text field, if it has one.
    pub fn field(self) -> Option<String> {
        match self {
            Self::New => Some(NEW_COMMENT.to_owned()),
            Self::Reply(id) => Some(reply_field(id)),
            Self::Resolve(_) | Self::Reopen(_) | Self::Submit(_) => None,
        }
    }

    /// Returns the button that stores the text of a field.
    fn of_field(name: &str) -> Option<Self> {
        match name.strip_prefix("reply-") {
            Some(id) => id.parse().ok().map(Self::Reply),
            None => (name == NEW_COMMENT).then_some(Self::New),
        }
    }
}

/// The form of comments: one form for all threads of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommentForm {
    /// The pressed button ([`CommentAct`]).
    pub act: String,
    /// The page that contains the form.
    pub page: String,
    /// The code of the rule that a new comment concerns; empty for the version.
    pub rule: String,
    /// The texts of all fields, by their names.
    pub texts: BTreeMap<String, String>,
}

impl CommentForm {
    /// Returns the page that contains the form: the page of a version of the policy, or a page below it. The
    /// editor of a draft shows the comments on the earlier draft that it replaces.
    pub fn page(&self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        let own = url::version(tenant, policy, version);
        let versions = format!("{}/versions/", url::policy(tenant, policy));
        let is_below = self
            .page
            .strip_prefix(&versions)
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        // A redirect header contains only ASCII characters.
        let is_own = is_below && self.page.is_ascii() && url::own_path(&self.page) == self.page;
        if is_own { self.page.clone() } else { own }
    }

    /// Returns the buttons whose fields contain a text.
    pub fn acts_with_text(&self) -> Vec<CommentAct> {
        let filled = self.texts.iter().filter(|(_, text)| !text.trim().is_empty());
        filled.filter_map(|(name, _)| CommentAct::of_field(name)).collect()
    }

    /// Returns the comment of a button with a text field, as a request body.
    ///
    /// # Errors
    /// Returns the field errors.
    pub fn draft(&self, act: CommentAct) -> Result<CommentDraft, Vec<contract::error::FieldError>> {
        let text = act.field().and_then(|field| self.texts.get(&field));
        let text = text.map(|text| text.trim().replace("\r\n", "\n")).unwrap_or_default();
        let mut body = Object::from([("text", Value::from(text))]);
        if act == CommentAct::New && !self.rule.is_empty() {
            body.insert("rule_code", self.rule.as_str());
        }
        if let CommentAct::Reply(id) = act {
            body.insert("in_reply_to", id.to_string());
        }
        contract::read::body(&Value::Object(body))
    }

    /// Returns the texts that are not stored after a button was pressed, and the error if it failed.
    pub fn unsent(mut self, problem: Option<Problem>) -> UnsentComments {
        if problem.is_none()
            && let Some(field) = CommentAct::read(&self.act).and_then(CommentAct::field)
        {
            self.texts.remove(&field);
        }
        self.texts.retain(|_, text| !text.trim().is_empty());
        UnsentComments { problem, rule: self.rule, texts: self.texts }
    }
}

/// Input of the form of comments that is not stored, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnsentComments {
    pub problem: Option<Problem>,
    /// The code of the rule of the new comment.
    pub rule: String,
    pub texts: BTreeMap<String, String>,
}

impl UnsentComments {
    pub fn is_empty(&self) -> bool {
        self.problem.is_none() && self.texts.is_empty()
    }

    pub fn text(&self, field: &str) -> String {
        self.texts.get(field).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> CommentId {
        CommentId(uuid::Uuid::from_u128(7))
    }

    #[test]
    fn a_button_is_read_from_its_value() {
        let acts = [
            CommentAct::New,
            CommentAct::Reply(id()),
            CommentAct::Resolve(id()),
            CommentAct::Reopen(id()),
            CommentAct::Submit(7),
        ];
        for act in acts {
            assert_eq!(CommentAct::read(&act.word()), Some(act));
        }
        for word in ["", "reply", "reply:", "reply:none", "delete:7", "submit:x"] {
            assert_eq!(CommentAct::read(word), None, "{word}");
        }
    }

    #[test]
    fn a_form_returns_only_to_pages_of_versions_of_its_policy() {
        let (tenant, policy) = (TenantId(uuid::Uuid::nil()), PolicyId(uuid::Uuid::nil()));
        let own = url::version(tenant, policy, 1);
        let page =
            |page: String| CommentForm { page, ..CommentForm::default() }.page(tenant, policy, 1);
        let successor = url::edit_version(tenant, policy, 2);
        let compare = format!("{own}/compare?against=2");
        for below in [own.clone(), format!("{own}/review"), compare, successor] {
            assert_eq!(page(below.clone()), below);
        }
        let other_policy = own.replacen("/policies/0", "/policies/1", 1);
        for other in ["", "/account", "//evil.example", "https://evil.example", &other_policy] {
            assert_eq!(page(other.to_owned()), own);
        }
        for altered in [format!("{own}/é"), format!("{own}/a\r\nb")] {
            assert_eq!(page(altered), own);
        }
    }

    #[test]
    fn other_texts_are_preserved_when_a_comment_is_stored() {
        let texts = [("new", "Text"), (&*reply_field(id()), "Sent."), ("other", " ")];
        let form = CommentForm {
            act: CommentAct::Reply(id()).word(),
            texts: texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into(),
            ..CommentForm::default()
        };
        let draft = form.draft(CommentAct::Reply(id())).unwrap();
        assert_eq!((draft.text.as_str(), draft.in_reply_to), ("Sent.", Some(id())));
        let unsent = form.clone().unsent(None);
        assert_eq!(unsent.texts.into_iter().collect::<Vec<_>>(), [("new".into(), "Text".into())]);
        assert_eq!(form.clone().unsent(Some(Problem::default())).texts.len(), 2);
        assert_eq!(form.acts_with_text(), [CommentAct::New, CommentAct::Reply(id())]);
    }
}
