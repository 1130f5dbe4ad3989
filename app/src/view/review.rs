//! A change under review: what differs from the version that decides, rule by rule, and what reviewers
//! have said.

use std::collections::BTreeMap;

use contract::{
    error::FieldError,
    id::{PolicyId, SubmissionId, TenantId},
    json::{Object, Value},
    policy::{PolicyVersion, ReviewComment, ReviewDraft, ReviewVerdict, Submission, VersionDiff},
    rule::Rule,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    kept::Kept,
    people::{Names, known},
    version::{RuleLine, VersionPage},
};
use crate::{problem::Problem, text::url};

/// The page of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewPage {
    /// The version.
    pub version: VersionPage,
    /// The version that it is compared with.
    pub against: Option<u32>,
    /// What differs, in the version's order; removed rules last.
    pub changes: Vec<Change>,
    /// Rules that are the same in both.
    pub same: Vec<RuleLine>,
    /// What was sealed for review, newest first.
    pub sealed: Vec<SealedLine>,
    /// Why the person cannot record a review now; absent when they can.
    pub barred: Option<String>,
    /// Whether the person's role reviews at all.
    pub may_review: bool,
    /// What the person has marked and written so far.
    pub draft: ReviewForm,
    /// Why the review was not recorded.
    pub kept: Option<Kept>,
}

/// How a rule differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Some of it differs.
    Changed,
    /// Only its place differs.
    Moved,
}

/// A rule that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// How.
    pub kind: ChangeKind,
    /// Its code; of a removed rule, the one that it had.
    pub code: String,
    /// The rule before.
    pub before: Option<RuleLine>,
    /// The rule now.
    pub after: Option<RuleLine>,
    /// The members that differ, as people call them.
    pub members: Vec<String>,
    /// Its places, from 1, when it stands elsewhere.
    pub moved: Option<(u32, u32)>,
    /// The mark that says it was viewed as it is here: another change of the rule has another one.
    pub mark: String,
}

/// Something that was sealed, and what was recorded about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedLine {
    /// The submission.
    pub id: SubmissionId,
    /// Its number.
    pub sequence: u32,
    /// The revision that was sealed.
    pub revision: u32,
    /// Who sealed it.
    pub by: Option<String>,
    /// The same, as the store names them.
    pub by_id: Option<String>,
    /// When.
    pub at: Timestamp,
    /// What was recorded.
    pub record: Option<RecordLine>,
}

/// What a reviewer recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    /// The id.
    pub id: String,
    /// What was found.
    pub verdict: ReviewVerdict,
    /// Words about the whole.
    pub note: Option<String>,
    /// Remarks: the rule's code, or nothing, and the text.
    pub comments: Vec<(Option<String>, String)>,
    /// Who.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Digest of the record.
    pub digest: String,
}

