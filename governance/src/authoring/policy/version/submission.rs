//! The rows of review submissions and of their records.

use contract::policy::{ReviewComment, ReviewRecord};
use entity::{policy_version, review_record as records, review_submission as table};
use sea_orm::SelectExt;

use crate::{access::permission, base::prelude::*};

pub(super) fn of_version(tx: &TenantTx, version: &policy_version::Model) -> Select<table::Entity> {
    of_version_id(tx, version.id)
}

pub(super) fn of_version_id(tx: &TenantTx, version: Uuid) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::PolicyVersionId.eq(version))
}

/// Returns a submission of a version.
pub(super) async fn by_id(
    tx: &TenantTx,
    version: &policy_version::Model,
    id: SubmissionId,
) -> Result<table::Model> {
    let row = of_version(tx, version).filter(table::Column::Id.eq(id.0));
    let row = row.one(tx.connection()).await?;
    Ok(row.or_not_found(ResourceKind::Submission)?)
}

/// Returns whether any revision of a version was sealed.
pub(super) async fn exists(tx: &TenantTx, version: &policy_version::Model) -> Result<bool> {
    Ok(of_version(tx, version).exists(tx.connection()).await?)
}

/// The members of a sealed object that are compared.
#[derive(Deserialize)]
struct SealedRules {
    rules: Vec<Rule>,
}

/// Reads the sealed rules of a submission.
pub(super) async fn read_rules(cx: &Cx, id: SubmissionId) -> Result<Vec<Rule>> {
    let row = cx
        .tenant(permission::READ_POLICIES)?
        .get::<table::Entity>(id, ResourceKind::Submission)
        .await?;
    rules(&row)
}

/// Returns the sealed rules of a submission.
pub(super) fn rules(row: &table::Model) -> Result<Vec<Rule>> {
    let content = serde_json::from_str::<SealedRules>(&row.sealed);
    Ok(content.map_err(Error::internal)?.rules)
}

/// Returns the review records with these IDs.
pub(super) async fn records_by_ids(
    tx: &TenantTx,
    ids: BTreeSet<Uuid>,
) -> Result<Vec<ReviewRecord>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = tx.find::<records::Entity>().filter(records::Column::Id.is_in(ids));
    rows.all(tx.connection()).await?.into_iter().map(record_to_wire).collect()
}

/// Returns the record of a submission.
pub(super) async fn record_of(tx: &TenantTx, submission: Uuid) -> Result<Option<records::Model>> {
    let rows = tx.find::<records::Entity>().filter(records::Column::SubmissionId.eq(submission));
    Ok(rows.one(tx.connection()).await?)
}

/// The members of a review record that are stored only in its JSON text.
#[derive(Deserialize)]
struct RecordBody {
    comments: Vec<ReviewComment>,
    note: Option<String>,
}

pub(super) fn record_to_wire(row: records::Model) -> Result<ReviewRecord> {
    let body: RecordBody = serde_json::from_str(&row.record)?;
    Ok(ReviewRecord {
        id: row.id.into(),
        submission_id: row.submission_id.into(),
        verdict: row.verdict.0,
        comments: body.comments,
        note: body.note,
        recorded_by: row.recorded_by,
        recorded_at: from_column(row.recorded_at),
        record_digest: row.digest,
    })
}
