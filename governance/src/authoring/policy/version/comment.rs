//! Comments on a version, in threads of one level. They are not part of any signed statement.
//!
//! The comments of a review record are first entries of threads, with rows that refer to the record.

mod mention;

use contract::policy::{Comment, CommentDraft, ReviewComment};
use entity::{
    policy_version, review_record, review_submission,
    version_comment::{self as table, Column},
};

use super::find;
use crate::{
    access::permission,
    authoring::policy::{stored_rules, version::submission},
    base::{error::comment_is_reply, prelude::*},
};

/// Returns a page of the comments on a version, newest first: first entries and replies.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    page: &PageRequest,
) -> Result<Page<Comment>> {
    let tenant = cx.tenant(permission::COMMENT)?;
    let tx = tenant.begin().await?;
    let version = version_row(&tx, id, version).await?;
    let list = Cursor::new(&tenant, "version_comments", version.id.to_string());
    let rows = tx.find::<table::Entity>().filter(Column::PolicyVersionId.eq(version.id));
    let rows = list.newest(rows, Column::Sequence, page)?.all(tx.connection()).await?;
    let Page { items, next_cursor } = list.page(rows, page.limit, |row| row.sequence);
    let items = to_wire(&tx, version.version, items).await?;
    tx.finish_read().await?;
    Ok(Page { items, next_cursor })
}

/// Creates a comment. A reply to a reply belongs to the same thread. Members that the text mentions get an
/// inbox item and, if mail is configured, a mail.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `NOT_FOUND`; `VALIDATION_ERROR` for a rule or a comment that the version
/// does not have.
pub async fn create(cx: &Cx, id: PolicyId, version: u32, draft: CommentDraft) -> Result<Comment> {
    let tx = cx.tenant(permission::COMMENT)?.begin().await?;
    // Locked, so that the rules that the comment is checked against are those of its revision.
    let version = find(&tx, id, version).lock_shared().one(tx.connection()).await?;
    let version = version.or_not_found(ResourceKind::Version)?;
    let thread = check(&tx, &version, &draft).await?;
    let comment: CommentId = cx.governance.entropy().id();
    let row = table::ActiveModel {
        tenant_id: Set(version.tenant_id),
        id: Set(comment.0),
        policy_version_id: Set(version.id),
        draft_revision: Set(version.draft_revision),
        rule_code: Set(draft.rule_code),
        text: Set(Some(draft.text)),
        author: Set(cx.human()?.user_id.0),
        in_reply_to: Set(thread.map(Into::into)),
        created_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    let row = row.insert(tx.connection()).await?;
    let text = row.text.as_deref().unwrap_or_default();
    mention::store(&tx, cx, (id, version.version), &[(comment, text)]).await?;
    let event = event("comment.create", &version, &row);
    let comment = one_to_wire(&tx, &version, row).await?;
    tx.commit(cx, event).await?;
    Ok(comment)
}

/// Checks that the version has the rule and the comment that a draft names. Returns the first entry of the
/// thread that the draft replies to.
async fn check(
    tx: &TenantTx,
    version: &policy_version::Model,
    draft: &CommentDraft,
) -> Result<Option<CommentId>> {
    let mut errors = Vec::new();
    let mut unknown =
        |path: &str, message: &str| errors.push(FieldError::new(path, "unknown", message));
    if let Some(code) = &draft.rule_code {
        let (_, rules) = stored_rules::parse(&version.rules)?;
        if !rules.iter().any(|rule| rule.code == *code) {
            unknown("/rule_code", "is not the code of a rule of this version");
        }
    }
    let mut thread = None;
    if let Some(id) = draft.in_reply_to {
        match comment_row(tx, version, id).one(tx.connection()).await? {
            Some(row) => thread = Some(CommentId(row.in_reply_to.unwrap_or(row.id))),
            None => unknown("/in_reply_to", "is not a comment of this version"),
        }
    }
    if errors.is_empty() { Ok(thread) } else { Err(invalid(&errors).into()) }
}

/// Marks a thread as resolved. A resolved thread stays unchanged.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `NOT_FOUND`; `CONFLICT` for a reply.
pub async fn resolve(cx: &Cx, id: PolicyId, version: u32, comment: CommentId) -> Result<Comment> {
    set_resolved(cx, id, version, comment, true).await
}

/// Marks a resolved thread as open. An open thread stays unchanged.
///
/// # Errors
/// As [`resolve`].
pub async fn reopen(cx: &Cx, id: PolicyId, version: u32, comment: CommentId) -> Result<Comment> {
    set_resolved(cx, id, version, comment, false).await
}

async fn set_resolved(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    comment: CommentId,
    is_resolved: bool,
) -> Result<Comment> {
    let tx = cx.tenant(permission::COMMENT)?.begin().await?;
    let version = version_row(&tx, id, version).await?;
    let row = comment_row(&tx, &version, comment).lock_exclusive().one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::Comment)?;
    if let Some(first) = row.in_reply_to {
        return Err(comment_is_reply(CommentId(first)).into());
    }
    if row.resolved_at.is_some() == is_resolved {
        let comment = one_to_wire(&tx, &version, row).await?;
        tx.finish_read().await?;
        return Ok(comment);
    }
    let mut change = row.into_active_model();
    change.resolved_at = Set(is_resolved.then(|| to_column(cx.now)));
    change.resolved_by = Set(if is_resolved { Some(cx.human()?.user_id.0) } else { None });
    let row = change.update(tx.connection()).await?;
    let action = if is_resolved { "comment.resolve" } else { "comment.reopen" };
    let event = event(action, &version, &row);
    let comment = one_to_wire(&tx, &version, row).await?;
    tx.commit(cx, event).await?;
    Ok(comment)
}

