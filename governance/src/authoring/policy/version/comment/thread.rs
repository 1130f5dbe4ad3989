//! The threads of the comments on a version, and whether the rule of each has changed since.

use contract::policy::Comment;
use entity::{
    review_submission,
    version_comment::{self as table, Column},
};

use super::to_wire;
use crate::{access::permission, authoring::policy::version::submission, base::prelude::*};

/// The maximum number of comments that are read; older ones are left out.
const COMMENTS_MAX: u64 = 1_000;

/// A first entry with its replies, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentThread {
    pub first: Comment,
    pub replies: Vec<Comment>,
    /// Whether the rule that the thread concerns was changed or removed after the first entry.
    pub is_outdated: bool,
}

/// Returns the threads of a version that was read with its rules, oldest first. Of more than 1,000 comments, the
/// newest are included.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key.
pub async fn threads(cx: &Cx, version: &PolicyVersion) -> Result<Vec<CommentThread>> {
    let tx = cx.tenant(permission::COMMENT)?.begin().await?;
    let rows = tx.find::<table::Entity>().filter(Column::PolicyVersionId.eq(version.id.0));
    let rows = rows.order_by_desc(Column::Sequence).limit(COMMENTS_MAX);
    let mut rows = rows.all(tx.connection()).await?;
    rows.reverse();
    let number = i32::try_from(version.version).unwrap_or(i32::MAX);
    let comments = to_wire(&tx, number, rows).await?;
    let rules = RuleRevisions::load(&tx, version, &comments).await?;
    tx.finish_read().await?;
    let mut threads: Vec<CommentThread> = Vec::new();
    for comment in comments {
        match comment.in_reply_to {
            None => threads.push(CommentThread {
                is_outdated: rules.has_changed(&comment),
                first: comment,
                replies: Vec::new(),
            }),
            Some(first) => {
                if let Some(thread) = threads.iter_mut().find(|thread| thread.first.id == first) {
                    thread.replies.push(comment);
                }
            }
        }
    }
    Ok(threads)
}

/// The rules of a version now, and those of its sealed revisions that have comments.
struct RuleRevisions<'a> {
    revision: u32,
    current: &'a [Rule],
    sealed: BTreeMap<u32, Vec<Rule>>,
}

impl<'a> RuleRevisions<'a> {
    async fn load(tx: &TenantTx, version: &'a PolicyVersion, comments: &[Comment]) -> Result<Self> {
        let current = version.rules.as_deref().unwrap_or_default();
        let revision = version.draft_revision;
        let with_rule = comments.iter().filter(|comment| comment.rule_code.is_some());
        let revisions: BTreeSet<i32> = with_rule
            .filter(|comment| comment.in_reply_to.is_none() && comment.draft_revision != revision)
            .filter_map(|comment| i32::try_from(comment.draft_revision).ok())
            .collect();
        let mut sealed = BTreeMap::new();
        if !revisions.is_empty() {
            let column = review_submission::Column::CandidateRevision;
            let rows = submission::of_version_id(tx, version.id.0);
            let rows = rows.filter(column.is_in(revisions));
            for row in rows.all(tx.connection()).await? {
                sealed.insert(unsigned(row.candidate_revision), submission::rules(&row)?);
            }
        }
        Ok(Self { revision, current, sealed })
    }

    /// Returns whether the rule of a comment differs from the rule that was commented on. The rules of a
    /// revision that was not sealed are not stored, so every later revision counts as a change.
    fn has_changed(&self, comment: &Comment) -> bool {
        let Some(code) = &comment.rule_code else { return false };
        if comment.draft_revision == self.revision {
            return false;
        }
        let Some(sealed) = self.sealed.get(&comment.draft_revision) else { return true };
        let rule = |rules: &[Rule]| rules.iter().find(|rule| rule.code == *code).cloned();
        rule(sealed) != rule(self.current)
    }
}
