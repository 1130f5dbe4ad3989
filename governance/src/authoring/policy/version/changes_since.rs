//! The differences of a version from the rules of an earlier submission.

use contract::{
    id::PolicyId,
    policy::{ReviewSubmission, VersionDiff},
};
use entity::{policy_version, review_record as records, review_submission as table};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::{draft_lineage, find, review, stored_review, submission};
use crate::{
    access::permission,
    authoring::policy::{diff, stored_rules},
    base::{
        cx::Cx,
        error::{ResourceKind, Result, not_found},
        tenancy::TenantTx,
    },
};

/// An earlier submission, and how the rules of a version differ from it.
#[derive(Clone, Debug)]
pub struct ChangesSince {
    /// The submission with its review record. It can be of an earlier draft of the lineage.
    pub submission: ReviewSubmission,
    pub diff: VersionDiff,
}

/// Returns how a version differs from the submission whose requested changes its next seal must address.
/// `None` when no changes are requested.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn diff_since_request(
    cx: &Cx,
    id: PolicyId,
    version: u32,
) -> Result<Option<ChangesSince>> {
    let (tx, version) = begin(cx, id, version).await?;
    let row = review::returned_submission(&tx, &version).await?;
    changes_since(tx, &version, row).await
}

/// Returns how a version differs from the last submission that the caller reviewed, in the version or an
/// earlier draft of its lineage. `None` without such a review, or if it concerns the current revision.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `NOT_FOUND`.
pub async fn diff_since_own_review(
    cx: &Cx,
    id: PolicyId,
    version: u32,
) -> Result<Option<ChangesSince>> {
    let reviewer = cx.human()?.user_id.to_string();
    let (tx, version) = begin(cx, id, version).await?;
    let lineage = draft_lineage::load(&tx, &version).await?;
    let drafts = lineage.drafts.iter().map(|draft| draft.id.0);
    let submissions = tx.find::<table::Entity>();
    let submissions = submissions.filter(table::Column::PolicyVersionId.is_in(drafts));
    let submissions = submissions.select_only().column(table::Column::Id);
    let submissions = submissions.into_tuple::<Uuid>().all(tx.connection()).await?;
    let records = tx.find::<records::Entity>();
    let records = records
        .filter(records::Column::SubmissionId.is_in(submissions))
        .filter(records::Column::RecordedBy.eq(reviewer))
        .order_by_desc(records::Column::RecordedAt);
    let row = match records.one(tx.connection()).await? {
        Some(record) => {
            tx.find_by_id::<table::Entity>(record.submission_id).one(tx.connection()).await?
        }
        None => None,
    };
    let is_current = |row: &table::Model| {
        row.policy_version_id == version.id && row.candidate_revision == version.draft_revision
    };
    changes_since(tx, &version, row.filter(|row| !is_current(row))).await
}

async fn begin(cx: &Cx, id: PolicyId, version: u32) -> Result<(TenantTx, policy_version::Model)> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(ResourceKind::Version))?;
    Ok((tx, row))
}

async fn changes_since(
    tx: TenantTx,
    version: &policy_version::Model,
    row: Option<table::Model>,
) -> Result<Option<ChangesSince>> {
    let mut changes = None;
    if let Some(row) = row {
        let (_, rules) = stored_rules::parse(&version.rules)?;
        let diff = diff::between(&submission::rules(&row)?, &rules);
        let record = stored_review::of_submission(&tx, row.id).await?;
        let mut submission = ReviewSubmission::from(row);
        submission.records =
            Some(record.map(stored_review::to_wire).transpose()?.into_iter().collect());
        changes = Some(ChangesSince { submission, diff });
    }
    tx.finish_read().await?;
    Ok(changes)
}
