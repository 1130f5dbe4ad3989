//! The rows of review submissions.

use contract::id::SubmissionId;
use entity::{policy_version, review_submission as table};
use sea_orm::{ColumnTrait, QueryFilter, Select, SelectExt};

use crate::base::{
    error::{ResourceKind, Result, not_found},
    tenancy::TenantTx,
};

pub(super) fn of_version(tx: &TenantTx, version: &policy_version::Model) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::PolicyVersionId.eq(version.id))
}

/// Returns a submission of a version.
///
/// # Errors
/// `NOT_FOUND`.
pub(super) async fn by_id(
    tx: &TenantTx,
    version: &policy_version::Model,
    id: SubmissionId,
) -> Result<table::Model> {
    let row = of_version(tx, version).filter(table::Column::Id.eq(id.0));
    let row = row.one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Submission))?)
}

/// Returns whether any revision of a version was sealed.
pub(super) async fn exists(tx: &TenantTx, version: &policy_version::Model) -> Result<bool> {
    Ok(of_version(tx, version).exists(tx.connection()).await?)
}