/// Stores the comments of a new review record as first entries of threads, in the transaction of the record.
pub(super) async fn store_of_record(
    tx: &TenantTx,
    cx: &Cx,
    submission: &review_submission::Model,
    record: &review_record::Model,
    comments: &[ReviewComment],
) -> Result<()> {
    if comments.is_empty() {
        return Ok(());
    }
    let author = cx.human()?.user_id.0;
    let ids: Vec<CommentId> = comments.iter().map(|_| cx.governance.entropy().id()).collect();
    let rows = (0_i32..).zip(&ids).map(|(index, id)| table::ActiveModel {
        tenant_id: Set(record.tenant_id),
        id: Set(id.0),
        policy_version_id: Set(submission.policy_version_id),
        draft_revision: Set(submission.candidate_revision),
        author: Set(author),
        record_id: Set(Some(record.id)),
        record_index: Set(Some(index)),
        created_at: Set(record.recorded_at),
        ..Default::default()
    });
    table::Entity::insert_many(rows).exec_without_returning(tx.connection()).await?;
    let on = (submission.policy_id.into(), submission.version);
    let texts = comments.iter().map(|comment| comment.text.as_str());
    let texts: Vec<(CommentId, &str)> = ids.into_iter().zip(texts).collect();
    mention::store(tx, cx, on, &texts).await
}

async fn version_row(tx: &TenantTx, id: PolicyId, version: u32) -> Result<policy_version::Model> {
    let row = find(tx, id, version).one(tx.connection()).await?;
    Ok(row.or_not_found(ResourceKind::Version)?)
}

fn comment_row(
    tx: &TenantTx,
    version: &policy_version::Model,
    id: CommentId,
) -> sea_orm::Select<table::Entity> {
    tx.find_by_id::<table::Entity>(id).filter(Column::PolicyVersionId.eq(version.id))
}

/// Returns the audit event of an action on a comment. It does not contain the text.
fn event(action: &'static str, version: &policy_version::Model, row: &table::Model) -> Event {
    let event = Event::new(action, "comment", row.id)
        .with("policy_id", version.policy_id.to_string())
        .with("version", unsigned(version.version))
        .with("draft_revision", unsigned(row.draft_revision));
    event.with_some("in_reply_to", row.in_reply_to)
}

async fn one_to_wire(
    tx: &TenantTx,
    version: &policy_version::Model,
    row: table::Model,
) -> Result<Comment> {
    let comment = to_wire(tx, version.version, vec![row]).await?.pop();
    comment.or_bug("a row became no comment")
}

/// Converts rows to wire types, with the texts of the review records that they refer to.
async fn to_wire(tx: &TenantTx, version: i32, rows: Vec<table::Model>) -> Result<Vec<Comment>> {
    let records = rows.iter().filter_map(|row| row.record_id).collect();
    let records = submission::records_by_ids(tx, records).await?;
    let content = |row: &table::Model| {
        if let Some(text) = &row.text {
            let rule_code = row.rule_code.clone();
            return Some(ReviewComment { rule_code, unit_id: None, text: text.clone() });
        }
        let record = records.iter().find(|record| Some(record.id.0) == row.record_id)?;
        record.comments.get(usize::try_from(row.record_index?).ok()?).cloned()
    };
    let comment = |row: table::Model| {
        let content = content(&row).or_bug("a comment without a text")?;
        Ok(Comment {
            id: row.id.into(),
            version: unsigned(version),
            draft_revision: unsigned(row.draft_revision),
            rule_code: content.rule_code,
            unit_id: content.unit_id,
            text: content.text,
            author: row.author.into(),
            record_id: row.record_id.map(ReviewRecordId),
            in_reply_to: row.in_reply_to.map(CommentId),
            created_at: from_column(row.created_at),
            resolved_at: row.resolved_at.map(from_column),
            resolved_by: row.resolved_by.map(Into::into),
        })
    };
    rows.into_iter().map(comment).collect()
}

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
