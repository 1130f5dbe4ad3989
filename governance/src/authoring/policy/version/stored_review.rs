//! Stored review records.

use contract::policy::{ReviewComment, ReviewRecord};
use entity::review_record as table;

use crate::base::prelude::*;

/// Returns the review records with these IDs.
pub(super) async fn by_ids(tx: &TenantTx, ids: BTreeSet<Uuid>) -> Result<Vec<ReviewRecord>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = tx.find::<table::Entity>().filter(table::Column::Id.is_in(ids));
    rows.all(tx.connection()).await?.into_iter().map(to_wire).collect()
}

/// Returns the record of a submission.
pub(super) async fn of_submission(tx: &TenantTx, submission: Uuid) -> Result<Option<table::Model>> {
    let rows = tx.find::<table::Entity>().filter(table::Column::SubmissionId.eq(submission));
    Ok(rows.one(tx.connection()).await?)
}

/// The members of a review record that are stored only in its JSON text.
#[derive(Deserialize)]
struct RecordBody {
    comments: Vec<ReviewComment>,
    note: Option<String>,
}

pub(super) fn to_wire(row: table::Model) -> Result<ReviewRecord> {
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
