//! Review drafts: the note, comments and viewed marks that a reviewer has not recorded yet. Only their author
//! sees them.
//!
//! A draft is not a change of the tenant's data for others, so saving it writes no audit event.

use entity::{
    policy_version,
    review_draft::{self as table, Column},
};
use sea_orm::sea_query::{ExprTrait, IntoCondition, OnConflict};

use super::{find, submission};
use crate::{
    access::{auth::lock_authority, permission},
    authoring::policy::locks::lock_shared,
    base::{error::review_exists, prelude::*},
};

/// The maximum length of a stored review draft in bytes.
pub const SAVED_REVIEW_MAX: usize = 1_048_576;

/// A review draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedReview {
    /// The draft revision that the reviewer has read.
    pub revision: u32,
    /// The digest of the rules that the reviewer has read.
    pub rules_digest: String,
    /// The note on the whole version.
    pub note: String,
    /// The comments, by the code of their rule.
    pub comments: BTreeMap<String, String>,
    /// The marks of the viewed rules.
    pub viewed: Vec<String>,
}

/// Returns the caller's review draft of a version. It may have been saved for an earlier submission.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `FORBIDDEN` for a role that does not review; `NOT_FOUND`.
pub async fn read(cx: &Cx, id: PolicyId, version: u32) -> Result<Option<SavedReview>> {
    let tx = cx.tenant(permission::DRAFT_REVIEW)?.begin().await?;
    let user_id = cx.human()?.user_id.0;
    let own_draft = related(policy_version::Column::Id, Column::PolicyVersionId);
    let own_draft = own_draft.on_condition(move |_, drafts| {
        Expr::col((drafts, Column::UserId)).eq(user_id).into_condition()
    });
    let row = find(&tx, id, version)
        .join(JoinType::LeftJoin, own_draft)
        .select_only()
        .column(Column::Draft)
        .into_tuple::<Option<String>>()
        .one(tx.connection())
        .await?;
    tx.finish_read().await?;
    let draft = row.or_not_found(ResourceKind::Version)?;
    let draft = draft.map(|draft| serde_json::from_str(&draft)).transpose();
    draft.map_err(Error::internal)
}

/// Saves the caller's review draft for a submission. It replaces the caller's earlier draft of the version.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `FORBIDDEN` for a role that does not review and for a removed member;
/// `NOT_FOUND`; `CONFLICT` when the submission has a review record; `PAYLOAD_TOO_LARGE`.
pub async fn save(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    submission: SubmissionId,
    draft: &SavedReview,
) -> Result<()> {
    let tenant = cx.tenant(permission::DRAFT_REVIEW)?;
    let draft = serde_json::to_string(draft)?;
    if draft.len() > SAVED_REVIEW_MAX {
        let message = "the review draft is larger than 1 MiB; shorten the note or the comments";
        return Err(refusal(ErrorCode::PayloadTooLarge, message).into());
    }
    let tx = tenant.begin().await?;
    // The row references the membership of the reviewer, which may have been removed in the meantime.
    lock_authority(&tx, cx, permission::DRAFT_REVIEW).await?;
    // A review record is created under the exclusive lock of this row, so no draft is saved after its record.
    lock_shared(&tx, id).await?;
    let version = find(&tx, id, version).one(tx.connection()).await?;
    let version = version.or_not_found(ResourceKind::Version)?;
    let submission = submission::by_id(&tx, &version, submission).await?;
    if submission::record_of(&tx, submission.id).await?.is_some() {
        return Err(review_exists().into());
    }
    let row = table::ActiveModel {
        tenant_id: Set(version.tenant_id),
        user_id: Set(cx.human()?.user_id.0),
        policy_version_id: Set(version.id),
        submission_id: Set(submission.id),
        draft: Set(draft),
        saved_at: Set(to_column(cx.now)),
    };
    let replace = OnConflict::columns([Column::TenantId, Column::UserId, Column::PolicyVersionId])
        .update_columns([Column::SubmissionId, Column::Draft, Column::SavedAt])
        .to_owned();
    let insert = table::Entity::insert(row).on_conflict(replace);
    insert.exec_without_returning(tx.connection()).await?;
    tx.commit_without_event().await
}

/// Deletes the caller's review draft of a version, in the transaction that records the review.
pub(super) async fn delete(tx: &TenantTx, cx: &Cx, version: &policy_version::Model) -> Result<()> {
    let delete = tx
        .delete::<table::Entity>()
        .filter(Column::UserId.eq(cx.human()?.user_id.0))
        .filter(Column::PolicyVersionId.eq(version.id));
    delete.exec(tx.connection()).await?;
    Ok(())
}
