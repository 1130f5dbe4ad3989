//! What was sealed of the versions within reach, and which returns nobody can answer.

use contract::{
    capability::pending_work::{NotAnswerable, NotAnswerableReason, Returned},
    id::PolicyId,
    policy::ReviewVerdict,
};
use entity::{
    column::{instant, number},
    review_record as records, review_submission as submissions,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use crate::{error::Result, tenancy::TenantTx};

/// A submission with what was recorded about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sealed {
    pub(super) submission: submissions::Model,
    pub(super) record: Option<records::Model>,
}

impl Sealed {
    /// The return of it, if it was returned.
    pub(super) fn returned(&self) -> Option<Returned> {
        let record = self.record.as_ref()?;
        (record.verdict.0 == ReviewVerdict::Return).then(|| Returned {
            policy_version_id: self.submission.policy_version_id.into(),
            version: number(self.submission.version),
            submission_id: self.submission.id.into(),
            review_record_id: record.id.into(),
            returned_by: record.recorded_by.clone(),
            returned_at: instant(record.recorded_at),
        })
    }
}

/// Everything that was sealed of some versions of a policy, the newest version and submission first.
pub(super) async fn of_versions(
    tx: &TenantTx,
    policy: PolicyId,
    versions: Vec<Uuid>,
) -> Result<Vec<Sealed>> {
    let rows = tx
        .find::<submissions::Entity>()
        .filter(submissions::Column::PolicyId.eq(policy.0))
        .filter(submissions::Column::PolicyVersionId.is_in(versions))
        .order_by_desc(submissions::Column::Version)
        .order_by_desc(submissions::Column::Sequence)
        .all(tx.connection())
        .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let records = tx
        .find::<records::Entity>()
        .filter(records::Column::SubmissionId.is_in(ids))
        .all(tx.connection())
        .await?;
    let with_record = |submission: submissions::Model| {
        let record = records.iter().find(|record| record.submission_id == submission.id).cloned();
        Sealed { submission, record }
    };
    Ok(rows.into_iter().map(with_record).collect())
}

/// The returns that no next seal answers: those on another submission than `prior`, which the next
/// seal follows; and the one on `prior` when the head cannot be sealed.
pub(super) fn not_answerable(
    sealed: &[Sealed],
    prior: Option<&Sealed>,
    is_sealable: bool,
) -> Vec<NotAnswerable> {
    let reason = |one: &Sealed| {
        if prior.is_none_or(|prior| prior.submission.id != one.submission.id) {
            Some(NotAnswerableReason::NotLineagePrevious)
        } else if is_sealable {
            None
        } else {
            Some(NotAnswerableReason::HeadNotSealable)
        }
    };
    let entry =
        |one| Some(NotAnswerable { returned: Sealed::returned(one)?, reason: reason(one)? });
    sealed.iter().filter_map(entry).collect()
}