/// All changes of a diff, in the order of `after`. `digest` names the bytes of a rule.
pub fn changes(
    diff: &VersionDiff,
    after: &[Rule],
    digest: impl Fn(&Rule) -> String,
) -> Vec<Change> {
    let mark = |rule: &Rule| format!("{} {}", rule.code, digest(rule));
    let places: BTreeMap<&str, (u32, u32)> = diff
        .moved
        .iter()
        .map(|moved| (moved.code.as_str(), (moved.from + 1, moved.to + 1)))
        .collect();
    let change = |rule: &Rule| {
        let moved = places.get(rule.code.as_str()).copied();
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

/// The rules that are the same in both.
pub fn same(changes: &[Change], after: &[Rule]) -> Vec<RuleLine> {
    let differs = |rule: &&Rule| changes.iter().any(|change| change.code == rule.code);
    after.iter().filter(|rule| !differs(rule)).map(RuleLine::from).collect()
}

impl SealedLine {
    /// The line of a submission, with people by their names.
    pub fn new(submission: Submission, names: &Names) -> Self {
        let record = submission.records.into_iter().flatten().next();
        Self {
            id: submission.id,
            sequence: submission.sequence,
            revision: submission.candidate_revision,
            by_id: Some(submission.sealed_by.clone()),
            by: known(Some(submission.sealed_by), names),
            at: submission.sealed_at,
            record: record.map(|record| RecordLine {
                id: record.id.to_string(),
                verdict: record.verdict,
                note: record.note,
                comments: record.comments.into_iter().map(remark).collect(),
                by: known(Some(record.recorded_by), names),
                at: record.recorded_at,
                digest: record.record_digest,
            }),
        }
    }
}

fn remark(comment: ReviewComment) -> (Option<String>, String) {
    (comment.rule_code.or(comment.unit_id), comment.text)
}

/// The form of a review: what was seen, marked and written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewForm {
    /// The word of the pressed button: a verdict, or nothing where marks are kept for later.
    pub verdict: String,
    /// The revision that the person has read.
    pub revision: u32,
    /// The digest of the rules that the person has read.
    pub digest: String,
    /// Words about the whole.
    pub note: String,
    /// Remarks by the code of their rule.
    pub comments: BTreeMap<String, String>,
    /// The marks of the rules that were viewed.
    pub viewed: Vec<String>,
    /// Pressed to mark every rule that differs.
    pub all: Option<String>,
    /// Said on the page that repeats all of it: record this.
    pub confirmed: Option<String>,
}

impl ReviewForm {
    /// Remarks that hold something, in the order of their rules.
    pub fn remarks(&self) -> impl Iterator<Item = (&str, &str)> {
        let remarks = self.comments.iter().map(|(code, text)| (code.as_str(), text.trim()));
        remarks.filter(|(_, text)| !text.is_empty())
    }

    /// The body of the record that the form asks for.
    pub fn draft(&self) -> Value {
        let remark = |(code, text): (&str, &str)| {
            Value::Object(Object::from([
                ("rule_code", Value::from(code)),
                ("text", Value::from(text.replace("\r\n", "\n"))),
            ]))
        };
        let mut body = Object::from([
            ("verdict", Value::from(self.verdict.as_str())),
            ("comments", Value::from(self.remarks().map(remark).collect::<Vec<_>>())),
        ]);
        let note = self.note.trim().replace("\r\n", "\n");
        if !note.is_empty() {
            body.insert("note", note);
        }
        Value::Object(body)
    }

    /// Reads the body strictly.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(&self) -> Result<ReviewDraft, Vec<FieldError>> {
        contract::read::body(&self.draft())
    }

    /// Whether it gives a reason.
    pub fn has_reason(&self) -> bool {
        !self.note.trim().is_empty() || self.remarks().next().is_some()
    }

    /// What should be thought of before accepting: rules that are not marked, and remarks.
    pub fn open(&self, changes: &[Change]) -> (usize, usize) {
        let unseen = changes.iter().filter(|change| !self.viewed.contains(&change.mark)).count();
        (unseen, self.remarks().count())
    }

    /// Whether the person has read another revision than the page shows. Without a form that was sent
    /// before, the page itself is what is read.
    pub fn has_read_other(&self, shown: &VersionPage) -> bool {
        let is_same = self.revision == shown.revision && self.digest == shown.rules_digest;
        !self.digest.is_empty() && !is_same
    }

    /// Refuses a form that was made for other bytes than the version has now.
    ///
    /// # Errors
    /// `STALE_DRAFT_REVISION`, with the revision of now.
    pub fn check(&self, now: &PolicyVersion) -> Result<(), Problem> {
        if self.revision == now.draft_revision && self.digest == now.rules_digest {
            return Ok(());
        }
        Err(Problem {
            code: "STALE_DRAFT_REVISION".into(),
            status: 409,
            revision: Some(now.draft_revision),
            ..Problem::default()
        })
    }
}

/// Where a review stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPlace {
    /// The tenant.
    pub tenant: TenantId,
    /// The policy.
    pub policy: PolicyId,
    /// The version.
    pub version: u32,
    /// What was sealed.
    pub submission: SubmissionId,
}

impl ReviewPlace {
    /// The page of the review.
    pub fn page(&self) -> String {
        url::review(self.tenant, self.policy, self.version)
    }

    /// The page that records what it found.
    pub fn sheet(&self, verdict: ReviewVerdict) -> String {
        url::record(self.tenant, self.policy, self.version, verdict)
    }
}
