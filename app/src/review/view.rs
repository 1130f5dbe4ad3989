//! A review: the differences from the active version, rule by rule, and the review records.

use std::collections::BTreeMap;

use contract::{
    error::FieldError,
    id::{PolicyId, SubmissionId, TenantId},
    json::{Object, Value},
    policy::{PolicyVersion, ReviewDraft, ReviewVerdict, VersionDiff},
    rule::Rule,
};
use serde::{Deserialize, Serialize};

use super::{
    record::SubmissionLine,
    tab::{ReviewTab, Reviewer},
};
use crate::{
    flash::RejectedForm, problem::Problem, rule::view::RuleLine, text::url,
    version::view::VersionPage,
};

/// The changes that the page of a review shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeScope {
    /// Those since the user's last review, or all changes without one.
    #[default]
    SinceReview,
    /// Those from the active version.
    All,
}

impl ChangeScope {
    /// In the order of their links.
    pub const ALL: [Self; 2] = [Self::SinceReview, Self::All];

    /// Reads the value of the query parameter.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|scope| scope.word() == word).unwrap_or_default()
    }

    /// Returns the value of the query parameter. It is empty for the default.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SinceReview => "",
            Self::All => "all",
        }
    }

    /// Returns the page of a review with these changes.
    pub fn page(self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        url::with_query(&url::review(tenant, policy, version), &[("changes", self.word())])
    }
}

/// The user's last review of a version, which concerns an earlier revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastReview {
    /// The name of the revision, such as "r1".
    pub revision: String,
    /// What changed since, as HTML.
    pub changes: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewPage {
    pub version: VersionPage,
    /// The version that it is compared with: the active version.
    pub against: Option<u32>,
    pub tab: ReviewTab,
    pub scope: ChangeScope,
    /// The shown differences in the version's order; removed rules last.
    pub changes: Vec<Change>,
    /// The rules without such a difference.
    pub same: Vec<RuleLine>,
    /// The number of differences from the active version that are marked as viewed, and the number of all.
    pub viewed: (usize, usize),
    /// Newest first.
    pub sealed: Vec<SubmissionLine>,
    pub reviewers: Vec<Reviewer>,
    /// Whether a version can be ratified only after its acceptance.
    pub requires_review: bool,
    /// Why the user cannot record a review now; absent if recording is possible.
    pub blocked_reason: Option<String>,
    /// Whether the user's role can review.
    pub may_review: bool,
    /// The marks and comments that the user has entered so far.
    pub draft: ReviewForm,
    /// Why recording was rejected.
    pub rejected: Option<RejectedForm>,
    /// The comments on each rule that differs, as HTML, by the code of the rule.
    pub threads: BTreeMap<String, String>,
    /// The number of comment threads on the version that are not resolved.
    pub open_comments: usize,
    /// The number of all comments on the version.
    pub comment_count: usize,
    /// The comments that are not next to a rule and the form of comments, as HTML.
    pub comments: String,
    /// The user's last review, if there is one. Only the page of the review has it.
    pub last_review: Option<LastReview>,
}

impl ReviewPage {
    /// Returns the last review if the page shows only the changes since then.
    pub fn base_review(&self) -> Option<&LastReview> {
        self.last_review.as_ref().filter(|_| self.scope == ChangeScope::SinceReview)
    }
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeKind {
    Added,
    Removed,
    /// Members of the rule differ.
    Changed,
    /// Only the position of the rule differs.
    Moved,
}

impl ChangeKind {
    /// Returns the symbol, the name and the color of a difference.
    pub fn appearance(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Added => ("+", "added", "allow"),
            Self::Removed => ("-", "removed", "deny"),
            Self::Changed => ("~", "changed", "warn"),
            Self::Moved => (">", "moved", "na"),
        }
    }
}

/// A rule that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub kind: ChangeKind,
    /// Its code; for a removed rule, its former code.
    pub code: String,
    /// The rule in the active version.
    pub before: Option<RuleLine>,
    /// The rule in the reviewed version.
    pub after: Option<RuleLine>,
    /// The names of the members that differ.
    pub members: Vec<String>,
    /// The old and the new position, from 1, if the rule was moved.
    pub moved: Option<(u32, u32)>,
    /// The mark for "viewed". It includes a digest, so another change of the rule has a different mark.
    pub mark: String,
}

/// The digits of a rule's digest in a mark. Only its reviewer sees a mark, and 64 bits distinguish the changes of one
/// rule. A page with 1,000 changes repeats them.
const MARK_DIGITS: usize = 16;

/// Returns all differences, in the order of `after`. `digest` computes the digest of a rule.
pub fn changes(
    diff: &VersionDiff,
    after: &[Rule],
    digest: impl Fn(&Rule) -> String,
) -> Vec<Change> {
    let mark = |rule: &Rule| {
        let digest = digest(rule);
        format!("{} {}", rule.code, digest.get(..MARK_DIGITS).unwrap_or(&digest))
    };
    let positions: BTreeMap<&str, (u32, u32)> = diff
        .moved
        .iter()
        .map(|moved| (moved.code.as_str(), (moved.from + 1, moved.to + 1)))
        .collect();
    let change = |rule: &Rule| {
        let moved = positions.get(rule.code.as_str()).copied();
        let changed = diff.changed.iter().find(|changed| changed.code == rule.code);
        let is_added = diff.added.iter().any(|added| added.code == rule.code);
        let kind = match (is_added, changed, moved) {
            (true, ..) => ChangeKind::Added,
            (_, Some(_), _) => ChangeKind::Changed,
            (.., Some(_)) => ChangeKind::Moved,
            _ => return None,
        };
        Some(Change {
            kind,
            code: rule.code.clone(),
            before: changed.map(|changed| RuleLine::from(&changed.before)),
            after: Some(RuleLine::from(rule)),
            members: changed.map(|changed| changed.fields.clone()).unwrap_or_default(),
            moved,
            mark: mark(rule),
        })
    };
    let removed = |rule: &Rule| Change {
        kind: ChangeKind::Removed,
        code: rule.code.clone(),
        before: Some(RuleLine::from(rule)),
        after: None,
        members: Vec::new(),
        moved: None,
        mark: mark(rule),
    };
    after.iter().filter_map(change).chain(diff.removed.iter().map(removed)).collect()
}

/// Returns the rules that are equal in both versions.
pub fn same(changes: &[Change], after: &[Rule]) -> Vec<RuleLine> {
    let differs = |rule: &&Rule| changes.iter().any(|change| change.code == rule.code);
    after.iter().filter(|rule| !differs(rule)).map(RuleLine::from).collect()
}

/// The form of a review: the read version, the marks and the comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewForm {
    /// The value of the pressed button: a verdict, or empty to save marks and comments for later.
    pub verdict: String,
    /// The revision that the user has read.
    pub revision: u32,
    /// The digest of the rules that the user has read.
    pub digest: String,
    /// The note on the whole version.
    pub note: String,
    /// The comments, by the code of their rule.
    pub comments: BTreeMap<String, String>,
    /// The marks of the viewed rules.
    pub viewed: Vec<String>,
    /// Present if the user marks every difference as viewed.
    pub all: Option<String>,
    /// Present if the user confirmed the review on its page.
    pub confirmed: Option<String>,
}

impl ReviewForm {
    /// Returns the comments that are not empty, in the order of their rules.
    pub fn written_comments(&self) -> impl Iterator<Item = (&str, &str)> {
        let written_comments =
            self.comments.iter().map(|(code, text)| (code.as_str(), text.trim()));
        written_comments.filter(|(_, text)| !text.is_empty())
    }

    /// Returns the body of the requested review record.
    pub fn draft(&self) -> Value {
        let comment = |(code, text): (&str, &str)| {
            Value::Object(Object::from([
                ("rule_code", Value::from(code)),
                ("text", Value::from(text.replace("\r\n", "\n"))),
            ]))
        };
        let mut body = Object::from([
            ("verdict", Value::from(self.verdict.as_str())),
            ("comments", Value::from(self.written_comments().map(comment).collect::<Vec<_>>())),
        ]);
        let note = self.note.trim().replace("\r\n", "\n");
        if !note.is_empty() {
            body.insert("note", note);
        }
        Value::Object(body)
    }

    /// Parses the body strictly.
    ///
    /// # Errors
    /// Returns the field errors.
    pub fn read(&self) -> Result<ReviewDraft, Vec<FieldError>> {
        contract::read::body(&self.draft())
    }

    /// Returns whether it contains a note or a comment.
    pub fn has_reason(&self) -> bool {
        !self.note.trim().is_empty() || self.written_comments().next().is_some()
    }

    /// Returns the number of differences that are not marked as viewed, and the number of comments. Both are
    /// warnings before accepting.
    pub fn open(&self, changes: &[Change]) -> (usize, usize) {
        (changes.len() - self.viewed_count(changes), self.written_comments().count())
    }

    /// Returns the number of differences that are marked as viewed.
    pub fn viewed_count(&self, changes: &[Change]) -> usize {
        changes.iter().filter(|change| self.viewed.contains(&change.mark)).count()
    }

    /// Returns whether the user has read another revision than the page shows. Without a form that was sent
    /// before, the page itself is the read revision.
    pub fn has_read_other(&self, page: &VersionPage) -> bool {
        let is_same = self.revision == page.revision && self.digest == page.rules_digest;
        !self.digest.is_empty() && !is_same
    }

    /// Checks that the form was created for the current content of the version.
    ///
    /// # Errors
    /// Returns `STALE_DRAFT_REVISION` with the current revision.
    pub fn check(&self, current: &PolicyVersion) -> Result<(), Problem> {
        if self.revision == current.draft_revision && self.digest == current.rules_digest {
            return Ok(());
        }
        Err(Problem {
            code: "STALE_DRAFT_REVISION".into(),
            status: 409,
            revision: Some(current.draft_revision),
            ..Problem::default()
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewTarget {
    pub tenant: TenantId,
    pub policy: PolicyId,
    pub version: u32,
    pub submission: SubmissionId,
    /// The changes that the page shows, as in its address.
    #[serde(default)]
    pub changes: String,
}

impl ReviewTarget {
    /// Returns the page of the review.
    pub fn page(&self) -> String {
        self.scope().page(self.tenant, self.policy, self.version)
    }

    /// Returns which changes the page shows.
    pub fn scope(&self) -> ChangeScope {
        ChangeScope::read(&self.changes)
    }

    /// Returns the page that confirms and records the review.
    pub fn record_page(&self, verdict: ReviewVerdict) -> String {
        url::record(self.tenant, self.policy, self.version, verdict)
    }
}
